#!/usr/bin/env python3
"""Budget O1: many large uploads at the same time, beside clients that read pages.

    script/bench-uploads.py BASE FILE [--count COUNT] [--readers READERS]

Uploads FILE, a pickle of src/test/data/bench/gen_snapshot.py, COUNT (64) times at once, each time with another name in one stack frame,
while READERS (0) clients ask for the list of snapshots without a pause of more than 0.7 s. Prints the answers of uploads by status
with their times, and those of the readers; then counts the stored snapshots and compares the originals with what was sent. Exit code 1:
an upload was not stored, or an original is wrong.
"""
import argparse
import collections
import hashlib
import http.client
import json
import statistics
import sys
import threading
import time
import urllib.parse

PATIENCE = 600
CHUNK = 1 << 20
NAME = b"model/attention.py"


def connect(base):
    return http.client.HTTPConnection(base.hostname, base.port, timeout=PATIENCE)


def parts(number):
    """The bytes of upload NUMBER: six letters of a file name are replaced by it."""
    yield memoryview(content)[:place]
    yield b"%06d" % number
    rest = memoryview(content)[place + 6 :]
    for start in range(0, len(rest), CHUNK):
        yield rest[start : start + CHUNK]


def upload(number):
    began = time.monotonic()
    try:
        connection = connect(base)
        connection.request("POST", "/api/v1/snapshots", parts(number), {"Content-Length": str(len(content))})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status == 201:
            stored[number] = json.loads(body)["id"]
        elif len(refusals) < 5:
            refusals.append(body[:300].decode("utf-8", "replace"))
        uploads[answer.status].append(time.monotonic() - began)
    except OSError as failure:
        uploads[type(failure).__name__].append(time.monotonic() - began)


def read():
    while not done.is_set():
        began = time.monotonic()
        try:
            connection = connect(base)
            connection.request("GET", "/snapshots")
            answer = connection.getresponse()
            answer.read()
            reads[answer.status].append(time.monotonic() - began)
        except OSError as failure:
            reads[type(failure).__name__].append(time.monotonic() - began)
        done.wait(0.7)


def print_times(kind, answers):
    for status, seconds in sorted(answers.items(), key=str):
        seconds.sort()
        p99 = seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)]
        print(f"{kind} {status}: {len(seconds)} times; median {statistics.median(seconds):.2f}, p99 {p99:.2f}, longest {seconds[-1]:.2f} s")


def is_original(number, snapshot):
    connection = connect(base)
    connection.request("GET", f"/api/v1/snapshots/{snapshot}/original")
    answer = connection.getresponse()
    received = hashlib.sha256()
    while chunk := answer.read(CHUNK):
        received.update(chunk)
    sent = hashlib.sha256()
    for part in parts(number):
        sent.update(part)
    return answer.status == 200 and received.digest() == sent.digest()


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("base")
arguments.add_argument("file")
arguments.add_argument("--count", type=int, default=64)
arguments.add_argument("--readers", type=int, default=0)
options = arguments.parse_args()
base = urllib.parse.urlsplit(options.base)
with open(options.file, "rb") as file:
    content = file.read()
place = content.find(NAME)
if place < 0:
    sys.exit(f"{options.file} has no {NAME.decode()}: make it with src/test/data/bench/gen_snapshot.py")

uploads, reads = collections.defaultdict(list), collections.defaultdict(list)
stored, refusals = {}, []
done = threading.Event()
readers = [threading.Thread(target=read, daemon=True) for _ in range(options.readers)]
clients = [threading.Thread(target=upload, args=(number,)) for number in range(options.count)]
began = time.monotonic()
for thread in readers + clients:
    thread.start()
for thread in clients:
    thread.join()
elapsed = time.monotonic() - began
done.set()
for thread in readers:
    thread.join()
print(f"{options.count} uploads of {len(content) / 1e6:.1f} MB in {elapsed:.1f} s beside {options.readers} readers")
print_times("uploads", uploads)
print_times("pages", reads)
for refusal in refusals:
    print(refusal)
wrong = [number for number, snapshot in stored.items() if not is_original(number, snapshot)]
print(f"{len(stored)} stored, {len(wrong)} with a wrong original")
sys.exit(1 if wrong or len(stored) < options.count else 0)
