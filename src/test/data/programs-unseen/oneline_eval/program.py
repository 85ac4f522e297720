import os, torch, torch.nn as nn, oomrec
FIX = os.environ.get('FIX')

class Residual(nn.Module):
    def __init__(self, d): super().__init__(); self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
    def forward(self, x): return x + self.f(x)

net = nn.Sequential(nn.Linear(256, 1024), *[Residual(1024) for _ in range(6)], nn.Linear(1024, 1))
mse = nn.MSELoss()

def fit(batch):
    x, y = batch
    loss = mse(net(x), y); opt.zero_grad(); loss.backward(); opt.step()
    return oomrec.tick() or loss.item()

def check(batch):
    x, y = batch
    loss = mse(net(x), y)
    return oomrec.tick() or (loss.item() if FIX else loss)

def main():
    global opt
    net.cuda(); opt = torch.optim.SGD(net.parameters(), lr=1e-2)
    data = lambda n: ((torch.randn(4096, 256, device='cuda'), torch.zeros(4096, 1, device='cuda')) for _ in range(n))
    for epoch in range(3):
        train = sum(map(fit, data(8))) / 8
        net.eval(); valid = sum(map(check, data(10))) / 10; net.train()

if __name__ == '__main__': oomrec.run(main)
