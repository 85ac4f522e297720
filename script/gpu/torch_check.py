"""Records real PyTorch snapshots and an OOM, uploads them, and compares vramscope's numbers with PyTorch's.

Usage: VRAMSCOPE_URL=http://127.0.0.1:PORT VRAMSCOPE_SUMMARY="java -jar ... summary" torch_check.py OUT_DIR
Writes OUT_DIR/torch.json; exits with 1 if a number differs.
"""

import html
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
import urllib.request

import torch

OUT = sys.argv[1]
URL = os.environ["VRAMSCOPE_URL"]
SUMMARY = shlex.split(os.environ["VRAMSCOPE_SUMMARY"])
differences = []


def train(steps):
    """Runs a small training loop; returns the objects that hold its live memory."""
    model = torch.nn.Sequential(*[torch.nn.Linear(2048, 2048) for _ in range(6)]).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(steps):
        loss = model(torch.randn(64 + 32 * step, 2048, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    return model, optimizer


def request(path, data=None, accept="application/json"):
    headers = {"Accept": accept}
    if data is not None:
        headers["Content-Type"] = "application/octet-stream"
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers)) as answer:
        return answer.read().decode()


def upload(name):
    """Uploads a snapshot; returns its id and its size in bytes."""
    path = os.path.join(OUT, name)
    torch.cuda.memory._dump_snapshot(path)
    with open(path, "rb") as snapshot:
        stored = json.loads(request("/api/v1/snapshots?job=gpu-check", snapshot.read()))
    size = os.path.getsize(path)
    os.remove(path)
    return stored["id"], size


def compare(what, ours, theirs):
    if ours != theirs:
        differences.append({"what": what, "vramscope": ours, "torch": theirs})


def compare_counters(snapshot, stats):
    """Compares the counters of a snapshot's final state with PyTorch's statistics, field by field."""
    counters = json.loads(request(f"/api/v1/snapshots/{snapshot}/summary"))["counters"]
    now = {key: value for key, value in counters.items() if key.endswith(".current")}
    for key, value in now.items():
        compare(key, value, stats.get(key))
    return len(now)


def compare_summary(stats, theirs):
    """Compares our memory summary with PyTorch's, byte for byte, from the same counters."""
    path = os.path.join(OUT, "torch-stats.json")
    with open(path, "w") as file:
        json.dump(stats, file)
    ours = subprocess.run(SUMMARY + [path], check=True, capture_output=True, text=True).stdout
    compare("memory_summary()", ours.strip(), theirs.strip())


def micros_per_pair(**history):
    """Time of a cached allocation of 4 MiB and its free, in a call of four frames."""

    def pair():
        torch.empty(4 << 20, dtype=torch.uint8, device="cuda")

    def pairs(count):
        for _ in range(count):
            pair()

    def measured(count):
        begin = time.perf_counter()
        pairs(count)
        return 1e6 * (time.perf_counter() - begin) / count

    torch.cuda.memory._record_memory_history(**history)
    measured(5_000)
    median = statistics.median(measured(5_000) for _ in range(5))
    torch.cuda.memory._record_memory_history(enabled=None)
    return median


recording_cost = {
    "off": micros_per_pair(enabled=None),
    "python stacks": micros_per_pair(stacks="python", max_entries=100_000),
    "all stacks": micros_per_pair(stacks="all", max_entries=100_000),
}
torch.cuda.memory._record_memory_history(max_entries=200_000)
live = train(5)
stats = torch.cuda.memory_stats()
summary = torch.cuda.memory_summary()
training, training_bytes = upload("torch-training.pickle")
compared = compare_counters(training, stats)
compare_summary(stats, summary)

torch.cuda.set_per_process_memory_fraction(0.02)
message = ""
tensors = []
try:
    while True:
        tensors.append(torch.empty(64 << 20, dtype=torch.uint8, device="cuda"))
except torch.cuda.OutOfMemoryError as error:
    message = str(error)
oom, oom_bytes = upload("torch-oom.pickle")
page = html.unescape(request(f"/snapshots/{oom}/oom", accept="text/html")).replace("\u00a0", " ")
if not message or "64.00 MiB" not in page:
    differences.append({"what": "post-mortem", "vramscope": page[:200], "torch": message})

with open(os.path.join(OUT, "torch.json"), "w") as file:
    json.dump(
        {
            "torch": torch.__version__,
            "device": torch.cuda.get_device_name(),
            "training_snapshot_bytes": training_bytes,
            "oom_snapshot_bytes": oom_bytes,
            "oom_message": message,
            "compared_counters": compared,
            "micros_per_allocation_and_free": recording_cost,
            "memory_stats": dict(stats),
            "differences": differences,
        },
        file,
        indent=1,
    )
print(f"torch {torch.__version__}: {compared} counters compared, {len(differences)} differences")
print("PyTorch's own cost of recording, in microseconds for each allocation and free:", recording_cost)
for difference in differences:
    print(difference)
sys.exit(1 if differences else 0)
