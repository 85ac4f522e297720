"""What the programs of src/test/data/hf and programs-unseen import: runs one of them, and counts its steps.

Usage: PYTHONPATH=src/test/realtorch OUT=result.json python program.py
"""

import json
import os

import torch

_steps = 0


def tick(*_):
    """Called by the program after each complete step."""
    global _steps
    _steps += 1


def run(main):
    """Runs a program; writes to $OUT whether a request failed, after how many steps, and the peak in bytes."""
    import accelerate

    # One process has nothing to pad, and a simulated device gives meaningless sizes.
    accelerate.Accelerator.pad_across_processes = lambda self, tensor, dim=0, pad_index=0, pad_first=False: tensor
    torch.backends.cuda.enable_cudnn_sdp(False)
    failure = None
    try:
        main()
    except torch.OutOfMemoryError as error:
        failure = str(error)
    peak = torch.cuda.memory_stats().get("allocated_bytes.all.peak", 0)
    with open(os.environ["OUT"], "w") as out:
        json.dump({"steps": _steps, "failure": failure, "peakAllocatedBytes": peak}, out)
    os._exit(0)
