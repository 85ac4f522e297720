"""Runs programs, one at a time, each in a child process. usage: python -m failures.worker, with PYTORCH_CUDA_ALLOC_CONF in the environment.

Reads lines of JSON from standard input: {"name", "totalBytes", "othersBytes", "snapshot": FILE or null}; answers each with a
line: {"steps": [[peak allocated, peak reserved] of each step], "failures": [...], "message", "ended": whether no failure
ended it}. A new process for each run, but one start of Python: PyTorch takes seconds to load."""
import json
import os
import sys
import warnings

import torch
import torch._dynamo  # noqa: F401 which the first optimizer would load, in each child again

from . import leaks, live, outside, places, spikes  # noqa: F401 declare the programs
from .registry import PROGRAMS


def run(name, snapshot):
    steps, failures = [], []

    def observe(device, asked, allowed, free):
        stats = torch.cuda.memory_stats()
        failures.append({
            'failedAtStep': len(steps), 'askedBytes': asked, 'limitBytes': allowed, 'deviceFreeBytes': free,
            'liveBytes': stats['active_bytes.all.current'], 'reservedBytes': stats['reserved_bytes.all.current'],
            'allocations': stats['allocation.all.allocated']})

    def mark():
        steps.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))
        torch.cuda.reset_peak_memory_stats()

    torch.cuda.init()
    if snapshot: torch.cuda.memory._record_memory_history(max_entries=10_000_000, stacks='python')
    torch._C._cuda_attach_out_of_memory_observer(observe)
    message = None
    try:
        for _ in PROGRAMS[name].run(): mark()
        mark()
    except torch.OutOfMemoryError as e:
        message = str(e)
        # Inside the handler, where the frames that failed still hold their tensors.
        if snapshot: torch.cuda.memory._dump_snapshot(snapshot)
    else:
        if snapshot: torch.cuda.memory._dump_snapshot(snapshot)
    return {'steps': steps, 'failures': failures, 'message': message, 'ended': message is None}


def in_child(job):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.environ['FAKE_GPU_BYTES'] = str(job['totalBytes'])
        os.environ['FAKE_GPU_EXTERNAL'] = str(job['othersBytes'])
        with os.fdopen(writing, 'w') as out:
            try: json.dump(run(job['name'], job['snapshot']), out)
            except BaseException as e: json.dump({'error': repr(e)}, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answers: answer = answers.read()
    os.waitpid(child, 0)
    return answer or json.dumps({'error': 'the process ended without an answer'})


warnings.simplefilter('ignore')
for line in sys.stdin: print(in_child(json.loads(line)), flush=True)
