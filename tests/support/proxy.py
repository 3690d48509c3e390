#!/usr/bin/env python3
"""A proxy that misbehaves: stands between loadverdict and a real server and breaks the answers.

usage: proxy.py MODE UPSTREAM [RECORD]. Prints its address. MODE: pass, empty, a status such as 401,
once-503, redirect, truncated, cut, garbage, html, warnings, partial, liar, error, hang. RECORD: a file that
gets every request's path and body, one a line."""

import http.client
import http.server
import signal
import sys
import threading
import time
import urllib.parse

EMPTY = '{"status":"success","data":{"resultType":"%s","result":[]}}'


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mode = upstream = record = None
    seen = 0
    lock = threading.Lock()

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass

    def send(self, status, body, headers=(), length=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def forward(self, body):
        where = urllib.parse.urlsplit(self.upstream)
        link = http.client.HTTPConnection(where.hostname, where.port, timeout=60)
        kept = {k: v for k, v in self.headers.items() if k.lower() in ("content-type", "accept")}
        link.request(self.command, self.path, body or None, kept)
        answer = link.getresponse()
        return answer.status, answer.read()

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.lock:
            Handler.seen += 1
            number = Handler.seen
            if self.record:
                with open(self.record, "a", encoding="utf-8") as f:
                    f.write(f"{self.path} {body.decode()}\n")
        mode = self.mode
        if mode.isdigit():
            return self.send(int(mode), b'{"status":"error","errorType":"x","error":"not today"}')
        if mode == "once-503" and number <= 2:
            return self.send(503, b"Service Unavailable", [("Retry-After", "1")])
        if mode == "redirect":
            return self.send(302, b"", [("Location", self.upstream + self.path)])
        if mode == "hang":
            time.sleep(60)
            self.close_connection = True
            return None
        if mode == "empty":
            # only a raw selector ends with its range
            kind = "matrix" if b"%5D&" in body.upper() + b"&" else "vector"
            return self.send(200, (EMPTY % kind).encode())
        if mode == "garbage":
            return self.send(200, b'{"status":"success","data":{"resultType":"matrix","result":[}')
        if mode == "html":
            return self.send(200, b"<html><body>Welcome</body></html>")
        if mode == "error":
            return self.send(200, b'{"status":"error","errorType":"internal","error":"no"}')
        status, answer = self.forward(body)
        if mode == "warnings":
            answer = b'{"warnings":["a store was away"],' + answer.lstrip()[1:]
        if mode == "partial":
            answer = b'{"isPartial":true,' + answer.lstrip()[1:]
        if mode == "liar":
            answer = answer.replace(b'"__name__":"', b'"__name__":"other_')
        if mode in ("truncated", "cut"):
            self.close_connection = True
            half = answer[:len(answer) // 2]
            # truncated: a short body that claims to be whole; cut: fewer bytes than announced
            return self.send(status, half, length=None if mode == "truncated" else len(answer))
        return self.send(status, answer)

    do_GET = do_POST = handle_any


def main():
    Handler.mode, Handler.upstream = sys.argv[1], sys.argv[2].rstrip("/")
    Handler.record = sys.argv[3] if len(sys.argv) > 3 else None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True

    def leave(number, _frame):
        raise SystemExit(128 + number)
    signal.signal(signal.SIGTERM, leave)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
