import os, torch, torch.nn as nn, oomrec
FIX = os.environ.get('FIX')

class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.token = nn.Sequential(nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
        self.channel = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
    def forward(self, x):
        x = x + self.token(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel(self.n2(x))

class Mixer(nn.Module):
    def __init__(self, tokens=64, dim=1536, depth=12):
        super().__init__()
        self.blocks = nn.ModuleList(MixerBlock(tokens, dim) for _ in range(depth))
        self.head = nn.Linear(dim, 100)
    def forward(self, x):
        for block in self.blocks: x = block(x)
        return self.head(x.mean(1))

class Callback:
    def on_micro_batch(self, trainer): pass
    def on_update(self, trainer): pass

class Meter(Callback):
    def __init__(self): self.values = []
    def on_micro_batch(self, trainer): self.values.append(trainer.loss.item())

class StepCounter(Callback):
    def on_update(self, trainer): oomrec.tick()

class Trainer:
    def __init__(self, model, optimizer, accumulate, callbacks):
        self.model, self.optimizer, self.accumulate, self.callbacks = model, optimizer, accumulate, callbacks
    def fire(self, name):
        for c in self.callbacks: getattr(c, name)(self)
    def micro_batch(self, x, y):
        self.loss = nn.functional.cross_entropy(self.model(x), y) / self.accumulate
        self.loss.backward()
        self.fire('on_micro_batch')
    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.fire('on_update')
    def fit(self, loader):
        for i, (x, y) in enumerate(loader, 1):
            self.micro_batch(x.cuda(), y.cuda())
            if i % self.accumulate == 0: self.update()

def main():
    model = Mixer().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1) if FIX else torch.optim.Adam(model.parameters(), lr=3e-4)
    loader = [(torch.randn(8, 64, 1536), torch.zeros(8, dtype=torch.long)) for _ in range(24)]
    Trainer(model, optimizer, 8, [Meter(), StepCounter()]).fit(loader)

if __name__ == '__main__': oomrec.run(main)
