"""Starts the service on a free port and measures the seconds until its first page; for script/bench-start and script/bench-restart."""
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


def start(jar, data, *java_options):
    """Returns the process, its URL and the seconds until the dashboard was served. JAR is started with -Xmx1g and the data folder DATA."""
    java = subprocess.run([ROOT / "script/jdk"], capture_output=True, text=True, check=True).stdout.strip() + "/bin/java"
    port = free_port()
    base = f"http://localhost:{port}"
    began = time.monotonic()
    process = subprocess.Popen(
        [java, "-Xmx1g", *java_options, "-jar", jar, f"--server.port={port}", f"--vramscope.data-dir={data}"],
        stdout=subprocess.DEVNULL,
    )
    while process.poll() is None:
        try:
            urllib.request.urlopen(base, timeout=5).read()
            return process, base, time.monotonic() - began
        except urllib.error.URLError:
            time.sleep(0.02)
    sys.exit(f"{jar}: the service ended during its start")


def stop(process):
    process.terminate()
    process.wait()
