import collections, functools, os, random, torch, torch.nn as nn, oomrec
FIX = os.environ.get('FIX')
MIB = 1 << 20

def serve(f):
    @functools.wraps(f)
    @torch.inference_mode()
    def inner(self, request): return f(self, request)
    return inner

class Layer(nn.Module):
    def __init__(self, d): super().__init__(); self.norm = nn.LayerNorm(d); self.up = nn.Linear(d, 4 * d); self.down = nn.Linear(4 * d, d)
    def forward(self, x): return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))

class Server:
    """keeps the encodings of the documents asked for last, up to a budget"""
    def __init__(self, budget):
        self.model = nn.Sequential(*[Layer(1024) for _ in range(6)]).cuda().eval()
        self.kept = collections.OrderedDict(); self.bytes = 0; self.budget = budget
    @serve
    def answer(self, request):
        name, length = request
        if FIX: length = -(-length // 16384) * 16384
        x = torch.randn(length, 1024, device='cuda')
        encoding = self.model(x)
        self.kept[name] = encoding; self.bytes += encoding.nbytes
        while self.bytes > self.budget:
            _, old = self.kept.popitem(last=False); self.bytes -= old.nbytes
        return encoding.mean(0).cpu()

def requests(n):
    rng = random.Random(11)
    for i in range(n): yield f'user-{i}', int(min(16384, rng.lognormvariate(8.3, 0.8)))

def main():
    server = Server(900 * MIB)
    for request in requests(400):
        server.answer(request)
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
