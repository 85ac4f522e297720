import itertools, os, torch, torch.nn as nn, torch.nn.functional as F, oomrec
FIX = os.environ.get('FIX')

class TokenD(nn.Module):
    """judges images cut into 64 patches"""
    def __init__(self, d=512, depth=5):
        super().__init__()
        self.inp = nn.Linear(192, d); self.mix = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.Softplus(), nn.Linear(2 * d, d)) for _ in range(depth)); self.out = nn.Linear(d, 1)
    def forward(self, x):
        x = self.inp(x)
        for m in self.mix: x = x + m(x)
        return self.out(x).mean(1)

def penalty(net, real, weight=10.0):
    real = (real[:8] if FIX else real).detach().requires_grad_(True)
    gradient, = torch.autograd.grad(net(real).sum(), real, create_graph=True)
    return weight / 2 * gradient.square().sum((1, 2)).mean()

class Gan:
    def __init__(self, batch):
        self.batch = batch
        self.g = nn.Sequential(nn.Linear(128, 1024), nn.ReLU(), nn.Linear(1024, 64 * 192), nn.Unflatten(1, (64, 192))).cuda()
        self.d = TokenD().cuda()
        self.og = torch.optim.Adam(self.g.parameters(), lr=1e-4); self.od = torch.optim.Adam(self.d.parameters(), lr=1e-4)
    def noise(self): return torch.randn(self.batch, 128, device='cuda')
    def discriminate(self, real, regularize):
        with torch.no_grad(): fake = self.g(self.noise())
        F.softplus(self.d(fake)).mean().backward()
        F.softplus(-self.d(real)).mean().backward()
        if regularize: penalty(self.d, real).backward()
        self.od.step(); self.od.zero_grad()
    def generate(self):
        F.softplus(-self.d(self.g(self.noise()))).mean().backward()
        self.og.step(); self.og.zero_grad(); self.od.zero_grad()

def main():
    gan = Gan(256)
    for it in itertools.islice(itertools.count(1), 24):
        gan.discriminate(torch.rand(256, 64, 192, device='cuda'), regularize=it % 8 == 0)
        gan.generate()
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
