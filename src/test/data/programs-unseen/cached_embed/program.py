import functools, os, time, torch, oomrec
from transformers import DistilBertConfig, DistilBertModel
FIX = os.environ.get('FIX')
state = {}

def timed(f):
    @functools.wraps(f)
    def inner(*a):
        t = time.perf_counter(); r = f(*a); state.setdefault('times', []).append(time.perf_counter() - t)
        return r
    return inner

@functools.lru_cache(maxsize=4 if FIX else None)
@timed
@torch.inference_mode()
def embed(document):
    ids = torch.zeros(24, 384, dtype=torch.long, device='cuda')
    return state['model'](input_ids=ids).last_hidden_state

@timed
def handle(request):
    tokens = embed(request['document'])
    query = torch.randn(768, device='cuda')
    return (tokens @ query).amax().item()

def main():
    state['model'] = DistilBertModel(DistilBertConfig(n_layers=4, vocab_size=8000)).cuda().eval()
    traffic = ({'document': f'doc-{(i * 7) % 997}'} for i in range(200))
    for request in traffic:
        handle(request)
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
