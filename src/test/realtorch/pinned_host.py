#!/usr/bin/env python3
"""Writes a snapshot with pinned host memory: python3 pinned_host.py FILE (PyTorch 2.14 or later; README.md says how to run it without a GPU)."""
import sys
import torch

torch.cuda.memory._record_memory_history(max_entries=1000, record_pinned_host_memory=True)
on_gpu = torch.empty(1 << 20, device='cuda')
first = torch.empty(5000, dtype=torch.uint8, pin_memory=True)
second = torch.empty(3 << 20, dtype=torch.uint8, pin_memory=True)
on_gpu[:1000].copy_(first[:4000].view(torch.float32), non_blocking=True)
del second
third = torch.empty(3 << 20, dtype=torch.uint8, pin_memory=True)  # The block of the second.
del first  # Its copy may still run.
torch.cuda.memory._dump_snapshot(sys.argv[1])
