#!/usr/bin/env python3
"""Seeded generator of synthetic, format-correct PyTorch CUDA memory snapshots.

It runs a model of the native caching allocator (small/large pools, 512 B rounding, 2 MiB / 20 MiB /
2 MiB-multiple segments, best fit, split, coalesce, per-stream pools, record_stream delayed frees,
"free all cached blocks and retry" before OOM; or one expandable segment per (pool, stream) with
segment_map events) under a model of a transformer training loop, and dumps what
torch.cuda.memory._snapshot() would return: {'segments', 'device_traces', 'allocator_settings',
'external_annotations'}, with the object sharing of the real thing (frame dicts shared over the
whole snapshot, one frames list per captured traceback: an alloc's list is shared with its
segment_alloc and its live block; a free's list is shared by free_requested and free_completed).

  gen_snapshot.py --events 100000 --seed 1 --out snap_100k.pickle
"""
import argparse, bisect, json, os, pickle, random, sys, time

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
MIN_BLOCK, SMALL, SMALL_BUF, LARGE_BUF, MIN_LARGE, ROUND_LARGE = 512, MIB, 2*MIB, 20*MIB, 10*MIB, 2*MIB

# ---------------------------------------------------------------- frames
CPP_TOP = [("torch::unwind::unwind()", "??", 0),
           ("torch::CapturedTraceback::gather(bool, bool, bool)", "??", 0),
           ("torch::cuda::(anonymous namespace)::gather_with_cpp()", "memory_snapshot.cpp", 0),
           ("c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc(signed char, unsigned long, CUstream_st*)", "CUDACachingAllocator.cpp", 0),
           ("c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::malloc(void**, signed char, unsigned long, CUstream_st*)", "", 0),
           ("c10::cuda::CUDACachingAllocator::Native::NativeCachingAllocator::allocate(unsigned long)", "", 0)]
CPP_FREE = CPP_TOP[:3] + [("c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::free(c10::cuda::CUDACachingAllocator::Native::(anonymous namespace)::Block*)", "CUDACachingAllocator.cpp", 0),
            ("c10::cuda::CUDACachingAllocator::Native::local_raw_delete(void*)", "", 0),
            ("c10::StorageImpl::release_resources()", "??", 0),
            ("c10::TensorImpl::release_resources()", "", 0)]
OPS = ["aten::empty_strided", "aten::addmm", "aten::bmm", "aten::_softmax", "aten::native_layer_norm", "aten::gelu",
       "aten::add", "aten::mul", "aten::native_dropout", "aten::_efficient_attention_forward", "aten::cat", "aten::to_copy",
       "aten::embedding", "aten::nll_loss_forward", "aten::threshold_backward", "aten::mm", "aten::sum", "aten::copy_",
       "aten::_foreach_addcdiv", "aten::_foreach_sqrt", "c10d::allgather_", "c10d::reduce_scatter_", "aten::where", "aten::cumsum"]
PYMODS = ["model/attention.py", "model/mlp.py", "model/block.py", "model/transformer.py", "model/embedding.py", "train/loop.py",
          "train/loss.py", "train/optim.py", "train/checkpoint.py", "data/collate.py", "dist/fsdp_wrap.py", "dist/tp.py"]
PYFUN = ["forward", "_forward_impl", "_call_impl", "_wrapped_call_impl", "attend", "project", "apply_rotary", "train_step",
         "compute_loss", "backward", "step", "_single_tensor_adamw", "unshard", "reshard", "all_gather_params", "main"]

