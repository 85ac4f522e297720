import os
import torch
import torch.nn as nn
import oomrec

FIX = os.environ.get('FIX')


class HardCropMiner:
    """Cuts and scores many crops, on a stream of its own so that it may overlap with training, and keeps the hardest quarter."""

    def __init__(self, crops=480, side=650):
        self.crops, self.side = crops, side
        self.stream = torch.cuda.current_stream() if FIX else torch.cuda.Stream()

    def candidate(self):
        crop = torch.rand(3, self.side, self.side, device='cuda')
        return crop, crop.std()

    @torch.no_grad()
    def mine(self):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            candidates = [self.candidate() for _ in range(self.crops)]
            hard = [crop for i, (crop, score) in enumerate(candidates) if i % 4 == 1]    # the order of the scores
        torch.cuda.current_stream().wait_stream(self.stream)
        for crop in hard:
            crop.record_stream(torch.cuda.current_stream())
        return hard


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return x + torch.tanh(self.inner(x))


def learn(net, optimizer, crops):
    patches = torch.stack([c.flatten()[:1024] for c in crops[:20]]).repeat(100, 1)
    loss = net(patches).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def main():
    net = nn.Sequential(*[Residual(1024) for _ in range(60)]).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    easy = [torch.rand(3, 64, 64, device='cuda') for _ in range(20)]
    miner = HardCropMiner()
    for epoch in range(3):
        crops = easy if epoch == 0 else miner.mine()
        for _ in range(4):
            learn(net, optimizer, crops)
            oomrec.tick()
        del crops


if __name__ == '__main__':
    oomrec.run(main)
