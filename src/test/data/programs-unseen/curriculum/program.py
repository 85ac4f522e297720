import os, torch, torch.nn as nn, torch.nn.functional as F, oomrec
FIX = os.environ.get('FIX')

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__(); self.h = h; self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d); self.qkv = nn.Linear(d, 3 * d); self.out = nn.Linear(d, d); self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        a = torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v
        x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))

class LM(nn.Module):
    def __init__(self, d=512, depth=6): super().__init__(); self.emb = nn.Embedding(4096, d); self.blocks = nn.ModuleList(Block(d, 8) for _ in range(depth)); self.head = nn.Linear(d, 4096)
    def forward(self, ids):
        x = self.emb(ids)
        for b in self.blocks: x = b(x)
        return self.head(x)

def stages():
    for length in (128, 256, 512, 1024):
        for _ in range(5): yield torch.zeros((8 * 128 // length if FIX else 8), length, dtype=torch.long, device='cuda')

def main():
    model = LM().cuda(); opt = torch.optim.AdamW(model.parameters())
    for ids in stages():
        F.cross_entropy(model(ids).transpose(1, 2), ids).backward()
        opt.step(); opt.zero_grad(); oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
