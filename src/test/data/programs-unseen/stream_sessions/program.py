"""streaming transcription: many calls at a time, each keeps its context, which grows with every chunk of sound"""
import os, random, torch, oomrec
from torch import nn

if os.environ.get('FIX'): torch.cuda.memory._set_allocator_settings('expandable_segments:True')
WIDTH, MAX_CHUNKS, CALLS = 640, 40, 24

class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(80, WIDTH)
        self.layer = nn.TransformerEncoderLayer(WIDTH, 8, 2048, batch_first=True)
        self.words = nn.Linear(WIDTH, 4000)

    def forward(self, sound, context):
        x = self.embed(sound)
        seen = x if context is None else torch.cat([context, x], dim=1)
        return self.words(self.layer(x)), seen

class Call:
    def __init__(self, rng):
        self.context, self.left, self.rate = None, rng.randint(8, MAX_CHUNKS), rng.choice([700, 1100, 1500, 1900])

def serve(listener, rounds):
    rng = random.Random(7)
    calls = [Call(rng) for _ in range(CALLS)]
    for _ in range(rounds):
        for i, call in enumerate(calls):
            words, call.context = listener(torch.randn(1, call.rate, 80, device='cuda'), call.context)
            call.left -= 1
            if not call.left: calls[i] = Call(rng)
        oomrec.tick()

def main():
    with torch.inference_mode():
        serve(Listener().cuda().eval(), 60)

if __name__ == '__main__': oomrec.run(main)