class Stacks:
    """`n` distinct stacks of about `depth` frames, over shared frame dicts."""
    def __init__(self, rng, n, depth):
        self.frames = {}
        self.pool = [(rng.choice(PYFUN), f"/workspace/project/{rng.choice(PYMODS)}", rng.randrange(20, 900)) for _ in range(1800)]
        self.stacks = {"fwd": [], "bwd": [], "opt": [], "comm": [], "init": [], "free": []}
        share = {"fwd": .34, "bwd": .26, "opt": .06, "comm": .10, "init": .04, "free": .20}
        seen = set()
        for kind, s in share.items():
            want = int(n * s)
            while len(self.stacks[kind]) < want:
                d = max(6, int(rng.gauss(depth, depth * 0.12)))
                fr = self._make(rng, kind, d)
                key = tuple(id(f) for f in fr)
                if key in seen: continue
                seen.add(key); self.stacks[kind].append(fr)
    def f(self, name, filename, line):
        k = (name, filename, line)
        d = self.frames.get(k)
        if d is None:
            d = self.frames[k] = {"name": name, "filename": filename, "line": line}
        return d
    def _make(self, rng, kind, depth):
        out = [self.f(*t) for t in (CPP_FREE if kind == "free" else CPP_TOP)]
        op = rng.choice(OPS).replace("aten::", "").replace("c10d::", "")
        sig = "at::Tensor const&, at::Tensor const&, std::optional<c10::ScalarType>, std::optional<c10::Layout>, std::optional<c10::Device>, std::optional<bool>"
        if kind != "free":
            out.append(self.f(f"at::(anonymous namespace)::wrapper_CUDA_{op}({sig})", "RegisterCUDA.cpp", 0))
            out.append(self.f(f"at::_ops::{op}::redispatch(c10::DispatchKeySet, {sig})", "??", 0))
            out.append(self.f(f"at::_ops::{op}::call({sig})", "??", 0))
        if kind == "bwd":
            out.append(self.f(f"torch::autograd::generated::{op.title().replace('_','')}Backward0::apply(std::vector<at::Tensor>&&)", "Functions.cpp", 0))
            out.append(self.f("torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&, torch::autograd::Node*)", "engine.cpp", 0))
            out.append(self.f("torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)", "engine.cpp", 0))
        while len(out) < depth - 2:
            out.append(self.f(*rng.choice(self.pool)))
        out.append(self.f("train", "/workspace/project/train/loop.py", 214))
        out.append(self.f("<module>", "/workspace/project/train.py", 31))
        return out

# ---------------------------------------------------------------- allocator model
class Block:
    __slots__ = ("seg", "addr", "size", "req", "state", "prev", "next", "ctx", "stream", "small", "events")
    def __init__(s, seg, addr, size, stream, small):
        s.seg, s.addr, s.size, s.stream, s.small = seg, addr, size, stream, small
        s.req = 0; s.state = "inactive"; s.prev = s.next = None; s.ctx = None; s.events = 0

class Seg:
    __slots__ = ("addr", "size", "stream", "small", "first", "ctx", "expandable")

class OOM(Exception): pass

