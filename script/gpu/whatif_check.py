"""Compares replays with PyTorch on this GPU: what the service says of recorded programs under other settings, and what
these programs then do.

Usage: VRAMSCOPE_URL=http://127.0.0.1:PORT whatif_check.py OUT_DIR, in a folder with the package `failures`
(src/test/realtorch). Each program runs
1. on the whole device, recorded, and again under each of SETTINGS: failures, peaks and driver calls must be equal;
2. on a device that is filled up from outside until the program fails, recorded, with PyTorch's message attached as
   evidence, and again under each of SETTINGS: it must get past its failure exactly where the replay fits.
Writes OUT_DIR/whatif.json and whatif.md, and OUT_DIR/NAME.pickle of each failure. Exits with 1 if a row differs that the
service does not call an estimate.
"""

import ctypes
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from failures import leaks, live, outside, places, spikes  # noqa: F401 declare the programs
from failures.registry import PROGRAMS

OUT = os.path.abspath(sys.argv[1])
URL = os.environ["VRAMSCOPE_URL"]
SETTINGS = [
    "",
    "expandable_segments:True",
    "max_split_size_mb:128",
    "roundup_power2_divisions:8",
    "garbage_collection_threshold:0.6",
    "expandable_segments:True,roundup_power2_divisions:8",
]
NAMES = [
    "pieces_half",
    "pieces_adapters",
    "pieces_of_pages",
    "pieces_varying_training",
    "pieces_varying_evaluation",
    "pieces_in_training",
    "stream_of_copies",
    "pool_of_small_blocks",
    "spike_wide_batch",
    "leak_losses",
]
WHOLE = {"totalBytes": 0, "othersBytes": 0}  # read by the simulated device only


class Worker:
    """PyTorch under one setting, imported once; runs one program at a time, each in a child."""

    def __init__(self, settings):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "failures.worker"],
            cwd=os.path.dirname(os.path.abspath(__file__)),
            env=dict(os.environ, PYTORCH_CUDA_ALLOC_CONF=settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, name, **job):
        with self.lock:
            self.process.stdin.write(json.dumps({"name": name, **WHOLE, **job}) + "\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        if "steps" not in answer:
            raise RuntimeError("%s: %s" % (name, answer))
        return answer


class Balloon:
    """Device memory that another process, this one, holds."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.address = ctypes.c_uint64()

    def call(self, name, *arguments):
        error = getattr(self.cuda, name)(*arguments)
        if error:
            raise RuntimeError("%s returned %d" % (name, error))

    def free_bytes(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def leave(self, wanted):
        """Takes all but this many bytes."""
        self.release()
        taken = self.free_bytes()[0] - wanted
        self.call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(taken))

    def release(self):
        if self.address.value:
            self.call("cuMemFree_v2", self.address)
            self.address.value = 0


def request(path, data=None, kind="application/octet-stream"):
    headers = {"Content-Type": kind} if data is not None else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers)) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        raise RuntimeError("%s: %s" % (path, error.read().decode())) from error


def upload(path):
    with open(path, "rb") as file:
        return request("/api/v1/snapshots?job=gpu-check", file.read())["id"]


def replays(snapshot, **size):
    body = json.dumps({"settings": SETTINGS, **size}).encode()
    answer = request("/api/v1/snapshots/%s/whatif?wait=120" % snapshot, body, "application/json")
    return {row["settings"]: row for row in answer["rows"]}


def figures(run):
    """What a whole run and its replay must have in common."""
    return {
        "ooms": len(run["failures"]),
        "peakReservedBytes": max(reserved for _, reserved in run["steps"]),
        "peakAllocatedBytes": max(allocated for allocated, _ in run["steps"]),
        "driverAllocations": run["driverAllocations"],
        "driverFrees": run["driverFrees"],
    }


def gets_past(again, failed):
    """Whether a run got past the request that failed: the requests are the same in both."""
    return not again["failures"] or again["failures"][0]["allocations"] > failed["failures"][0]["allocations"]


def whole_runs(workers):
    rows, runs = [], {}
    for name in NAMES:
        own = PROGRAMS[name].settings
        path = os.path.join(OUT, "whole-%s.pickle" % name)
        runs[name] = recorded = workers[own].run(name, snapshot=path)
        predicted = replays(upload(path))
        os.remove(path)

        def compare(settings, name=name, predicted=predicted):
            actual = figures(workers[settings].run(name))
            replayed = {key: predicted[settings][key] for key in actual}
            return {
                "program": name,
                "device": "whole",
                "settings": settings,
                "replay": replayed,
                "torch": actual,
                "estimated": predicted[settings]["estimated"],
                "equal": replayed == actual,
            }

        with ThreadPoolExecutor(3) as pool:
            rows += pool.map(compare, SETTINGS)
    return rows, runs


def failing_runs(workers, runs):
    rows, balloon = [], Balloon()
    before = balloon.free_bytes()[0]
    context_bytes = before - workers[""].run("pieces_half")["freeAtStart"]
    for name in NAMES:
        program = PROGRAMS[name]
        own = program.settings
        balloon.leave(program.total_bytes(runs[name]["steps"]) + context_bytes)
        path = os.path.join(OUT, name + ".pickle")
        failed = workers[own].run(name, snapshot=path)
        if failed["ended"] or not failed["failures"]:
            rows.append({"program": name, "device": "filled", "settings": own, "problem": "it did not fail"})
            continue
        snapshot = upload(path)
        request("/api/v1/snapshots/%s/evidence" % snapshot, failed["message"].encode(), "text/plain")
        failure, total = failed["failures"][0], balloon.free_bytes()[1]
        predicted = replays(
            snapshot,
            totalBytes=total,
            othersBytes=total - failure["deviceFreeBytes"] - failure["reservedBytes"],
        )
        for settings in SETTINGS:
            again = workers[settings].run(name)
            past = gets_past(again, failed)
            rows.append(
                {
                    "program": name,
                    "device": "filled",
                    "settings": settings,
                    "replay": {"fits": predicted[settings]["fits"], "problem": predicted[settings].get("problem")},
                    "torch": {"fits": past},
                    "estimated": predicted[settings]["estimated"],
                    "equal": predicted[settings]["fits"] == past,
                    "message": failed["message"],
                }
            )
    balloon.release()
    return rows


def table(rows):
    yield "| program | device | settings | replay | PyTorch on this GPU | called | equal |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        yield "| %s | %s | `%s` | %s | %s | %s | %s |" % (
            row["program"],
            row["device"],
            row["settings"],
            *(
                ", ".join("%s %s" % (key, value) for key, value in row.get(side, {}).items() if value is not None)
                for side in ("replay", "torch")
            ),
            "an estimate" if row.get("estimated") else "exact",
            row.get("problem") or ("yes" if row["equal"] else "**no**"),
        )


workers = {settings: Worker(settings) for settings in SETTINGS}
rows, runs = whole_runs(workers)
rows += failing_runs(workers, runs)
with open(os.path.join(OUT, "whatif.json"), "w") as file:
    json.dump(rows, file, indent=1)
with open(os.path.join(OUT, "whatif.md"), "w") as file:
    file.write("\n".join(table(rows)) + "\n")
differing = [row for row in rows if not row.get("equal")]
wrong = [row for row in differing if not row.get("estimated")]
print(
    "%d rows compared, %d of them estimates; %d differ, %d of these are called exact"
    % (len(rows), sum(bool(row.get("estimated")) for row in rows), len(differing), len(wrong))
)
for row in differing:
    print(json.dumps(row))
sys.exit(1 if wrong else 0)
