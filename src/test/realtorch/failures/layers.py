"""Small models: gated feed-forward and attention blocks, with few allocations a step."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(width, 2 * width, bias=False)
        self.up = nn.Linear(width, 2 * width, bias=False)
        self.down = nn.Linear(2 * width, width, bias=False)

    def forward(self, x):
        return x + self.down(F.silu(self.gate(x)) * self.up(x))


class Attending(nn.Module):
    """Attention that stores its scores: memory grows with the square of the length."""

    def __init__(self, width, heads=8):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.project(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-2, -1), -1)
        return x + self.out((weights @ v).transpose(1, 2).reshape(b, t, d))


class Net(nn.Module):
    """`depth` blocks between an embedding and a head; recomputes its activations if told to."""

    def __init__(self, width=1024, depth=3, attention=False, classes=4096, recompute=False):
        super().__init__()
        self.embed = nn.Embedding(classes, width)
        blocks = [b for _ in range(depth) for b in ([Attending(width)] if attention else []) + [Gated(width)]]
        self.blocks = nn.ModuleList(blocks)
        self.head = nn.Linear(width, classes, bias=False)
        self.recompute = recompute

    def features(self, ids):
        x = self.embed(ids)
        for block in self.blocks: x = checkpoint(block, x, use_reentrant=False) if self.recompute else block(x)
        return x

    def forward(self, ids):
        return self.head(self.features(ids))


def net(**sizes):
    with torch.device('cuda'): return Net(**sizes)


def ids(batch, length):
    return torch.zeros(batch, length, dtype=torch.long, device='cuda')


def loss_of(model, batch, length):
    x = ids(batch, length)
    return F.cross_entropy(model(x).flatten(0, 1), x.flatten())


def train(model, optimizer, batch, length):
    loss = loss_of(model, batch, length)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return loss.detach()
