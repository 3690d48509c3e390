#!/usr/bin/env python3
"""A small real target: GET /metrics, GET /fail counts an error. Prints its address."""

import http.server
import os
import signal
import time

BORN = time.time()


class Handler(http.server.BaseHTTPRequestHandler):
    errors = 0

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass

    def do_GET(self):
        if self.path == "/fail":
            Handler.errors += 1
        body = (f"# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {BORN}\n"
                f"# TYPE errors_total counter\nerrors_total {Handler.errors}\n"
                "# TYPE answers_total counter\nanswers_total{code=\"200\"} 1\n").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
SERVER = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{SERVER.server_port}", flush=True)
SERVER.serve_forever()
