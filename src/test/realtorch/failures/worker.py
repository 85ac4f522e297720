"""Runs programs, one at a time, each in a child process. usage: python -m failures.worker, with PYTORCH_CUDA_ALLOC_CONF in the environment.

Reads lines of JSON from standard input and answers each with a line:
in: {"name", "totalBytes", "othersBytes", "snapshot": FILE or null, "emptyCacheEachStep": flag, "free": [addresses]}
out: {"steps": [[peak allocated, peak reserved] of each step], "allocationsAtStepEnd": [number so far], "failures": [...], "message", "ended": whether no failure ended
it, "servedAfterFreeing": whether the failed request is served once the tensors at these addresses are freed, "freeAtStart": bytes of the device,
"driverAllocations", "driverFrees": calls}.
Each program has a process of its own, but Python starts once: PyTorch takes seconds to load."""
import gc
import json
import os
import sys
import warnings

import torch
import torch._dynamo  # noqa: F401 which the first optimizer would load, in each child again

from . import leaks, live, outside, places, spikes  # noqa: F401 declare the programs
from .registry import PROGRAMS


def run(name, snapshot=None, empty_each_step=False, freeing=()):
    steps, failures, allocations = [], [], []

    def observe(device, asked, allowed, free):
        stats = torch.cuda.memory_stats()
        failures.append({
            'failedAtStep': len(steps), 'askedBytes': asked, 'limitBytes': allowed, 'deviceFreeBytes': free,
            'liveBytes': stats['active_bytes.all.current'], 'reservedBytes': stats['reserved_bytes.all.current'],
            'allocations': stats['allocation.all.allocated']})

    def mark():
        steps.append((torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()))
        allocations.append(torch.cuda.memory_stats()['allocation.all.allocated'])
        torch.cuda.reset_peak_memory_stats()
        if empty_each_step: torch.cuda.empty_cache()

    torch.cuda.init()
    free_at_start = torch.cuda.mem_get_info()[0]
    if snapshot: torch.cuda.memory._record_memory_history(max_entries=10_000_000, stacks='python')
    torch._C._cuda_attach_out_of_memory_observer(observe)
    message, served = None, None
    try:
        for _ in PROGRAMS[name].run(): mark()
        mark()
    except torch.OutOfMemoryError as e:
        message = str(e)
        # Inside the handler, where the frames that failed still hold their tensors.
        if snapshot: torch.cuda.memory._dump_snapshot(snapshot)
        if freeing: served = is_served_after(freeing, failures[-1]['askedBytes'])
    else:
        if snapshot: torch.cuda.memory._dump_snapshot(snapshot)
    stats = torch.cuda.memory_stats()
    return {
        'steps': steps, 'allocationsAtStepEnd': allocations, 'failures': failures, 'message': message, 'ended': message is None, 'servedAfterFreeing': served,
        'freeAtStart': free_at_start, 'driverAllocations': stats['num_device_alloc'], 'driverFrees': stats['num_device_free']}


def is_served_after(freeing, asked):
    """Frees the memory of these tensors, as `del` of their last reference would, and makes the request again."""
    storages = {t.untyped_storage().data_ptr(): t.untyped_storage() for t in gc.get_objects() if isinstance(t, torch.Tensor) and t.is_cuda}
    missing = set(freeing) - set(storages)
    if missing: raise ValueError('%d of %d addresses are no tensor of the program' % (len(missing), len(freeing)))
    for address in freeing: storages[address].resize_(0)
    try: torch.empty(asked, dtype=torch.uint8, device='cuda')
    except torch.OutOfMemoryError: return False
    return True


def in_child(job):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.environ['FAKE_GPU_BYTES'] = str(job['totalBytes'])
        os.environ['FAKE_GPU_EXTERNAL'] = str(job['othersBytes'])
        with os.fdopen(writing, 'w') as out:
            try: json.dump(run(job['name'], job.get('snapshot'), job.get('emptyCacheEachStep', False), job.get('free', ())), out)
            except BaseException as e: json.dump({'error': repr(e)}, out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answers: answer = answers.read()
    os.waitpid(child, 0)
    return answer or json.dumps({'error': 'the process ended without an answer'})


warnings.simplefilter('ignore')
for line in sys.stdin: print(in_child(json.loads(line)), flush=True)
