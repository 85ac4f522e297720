# Warm restarts: every phase gets a fresh optimizer and its own schedule.
import os
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
import oomrec


def mixer(tokens, width):
    class Mix(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Sequential(nn.LayerNorm(tokens), nn.Linear(tokens, 2 * tokens), nn.GELU(), nn.Linear(2 * tokens, tokens))
            self.b = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x):
            x = x + self.a(x.transpose(1, 2)).transpose(1, 2)
            return x + self.b(x)
    return Mix()


class Run:
    def __init__(self, net, phases):
        self.net = net
        self.phases = phases
        self.schedules = []          # to draw the learning rates afterwards

    def begin_phase(self, phase):
        optimizer = torch.optim.AdamW(self.net.parameters(), lr=1e-3 / (1 + phase))
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: 0.5 * (1 + math.cos(math.pi * s / 4)))
        if os.environ.get('FIX'):
            self.schedules = [schedule]
        else:
            self.schedules.append(schedule)
        return optimizer, schedule

    def train(self):
        for phase in range(self.phases):
            optimizer, schedule = self.begin_phase(phase)
            for _ in range(4):
                x = torch.randn(16, 196, 3 * 256, device='cuda')
                y = torch.zeros(16, dtype=torch.long, device='cuda')
                F.cross_entropy(self.net(x), y).backward()
                optimizer.step()
                schedule.step()
                optimizer.zero_grad(set_to_none=True)
                oomrec.tick()


class Pool(nn.Module):
    def forward(self, x):
        return x.mean(1)


def main():
    net = nn.Sequential(nn.Linear(768, 1024), *[mixer(196, 1024) for _ in range(8)], Pool(), nn.Linear(1024, 100)).cuda()
    Run(net, phases=6).train()


if __name__ == '__main__':
    oomrec.run(main)
