#!/usr/bin/env python3
"""Programs of the kind that run out of memory, for real PyTorch on the device of make.py. usage: programs.py CASE OUT STEPS
Writes OUT.pickle (at the failure, or at the end), OUT.json (what happened), OUT.txt (memory_summary). The device: FAKE_GPU_BYTES."""
import json, os, sys, threading
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
case, out, steps = sys.argv[1], sys.argv[2], int(sys.argv[3]); dev = 'cuda'; G = 1 << 30

class Attention(nn.Module):
    def __init__(self, d, h): super().__init__(); self.h = h; self.qkv = nn.Linear(d, 3 * d, bias=False); self.proj = nn.Linear(d, d, bias=False)
    def forward(self, x):
        b, t, d = x.shape; q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)) * (d // self.h) ** -0.5
        weights = scores.softmax(-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, t, d))
class Mlp(nn.Module):
    def __init__(self, d): super().__init__(); self.up = nn.Linear(d, 4 * d); self.down = nn.Linear(4 * d, d)
    def forward(self, x): return self.down(F.gelu(self.up(x)))
class Layer(nn.Module):
    def __init__(self, d, h): super().__init__(); self.n1 = nn.LayerNorm(d); self.attention = Attention(d, h); self.n2 = nn.LayerNorm(d); self.mlp = Mlp(d)
    def forward(self, x): x = x + self.attention(self.n1(x)); return x + self.mlp(self.n2(x))
class Model(nn.Module):
    def __init__(self, d=1024, n=12, h=16, vocab=32000, recompute=False): super().__init__(); self.tokens = nn.Embedding(vocab, d); self.layers = nn.ModuleList(Layer(d, h) for _ in range(n)); self.norm = nn.LayerNorm(d); self.head = nn.Linear(d, vocab, bias=False); self.recompute = recompute
    def forward(self, ids):
        x = self.tokens(ids)
        for layer in self.layers: x = checkpoint(layer, x, use_reentrant=False) if self.recompute and self.training else layer(x)
        return self.head(self.norm(x))

def batch(b, t): return torch.zeros(b, t, dtype=torch.long, device=dev), torch.zeros(b, t, dtype=torch.long, device=dev)
def loss_of(model, ids, labels): return F.cross_entropy(model(ids).flatten(0, 1), labels.flatten())
def train_step(model, optimizer, ids, labels, autocast=False):
    with torch.autocast('cuda', dtype=torch.bfloat16, enabled=autocast): loss = loss_of(model, ids, labels)
    loss.backward(); optimizer.step(); optimizer.zero_grad(set_to_none=True); return loss
lengths = [256, 640, 384, 896, 512, 1024, 288, 736, 448, 960, 320, 832]

def train_fixed():
    model = Model().to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(8, 512))
def train_varying():
    """sequence lengths differ from step to step"""
    model = Model().to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(6, lengths[s % len(lengths)] + 8 * (s // len(lengths))))
def first_optimizer_step():
    """the second half of the optimizer's state does not fit beside the activations' cache: fails in the first step"""
    model = Model(d=2048, n=16).to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(2, 512))
def keeps_losses():
    """the classic: losses.append(loss) keeps every step's graph"""
    model = Model(n=6).to(dev); losses = []
    for s in range(steps):
        loss = loss_of(model, *batch(2, 256)); losses.append(loss); yield loss
def keeps_outputs():
    """evaluation without no_grad, logits collected on the device"""
    model = Model(n=6).to(dev).eval(); collected = []
    for s in range(steps):
        logits = model(batch(4, 256)[0]); collected.append(logits.detach().float()); yield logits
def autocast_and_accumulation():
    model = Model().to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps):
        with torch.autocast('cuda', dtype=torch.bfloat16): loss = loss_of(model, *batch(8, 512)) / 4
        loss.backward()
        if s % 4 == 3: optimizer.step(); optimizer.zero_grad(set_to_none=True)
        yield loss
