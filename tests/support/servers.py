"""Real servers for the tests: a Prometheus on backfilled blocks, a VictoriaMetrics with the same
lines. Each listens on a free port of 127.0.0.1 and is stopped by its own process id."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

SAMPLE = re.compile(r"^(.*\S) (\S+) (\d+(?:\.\d+)?)$")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def victoria_binary():
    for name in ("victoria-metrics", "victoria-metrics-prod"):
        if shutil.which(name):
            return name
    raise FileNotFoundError("victoria-metrics is not installed: tools/deps test")


def exit_on_signals():
    """SIGTERM and SIGHUP end Python without its cleanup; make them an ordinary exit."""
    def leave(number, _frame):
        raise SystemExit(128 + number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)


class Server:
    """One server process; a context manager, so that it never outlives the tests."""

    def __init__(self, name, command, ready, log):
        self.name, self.ready, self.log = name, ready, log
        self.command, self.process, self.url = command, None, None

    def __enter__(self):
        for _ in range(5):  # the free port may be taken by somebody else in between
            port = free_port()
            self.url = f"http://127.0.0.1:{port}"
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    [word.replace("PORT", str(port)) for word in self.command],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                if self._wait_ready():
                    return self
            except BaseException:
                self.stop()
                raise
            self.stop()
        with open(self.log, errors="replace") as log:
            tail = "".join(log.readlines()[-5:])
        raise RuntimeError(f"{self.name} did not start; the end of its log:\n{tail}")

    def _wait_ready(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(self.url + self.ready, timeout=5):
                    return self.process.poll() is None
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __exit__(self, *_):
        self.stop()


def backfill(files, data, work):
    """Makes Prometheus blocks from OpenMetrics files, all at once; names the file that fails."""
    def promtool(path, into):
        return subprocess.run(
            ["promtool", "tsdb", "create-blocks-from", "openmetrics", "-q", path, into],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    joined = os.path.join(work, "all.om")
    with open(joined, "w", encoding="utf-8") as out:
        for path in files:
            with open(path, encoding="utf-8") as f:
                out.writelines(line for line in f if line.strip() != "# EOF")
        out.write("# EOF\n")
    done = promtool(joined, data)
    os.remove(joined)
    if done.returncode == 0:
        return
    for path in files:
        with tempfile.TemporaryDirectory(dir=work) as scratch:
            one = promtool(path, scratch)
        if one.returncode != 0:
            raise RuntimeError(f"promtool refuses {path}:\n{one.stdout}{one.stderr}")
    raise RuntimeError(f"promtool refuses the cases together:\n{done.stdout}{done.stderr}")


def prometheus(files, work):
    """A Prometheus (not yet started) on the samples of OpenMetrics files."""
    data = os.path.join(work, "prometheus")
    os.makedirs(data)
    if files:
        backfill(files, data, work)
    return Server("prometheus", [
        "prometheus", "--config.file=/dev/null", f"--storage.tsdb.path={data}",
        "--storage.tsdb.retention.time=100y", "--web.listen-address=127.0.0.1:PORT"],
        "/-/ready", os.path.join(work, "prometheus.log"))


class Victoria(Server):
    """A VictoriaMetrics that imports the files once it runs."""

    def __init__(self, files, work):
        self.files = files
        data = os.path.join(work, "victoria")
        super().__init__("victoria-metrics", [
            victoria_binary(), "-retentionPeriod=100y", f"-storageDataPath={data}",
            "-httpListenAddr=127.0.0.1:PORT", "-memory.allowedPercent=20"],
            "/health", os.path.join(work, "victoria.log"))

    def __enter__(self):
        super().__enter__()
        try:
            for path in self.files:
                self._post("/api/v1/import/prometheus", _milliseconds(path))
            self._post("/internal/force_flush", b"")  # else the newest second is not searchable
        except BaseException:
            self.stop()
            raise
        return self

    def _post(self, path, body):
        request = urllib.request.Request(self.url + path, data=body, method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()


def _milliseconds(path):
    lines = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            match = SAMPLE.match(line.rstrip("\n"))
            if not match:
                raise RuntimeError(f"{path}: no sample with a timestamp: {line!r}")
            series, value, seconds = match.groups()
            whole, _, part = seconds.partition(".")
            lines.append(f"{series} {value} {whole}{part:0<3.3}\n")
    return "".join(lines).encode()
