#!/usr/bin/env python3
"""A real Prometheus that scrapes: scrape.py INTERVAL JOB=HOST:PORT... Prints its address."""

import os
import sys
import tempfile

import servers


def main():
    servers.exit_on_signals()
    interval = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="loadverdict-scrape-") as work:
        config = os.path.join(work, "prometheus.yml")
        with open(config, "w", encoding="utf-8") as f:
            f.write(f"global: {{ scrape_interval: {interval}, scrape_timeout: {interval} }}\n"
                    "scrape_configs:\n")
            for word in sys.argv[2:]:
                job, _, target = word.partition("=")
                f.write(f"  - {{ job_name: {job}, static_configs: [{{ targets: ['{target}'] }}] }}\n")
        with servers.Server("prometheus", [
                "prometheus", f"--config.file={config}", f"--storage.tsdb.path={work}/data",
                "--web.listen-address=127.0.0.1:PORT"], "/-/ready",
                os.path.join(work, "log")) as server:
            print(server.url, flush=True)
            server.process.wait()


if __name__ == "__main__":
    main()
