"""Runs the service on a free port and measures the seconds until its first page; for script/bench-start, script/bench-restart and the
releases of the test data."""
import contextlib
import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def await_page(process, url, jar):
    while process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return
        except urllib.error.URLError:
            time.sleep(0.02)
    sys.exit(f"{jar}: the service ended during its start")


@contextlib.contextmanager
def running(jar, data, *java_options):
    """Gives the URL and the seconds until the dashboard was served, and stops the service at the end. JAR is started with -Xmx1g and the
    data folder DATA."""
    java = subprocess.run([ROOT / "script/jdk"], capture_output=True, text=True, check=True).stdout.strip() + "/bin/java"
    port = free_port()
    base = f"http://localhost:{port}"
    began = time.monotonic()
    process = subprocess.Popen(
        [java, "-Xmx1g", *java_options, "-jar", jar, f"--server.port={port}", f"--vramscope.data-dir={data}"],
        stdout=subprocess.DEVNULL,
    )
    try:
        await_page(process, base, jar)
        yield base, time.monotonic() - began
    finally:
        process.terminate()
        process.wait()