class Alloc:
    def __init__(s, rng, stacks, capacity, expandable, non_torch=1600*MIB):
        s.rng, s.st, s.cap, s.expandable = rng, stacks, capacity - non_torch, expandable
        s.segs = {}; s.free = {}          # free: (small, stream) -> sorted list of (size, addr), and map
        s.byaddr = {}
        s.next_va = 0x7f2000000000; s.reserved = 0; s.allocated = 0; s.peak = 0
        s.trace = []; s.t = 1777365830342270; s.pending = []
        s.num_retries = 0; s.num_ooms = 0; s.exp = {}
    # trace
    def ev(s, action, addr, size, stream, ctx):
        s.t += s.rng.randrange(2, 60)
        e = {"action": action, ("device_free" if action == "oom" else "addr"): addr, "size": size, "stream": stream,
             "time_us": s.t, "compile_context": "".join(("N", "/", "A")), "user_metadata": "", "pool_id": (0, stream and 0), "frames": ctx}
        s.trace.append(e)
    def ctx(s, kind): return list(s.rng.choice(s.st.stacks[kind]))
    # free lists
    def _fl(s, small, stream): return s.free.setdefault((small, stream), [])
    def _put(s, b): bisect.insort(s._fl(b.small, b.stream), (b.size, b.addr))
    def _del(s, b):
        l = s._fl(b.small, b.stream); i = bisect.bisect_left(l, (b.size, b.addr)); assert l[i] == (b.size, b.addr); l.pop(i)
    @staticmethod
    def round(n): return max(MIN_BLOCK, (n + MIN_BLOCK - 1) // MIN_BLOCK * MIN_BLOCK)
    def seg_size(s, n): return SMALL_BUF if n <= SMALL else LARGE_BUF if n < MIN_LARGE else (n + ROUND_LARGE - 1)//ROUND_LARGE*ROUND_LARGE
    def malloc(s, req, stream, kind):
        if s.pending: s.process_events()
        ctx = s.ctx(kind); n = s.round(req); small = n <= SMALL
        b = s._find(n, small, stream)
        if b is None:
            b = s._grow(n, small, stream, ctx)
            if b is None:                                   # retry path
                s.num_retries += 1; s.process_events(force=True); s.empty_cache()
                b = s._find(n, small, stream) or s._grow(n, small, stream, ctx)
                if b is None:
                    s.num_ooms += 1
                    s.ev("oom", s.cap - s.reserved, n, stream, ctx); raise OOM(n)
        rem = b.size - n
        if rem >= MIN_BLOCK if (small or s.expandable) else rem > SMALL:
            nb = Block(b.seg, b.addr + n, rem, stream, small); nb.prev, nb.next = b, b.next
            if b.next: b.next.prev = nb
            b.next = nb; b.size = n; s.byaddr[nb.addr] = nb; s._put(nb)
        b.req, b.state, b.ctx, b.events = req, "active_allocated", ctx, 0
        s.allocated += b.size; s.peak = max(s.peak, s.allocated)
        s.ev("alloc", b.addr, req, stream, ctx)                 # record_trace(ALLOC, ptr, orig_size)
        return b
    def _find(s, n, small, stream):
        l = s._fl(small, stream); i = bisect.bisect_left(l, (n, 0))
        if i == len(l): return None
        size, addr = l[i]
        if not small and not s.expandable and n < LARGE_BUF and size >= LARGE_BUF and False: return None
        l.pop(i); return s.byaddr[addr]
    def _grow(s, n, small, stream, ctx):
        if s.expandable:
            key = (small, stream); seg = s.exp.get(key)
            if seg is None:
                seg = Seg(); seg.addr, seg.size, seg.stream, seg.small, seg.ctx, seg.expandable = s.next_va, 0, stream, small, ctx, True
                s.next_va += 128*GIB; seg.first = None; s.exp[key] = seg; s.segs[seg.addr] = seg
            last = seg.first
            while last and last.next: last = last.next
            tail = last if last and last.state == "inactive" else None
            need = n - (tail.size if tail else 0)
            page = SMALL_BUF if small else LARGE_BUF
            mapped = (need + page - 1)//page*page
            if s.reserved + mapped > s.cap: return None
            base = seg.addr + seg.size
            s.ev("segment_map", base, mapped, stream, ctx); seg.size += mapped; s.reserved += mapped
            if tail: s._del(tail); tail.size += mapped; return tail
            b = Block(seg, base, mapped, stream, small); s.byaddr[base] = b
            if last: last.next = b; b.prev = last
            else: seg.first = b
            return b
        size = s.seg_size(n)
        if s.reserved + size > s.cap: return None
        seg = Seg(); seg.addr, seg.size, seg.stream, seg.small, seg.ctx, seg.expandable = s.next_va, size, stream, small, ctx, False
        s.next_va += size + s.rng.choice((0, 0, 2*MIB)); s.segs[seg.addr] = seg; s.reserved += size
        b = Block(seg, seg.addr, size, stream, small); seg.first = b; s.byaddr[b.addr] = b
        s.ev("segment_alloc", seg.addr, size, stream, ctx)
        return b
    def free_(s, b, other_stream=False):
        ctx = s.ctx("free")
        s.ev("free_requested", b.addr, b.req, b.stream, ctx)      # requested_size, as in CUDACachingAllocator.cpp
        if other_stream:
            b.state = "active_pending_free"; s.pending.append((len(s.trace) + s.rng.randrange(4, 120), b, ctx))
        else: s._complete(b, ctx)
    def process_events(s, force=False):
        keep = []
        for p in s.pending:
            if force or p[0] <= len(s.trace): s._complete(p[1], p[2])
            else: keep.append(p)
        s.pending = keep
    def _complete(s, b, ctx):
        s.ev("free_completed", b.addr, b.req, b.stream, ctx)
        s.allocated -= b.size; b.state = "inactive"; b.req = 0; b.ctx = None
        p, n = b.prev, b.next
        if p and p.state == "inactive":
            s._del(p); p.size += b.size; p.next = n
            if n: n.prev = p
            del s.byaddr[b.addr]; b = p
        if n and n.state == "inactive":
            s._del(n); b.size += n.size; b.next = n.next
            if n.next: n.next.prev = b
            del s.byaddr[n.addr]
        s._put(b)
    def empty_cache(s):
        for addr, seg in list(s.segs.items()):
            b = seg.first
            if seg.expandable or b is None: continue
            if b.state == "inactive" and b.next is None:
                s._del(b); del s.byaddr[b.addr]; del s.segs[addr]; s.reserved -= seg.size
                s.ev("segment_free", seg.addr, seg.size, seg.stream, s.ctx("free"))
    def snapshot(s, ring, settings, annotations):
        s.ev("snapshot", 0, 0, 0, s.ctx("init"))
        segs = []
        for seg in sorted(s.segs.values(), key=lambda x: x.addr):
            blocks, b, alloc, req, act = [], seg.first, 0, 0, 0
            while b:
                blocks.append({"address": b.addr, "size": b.size, "requested_size": b.req, "state": b.state, "frames": b.ctx if b.ctx is not None else []})
                if b.state == "active_allocated": alloc += b.size
                if b.state != "inactive": act += b.size; req += b.req
                b = b.next
            segs.append({"device": 0, "address": seg.addr, "total_size": seg.size, "allocated_size": alloc, "active_size": act,
                         "requested_size": req, "stream": seg.stream, "segment_type": "small" if seg.small else "large",
                         "segment_pool_id": (0, 0), "is_expandable": seg.expandable, "frames": seg.ctx, "blocks": blocks})
        tr = s.trace[-ring:] if ring else s.trace
        return {"segments": segs, "device_traces": [tr], "allocator_settings": settings, "external_annotations": annotations}

# ---------------------------------------------------------------- workload
def train(al, rng, n_events, oom_at_end, layers, hidden, batch, annotations):
    st = {"step": 0}
    def done(): return len(al.trace) >= n_events
    params, grads, opt = [], [], []
    psz = [12*hidden*hidden*2//12, 4*hidden*hidden*2//4, hidden*2, 8*hidden*hidden*2//8, hidden*4, 4*hidden*hidden*2//4]
    params.append(al.malloc(50304*hidden*2, 0, "init"))
    for _ in range(layers):
        for z in psz: params.append(al.malloc(z, 0, "init"))
    while not done() or oom_at_end:
        st["step"] += 1
        annotations.append({"stage": "START", "name": f"ProfilerStep#{st['step']}", "device": 0, "time_us": al.t})
        seq = rng.choice((512, 768, 1024, 1536, 2048))
        late = oom_at_end and len(al.trace) > n_events * 0.985 - 6000
        if late: st["grow"] = st.get("grow", 1) * 1.6              # the last steps: batch grows until OOM
        bs = int(batch * st.get("grow", 1))
        tok = bs * seq; acts, comm = [], []
        base = tok * hidden * 2
        # forward
        acts.append(al.malloc(base, 0, "fwd"))
        for L in range(layers):
            if rng.random() < .5:                                  # all-gather on a side stream, freed via record_stream
                comm.append(al.malloc(rng.choice((3, 4, 6))*hidden*hidden, 7, "comm"))
                if len(comm) > 3: al.free_(comm.pop(0), True)
            for mult, save, k in ((1, 1, .9), (3, 1, 1), (1, 0, 1), (0.05, 0, 1), (1, 1, 1), (0.02, 1, 1), (4, 1, 1), (4, 0, 1), (1, 0, 1), (0.001, 0, 1), (1, 1, 1), (0.0005, 1, 1)):
                if rng.random() > k: continue
                b = al.malloc(max(64, int(base*mult) + rng.choice((0, 0, 256, 4096))), 0, "fwd")
                if save: acts.append(b)
                else: al.free_(b)
            if done() and not oom_at_end: break
        lg = al.malloc(tok*50304//8, 0, "fwd"); acts.append(lg)
        # backward: reverse order, with temps and grads
        gi = 0
        while acts:
            a = acts.pop()
            t1 = al.malloc(a.req, 0, "bwd")
            if rng.random() < .4: al.free_(al.malloc(max(64, int(a.req*.5)), 0, "bwd"))
            if gi < len(params) - 1 and rng.random() < .8 and len(grads) < len(params):
                gi += 1; grads.append(al.malloc(params[-gi].req, 0, "bwd"))
            al.free_(a)
            al.free_(t1)
        for c in comm: al.free_(c, True)
        # optimizer
        if not opt:
            for p in params: opt.append(al.malloc(p.req*2, 0, "opt")); opt.append(al.malloc(p.req*2, 0, "opt"))
        for p in params[::4]:
            t = al.malloc(p.req*2, 0, "opt"); al.free_(t)
        if rng.random() < .8:
            for g in grads: al.free_(g)                            # zero_grad(set_to_none=True)
            grads = []
        annotations.append({"stage": "END", "name": f"ProfilerStep#{st['step']}", "device": 0, "time_us": al.t})
    return st["step"]

def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--events", type=int, required=True); ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--stacks", type=int, default=2000); ap.add_argument("--depth", type=int, default=20)
    ap.add_argument("--layers", type=int, default=32); ap.add_argument("--hidden", type=int, default=2048); ap.add_argument("--batch", type=int, default=12)
    ap.add_argument("--gib", type=float, default=80); ap.add_argument("--expandable", action="store_true")
    ap.add_argument("--no-oom", action="store_true"); ap.add_argument("--ring", type=int, default=0, help="keep only the last RING events")
    ap.add_argument("--protocol", type=int, default=4); ap.add_argument("--out", required=True)
    a = ap.parse_args()
    rng = random.Random(a.seed); t0 = time.time()
    stacks = Stacks(rng, a.stacks, a.depth)
    al = Alloc(rng, stacks, int(a.gib*GIB), a.expandable); ann = []
    steps = 0; oom = None
    try: steps = train(al, rng, a.events, not a.no_oom, a.layers, a.hidden, a.batch, ann)
    except OOM as e: oom = e.args[0]
    if a.ring == 0: al.trace = al.trace            # keep everything
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True" if a.expandable else "", "max_split_size": -1, "garbage_collection_threshold": 0.0,
                "expandable_segments": a.expandable, "pinned_num_register_threads": 1, "release_lock_on_cudamalloc": False,
                "pinned_use_cuda_host_register": False, "roundup_power2_divisions": {str(1 << i): 0 for i in range(16)},
                "trace_alloc_max_entries": a.ring or sys.maxsize, "trace_alloc_overflowed": bool(a.ring and a.ring < len(al.trace)), "graph_capture_record_stream_reuse": False}
    snap = al.snapshot(a.ring, settings, ann)
    t1 = time.time()
    with open(a.out, "wb") as f: pickle.dump(snap, f, protocol=a.protocol)
    t2 = time.time()
    from collections import Counter
    print(json.dumps({"out": a.out, "events": len(snap["device_traces"][0]), "bytes": os.path.getsize(a.out), "segments": len(snap["segments"]),
        "blocks": sum(len(s["blocks"]) for s in snap["segments"]), "distinct_frames": len(stacks.frames), "reserved_gib": round(al.reserved/GIB, 2),
        "allocated_gib": round(al.allocated/GIB, 2), "peak_gib": round(al.peak/GIB, 2), "retries": al.num_retries, "oom_request": oom, "steps": len(ann)//2 or steps,
        "actions": Counter(e["action"] for e in snap["device_traces"][0]), "mean_frames": round(sum(len(e["frames"]) for e in snap["device_traces"][0][:5000])/min(5000, len(snap["device_traces"][0])), 1),
        "sim_s": round(t1-t0, 1), "dump_s": round(t2-t1, 1)}))

if __name__ == "__main__": main()
