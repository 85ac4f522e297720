#!/usr/bin/env python3
"""Budget T5: how long the server takes to answer what the charts of a stored snapshot request.

    script/bench-answers.py BASE SNAPSHOT [TIMES]

BASE is the URL of a running server. Prints the median and the longest of TIMES (40) requests of each kind; those at an event or of a
range are of another one each time.
"""
import json
import sys
import time
import urllib.request

if len(sys.argv) < 3:
    sys.exit(__doc__)
api = f"{sys.argv[1]}/api/v1/snapshots/{sys.argv[2]}"
times = int(sys.argv[3]) if len(sys.argv) > 3 else 40
with urllib.request.urlopen(api) as answer:
    events = json.load(answer)["eventCount"]
WORDS = ["attention", "linear", "train", "mlp", "optim"]


def window(path):
    return lambda i: f"{path}?from={(i * 37919) % (events - 1000)}&to={(i * 37919) % (events - 1000) + 1000}"


KINDS = {
    "timeline, whole": lambda i: "timeline",
    "timeline, 1,000 events": window("timeline"),
    "segments over time, whole": lambda i: "segment-timeline",
    "segments over time, 1,000 events": window("segment-timeline"),
    "state after an event": lambda i: f"segments?event={(i * 104729) % events}",
    "state after the next event": lambda i: f"segments?event={events // 2 + i}",
    "search": lambda i: f"search?text={WORDS[i % len(WORDS)]}",
    "flame graph at an event": lambda i: f"flame?at={(i * 104729) % events}",
    "sites of a range of 1,000 events": window("range"),
    "last rows of the events": lambda i: f"events?offset={events - 100 - i}",
}
for kind, path in KINDS.items():
    millis = []
    for i in range(times):
        start = time.perf_counter()
        with urllib.request.urlopen(f"{api}/{path(i)}") as answer:
            answer.read()
        millis.append((time.perf_counter() - start) * 1000)
    millis.sort()
    print(f"{kind}: median {millis[len(millis) // 2]:.0f} ms, longest {millis[-1]:.0f} ms")
