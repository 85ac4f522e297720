import os, torch, torch.nn as nn, oomrec
FIX = os.environ.get('FIX')

class MessagePassing(nn.Module):
    def __init__(self, d):
        super().__init__(); self.msg = nn.Sequential(nn.Linear(2 * d, d), nn.SiLU(), nn.Linear(d, d)); self.upd = nn.GRUCell(d, d)
    def forward(self, x, src, dst):
        pair = torch.cat([x[src], x[dst]], -1)
        m = self.msg(pair)
        return self.upd(torch.zeros_like(x).index_add(0, dst, m), x)

class Net(nn.Module):
    def __init__(self, d=128, rounds=4):
        super().__init__(); self.enter = nn.Linear(32, d); self.rounds = nn.ModuleList(MessagePassing(d) for _ in range(rounds)); self.out = nn.Linear(d, 1)
    def forward(self, feats, src, dst):
        x = self.enter(feats)
        for r in self.rounds: x = r(x, src, dst)
        return self.out(x).mean()

EDGES = [41, 38, 45, 52, 37, 40, 49, 44, 39, 47, 51, 36, 43, 690, 42, 46]       # thousands in each batch

def graphs():
    for k in EDGES:
        parts = -(-k // 60) if FIX else 1
        for _ in range(parts):
            e = k * 1000 // parts
            yield torch.randn(e // 4, 32, device='cuda'), torch.zeros(e, dtype=torch.long, device='cuda'), torch.zeros(e, dtype=torch.long, device='cuda')

def main():
    net = Net().cuda(); optimizer = torch.optim.AdamW(net.parameters())
    for epoch in range(2):
        for g in graphs():
            loss = net(*g)
            loss.backward(); optimizer.step(); optimizer.zero_grad(set_to_none=True)
            oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