def recomputed():
    model = Model(recompute=True).to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(16, 512))
def long_context_spike():
    """one long sample among short ones"""
    model = Model(n=8).to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(1, 4096 if s == steps - 2 else 512))
@torch.no_grad()
def generate():
    """a key-value cache grown by cat: each token copies it"""
    d, layers, b = 2048, 16, 16; weights = [torch.empty(d, d, device=dev) for _ in range(layers * 4)]; cache = [torch.empty(b, 16, 64, d // 16, device=dev) for _ in range(2 * layers)]
    for s in range(steps):
        for i in range(len(cache)): cache[i] = torch.cat([cache[i], torch.empty(b, 16, 1, d // 16, device=dev)], 2)
        yield cache[0]
def side_stream():
    """batches are uploaded on a side stream and used on the main one, with record_stream"""
    model = Model(n=6).to(dev); optimizer = torch.optim.AdamW(model.parameters()); side = torch.cuda.Stream()
    for s in range(steps):
        with torch.cuda.stream(side): ids, labels = batch(4, lengths[s % 12]); extra = torch.empty(64 + s % 7, 1 << 20, device=dev)
        torch.cuda.current_stream().wait_stream(side)
        for t in (ids, labels, extra): t.record_stream(torch.cuda.current_stream())
        yield train_step(model, optimizer, ids, labels)
        if s % 3 == 2: torch.cuda.synchronize()
def private_pool():
    """workspaces in a MemPool of their own, kept"""
    model = Model(n=6).to(dev); optimizer = torch.optim.AdamW(model.parameters()); pool = torch.cuda.MemPool(); kept = []
    for s in range(steps):
        with torch.cuda.use_mem_pool(pool):
            w = [torch.empty(24 + 4 * (s % 5), 1 << 20, device=dev) for _ in range(3)]
            if s % 4 == 0: kept.append(w[1])
            del w
        yield train_step(model, optimizer, *batch(4, 512))

def sized():
    """one training program at any BATCH and LENGTH, with or without RECOMPUTE and AUTOCAST: what fits?"""
    b, t = int(os.environ.get('BATCH', 4)), int(os.environ.get('LENGTH', 512))
    model = Model(n=8, recompute=os.environ.get('RECOMPUTE') == '1').to(dev); optimizer = torch.optim.AdamW(model.parameters())
    for s in range(steps): yield train_step(model, optimizer, *batch(b, t), autocast=os.environ.get('AUTOCAST') == '1')

torch.cuda.memory._record_memory_history(max_entries=10_000_000, stacks=os.environ.get('STACKS', 'python'))
result = {'case': case, 'steps': steps, 'totalBytes': int(os.environ['FAKE_GPU_BYTES']), 'settings': os.environ.get('PYTORCH_CUDA_ALLOC_CONF', ''), 'torch': torch.__version__, 'failedAtStep': None, 'message': None}
done = 0; dump = os.environ.get('DUMP', '1') == '1'
def keep():
    """the moment of the snapshot, with everything that the failing frames still hold"""
    if dump: torch.cuda.memory._dump_snapshot(out + '.pickle')
    st = torch.cuda.memory_stats(); result.update(peakReservedBytes=st['reserved_bytes.all.peak'], peakAllocatedBytes=st['allocated_bytes.all.peak'], retries=st['num_alloc_retries'], ooms=st['num_ooms'], driverAllocations=st['num_device_alloc'], driverFrees=st['num_device_free'])
    json.dump(result, open(out + '.json', 'w'), indent=1); open(out + '.txt', 'w').write(torch.cuda.memory_summary())
    if dump: json.dump(dict(st), open(out + '.stats.json', 'w'))
try:
    for _ in globals()[case](): done += 1
    del _
except torch.OutOfMemoryError as e: result.update(failedAtStep=done, message=str(e)); keep()
else: keep()
os._exit(0)
