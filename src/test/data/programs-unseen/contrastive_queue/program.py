import copy, os, torch, torch.nn as nn, torch.nn.functional as F, oomrec
FIX = os.environ.get('FIX')

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, dropout=0.0)
        self.body = nn.TransformerEncoder(layer, 4)
        self.proj = nn.Linear(512, 2048)
    def forward(self, x): return F.normalize(self.proj(self.body(x)).flatten(0, 1), dim=-1)      # dense features, one for each patch

class MoCo(nn.Module):
    def __init__(self, base, size=8192, m=0.999):
        super().__init__()
        self.q = base; self.k = copy.deepcopy(base).requires_grad_(False); self.m = m; self.size = size
        self.register_buffer('queue', torch.randn(4096, 2048))
    @torch.no_grad()
    def momentum(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()): b.mul_(self.m).add_(a, alpha=1 - self.m)
    @torch.no_grad()
    def enqueue(self, keys):
        self.queue = torch.cat([self.queue, keys])
        if FIX: self.queue = self.queue[-self.size:].clone()
    def forward(self, a, b):
        q = self.q(a)
        with torch.no_grad():
            self.momentum(); k = self.k(b)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.queue.t()
        loss = F.cross_entropy(torch.cat([positive, negative], 1) / 0.07, torch.zeros(len(q), dtype=torch.long, device=q.device))
        self.enqueue(k)
        return loss

def batches(n):
    while n:
        n -= 1
        yield torch.randn(16, 64, 512, device='cuda'), torch.randn(16, 64, 512, device='cuda')

def main():
    model = MoCo(Encoder()).cuda()
    optimizer = torch.optim.SGD(model.q.parameters(), lr=0.03, momentum=0.9)
    for view1, view2 in batches(150):
        optimizer.zero_grad()
        model(view1, view2).backward()
        optimizer.step()
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
