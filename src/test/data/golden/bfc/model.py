#!/usr/bin/env python3
"""Independent model of BFC + fake device, written to check that README.md is complete.
usage: model.py CASE_DIR...   compares its own output with expected.jsonl, field by field."""
import bisect, gzip, io, json, os, struct, subprocess, sys

def open_text(path):
    """Opens a file that may be stored compressed as .gz or .zst."""
    if os.path.exists(path): return open(path)
    if os.path.exists(path + '.gz'): return gzip.open(path + '.gz', 'rt')
    return io.StringIO(subprocess.run(['zstd', '-dcq', path + '.zst'], check=True, stdout=subprocess.PIPE, text=True).stdout)

INV = -1
NEXT = os.environ.get('NEXT') == '1'   # 1: models openxla/xla 00df9eef, which is newer than the release of the cases, d3e6dd7a
def f32(x): return struct.unpack('f', struct.pack('f', x))[0]
def num(s):
    m = {'K': 10, 'M': 20, 'G': 30, 'T': 40}.get(s[-1])
    return int(s[:-1], 0) << m if m else int(s, 0)
def up(v, a): return (v + a - 1) // a * a
def hr(n):
    sg = '-' if n < 0 else ''; n = abs(n)
    if n < 1024: return f'{sg}{n}B'
    u = 0
    while n >= 1 << 20: n //= 1024; u += 1
    return f'{sg}%.{1 if u == 0 else 2}f%siB' % (n / 1024.0, 'KMGTPE'[u])
class Dev:
    def __init__(s, c):
        g = lambda k: num(c['device.' + k])
        s.base, s.cap, s.gran, s.align, s.gap, s.maxb = g('base'), g('capacity'), g('granularity'), g('align'), g('gap'), g('max_block')
        s.coalesce, s.honor, s.pl = c['device.coalesce'] == '1', c['device.honor_alignment'] == '1', c['device.placement']
        s.fail = {num(x) for x in c['device.fail_calls'].split(',') if x}
        s.up, s.down, s.live = s.base, s.base + (1 << 40), {}
        s.calls = s.failures = s.frees = s.in_use = s.peak = 0; s.att = []; s.fl = []
    def alloc(s, alignment, n):
        s.calls += 1; sz = up(n, s.gran)
        if n == 0 or s.calls in s.fail or (s.maxb and sz > s.maxb) or s.in_use + sz > s.cap:
            s.failures += 1; s.att.append([n, 0, -1]); return None, 0
        a = max(s.align, alignment) if s.honor else s.align
        if s.pl == 'bump': ad = up(s.up, a); s.up = ad + sz + s.gap
        elif s.pl == 'down': ad = (s.down - sz) // a * a; s.down = ad - s.gap
        else:
            ad = up(s.base, a)
            for b in sorted(s.live):
                if ad + sz + s.gap <= b: break
                ad = max(ad, up(b + s.live[b] + s.gap, a))
        s.live[ad] = sz; s.in_use += sz; s.peak = max(s.peak, s.in_use); s.att.append([n, sz, ad - s.base]); return ad, sz
    def free(s, p, n):
        s.frees += 1
        for b in [b for b in s.live if p <= b < p + n]: del s.live[b]
        s.in_use -= n; s.fl.append([p - s.base, n])
class Chunk:
    __slots__ = 'size req aid ptr prev next bin freed tag ann'.split()
    def __init__(c): c.size = c.req = 0; c.aid = -1; c.ptr = 0; c.prev = c.next = INV; c.bin = -1; c.freed = 0; c.tag = 'central_gap'; c.ann = None
class OOM(Exception): pass
class Bfc:
    def __init__(s, c):
        s.limit = num(c['memory_limit']); s.name = c['name']; s.growth = c['allow_growth'] == '1'; s.gc = c['garbage_collection'] == '1'
        s.retry = c['allow_retry_on_failure'] == '1'; ff = float(c['fragmentation_fraction']); s.spatial = c['enable_spatial_partitioning'] == '1'
        s.maxfrag = int(ff * s.limit) if ff > 0 else 128 << 20
        s.cur = up(min(s.limit, 2 << 20) if s.growth else s.limit, 256)
        s.dev = Dev(c); s.ch = []; s.unused = INV; s.naid = 1; s.regs = []  # [ptr,size,{ptr:h}]
        s.bins = [[] for _ in range(21)]; s.gap = INV; s.log = []; s.nlog = 0; s.op = ''; s.frames = []
        s.na = s.use = s.peak = s.largest = s.pool = s.ppool = 0
        s.counter = None; s.ts = []; s.frontier = 0; s.cnt = 0
    def binof(s, n): return min(20, max(n, 256).bit_length() - 9)
    def reg(s, p): return next(r for r in s.regs if p < r[0] + r[1])
    def key(s, h):
        c = s.ch[h]; return (c.size, ('central_gap', 'lower', 'upper').index(c.tag) if NEXT else 0, c.ptr, h)
    def insert(s, h):
        c = s.ch[h]
        if c.tag == 'central_gap': s.gap = h; return
        c.bin = s.binof(c.size); bisect.insort(s.bins[c.bin], s.key(h))
    def remove(s, h):
        c = s.ch[h]
        if c.tag == 'central_gap' and c.bin == -1: s.gap = INV; return
        b = s.bins[c.bin]; i = bisect.bisect_left(b, s.key(h)); assert b[i][3] == h; del b[i]; c.bin = -1
    def newchunk(s):
        if s.unused != INV: h = s.unused; s.unused = s.ch[h].next; return h
        s.ch.append(Chunk()); return len(s.ch) - 1
    def delete(s, h):
        c = s.ch[h]; del s.reg(c.ptr)[2][c.ptr]; c.aid = -1; c.bin = -1; c.ann = None; c.next = s.unused; s.unused = h
    def split(s, h, n):
        k = s.newchunk(); c = s.ch[h]; d = s.ch[k]; d.ptr = c.ptr + n; s.reg(d.ptr)[2][d.ptr] = k
        d.size = c.size - n; c.size = n; d.aid = -1; d.freed = c.freed; d.tag = c.tag; d.ann = None
        d.prev = h; d.next = c.next; c.next = k
        if d.next != INV: s.ch[d.next].prev = k
        s.insert(k)
    def merge(s, a, b):
        x, y = s.ch[a], s.ch[b]; x.next = y.next
        if y.next != INV: s.ch[y.next].prev = a
        x.size += y.size; x.tag = x.tag if x.tag == y.tag else 'central_gap'; x.freed = max(x.freed, y.freed); s.delete(b)
    def coalesce(s, h, ignore=False):
        c = s.ch[h]
        if not ignore and c.freed > 0: return h
        r = h; n = c.next
        if n != INV and s.ch[n].aid == -1 and (s.ch[n].freed == 0 or ignore): s.remove(n); s.merge(h, n)
        p = c.prev
        if p != INV and s.ch[p].aid == -1 and (s.ch[p].freed == 0 or ignore): r = p; s.remove(p); s.merge(p, h)
        return r
    def extend(s, al, n):
        av = ((s.limit - s.pool) % (1 << 64)) // 256 * 256
        if n > av: return False
        inc = False
        while n > s.cur: s.cur *= 2; inc = True
        b = min(s.cur, av); p, got = s.dev.alloc(al, b)
        while p is None:
            k = up(int(f32(f32(b) * f32(0.9))), 256)
            if k >= b: k = b - 256
            b = k
            if b < n: return False
            p, got = s.dev.alloc(al, b)
        if not inc: s.cur *= 2
        s.pool += got; s.ppool = max(s.ppool, s.pool)
        i = next((i for i, r in enumerate(s.regs) if p < r[0] + r[1]), len(s.regs)); ext = None
        if s.dev.coalesce and i > 0 and sum(s.regs[i - 1][:2]) == p: ext = s.regs[i - 1]; ext[1] += got
        else: s.regs.insert(i, [p, got, {}])
        h = s.newchunk(); c = s.ch[h]; c.ptr = p; c.size = got; c.aid = -1; c.prev = c.next = INV; c.freed = 0; c.tag = 'central_gap' if s.spatial else 'lower'; c.ann = None
        s.reg(p)[2][p] = h
        if ext:
            q = ext[2][ext[0]]
            while s.ch[q].next != INV: q = s.ch[q].next
            c.prev = q; s.ch[q].next = h
        s.insert(s.coalesce(h)); return True
    def fits(s, c, n, al, end):
        if end == 'upper':
            if c.size < n: return False
            return (c.ptr + c.size - n) // al * al >= c.ptr
        return c.size >= n + up(up(c.ptr, al) - c.ptr, 256)
    def find(s, n, req, al, fb, end):
        for b in range(s.binof(n), 21):
            for i in range(bisect.bisect_left(s.bins[b], (n,)), len(s.bins[b])):
                h = s.bins[b][i][3]; c = s.ch[h]
                if c.tag != end or (fb > 0 and fb < c.freed) or not s.fits(c, n, al, end): continue
                s.remove(h); return s.carve(h, n, req, al, end)
        if s.gap != INV:
            c = s.ch[s.gap]
            if not (fb > 0 and fb < c.freed) and s.fits(c, n, al, end): h = s.gap; s.remove(h); return s.carve(h, n, req, al, end)
        return None
    def carve(s, h, n, req, al, end):
        c = s.ch[h]
        exact = NEXT and c.tag == 'central_gap'
        should = lambda sz: sz >= 2 * n or sz - n >= s.maxfrag
        if end == 'upper':
            st = (c.ptr + c.size - n) // al * al
            if NEXT and not exact:
                pad = up(up(c.ptr, al) - c.ptr, 256)
                if not should(c.size - pad): st = c.ptr + pad
            pre = st - c.ptr
            if pre > 0: s.split(h, pre); k = c.next; s.remove(k); s.insert(h); h = k; c = s.ch[h]
            c.tag = 'upper'
            if (should(c.size) if NEXT and not exact else c.size > n): s.split(h, n)
        else:
            pad = up(up(c.ptr, al) - c.ptr, 256)
            if pad > 0: s.split(h, pad); k = c.next; s.remove(k); c.tag = 'lower'; s.insert(h); h = k; c = s.ch[h]
            if (c.size > n if exact else should(c.size)): s.split(h, n)
            c.tag = 'lower'
        c.req = req; c.aid = s.naid; s.naid += 1; c.ann = list(s.frames) or None
        s.na += 1; s.use += c.size; s.peak = max(s.peak, s.use); s.largest = max(s.largest, c.size); return c.ptr
    def attempt(s, al, req, dump, fb, end):
        if req == 0: return None
        n = up(req, 256); al = max(al, 256)
        if s.ts: s.merge_ts(0)
        p = s.find(n, req, al, fb, end)
        if p is None and s.extend(al, n): p = s.find(n, req, al, fb, end)
        if p is None and fb == 0 and s.ts and s.merge_ts(n): p = s.find(n, req, al, fb, end)
        if p is None and s.collect(n) and s.extend(al, n): p = s.find(n, req, al, fb, end)
        if p is None and dump:
            s.log.append(['W', f"Allocator ({s.name}) ran out of memory trying to allocate {hr(req)} (rounded to {n}) from the {end} end requested by op {s.op}\nIf this is caused by memory fragmentation, the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' may improve the situation.\nCurrent allocation summary follows."])
            s.dump(n, end); s.log.append(['W', s.occ()])
        return p
    def collect(s, n):
        if not s.gc: return False
        fr = [r for r in s.regs if all(s.ch[h].aid == -1 for h in r[2].values())]; t = sum(r[1] for r in fr)
        if t == 0 or n > (s.limit - s.pool + t) % (1 << 64): return False
        s.log.append(['W', "Garbage collection: deallocate free memory regions (i.e., allocations) so that we can re-allocate a larger region to avoid OOM due to memory fragmentation. If you see this message frequently, you are running near the threshold of the available device memory and re-allocation may incur great performance overhead. You may try smaller batch sizes to observe the performance impact. Set TF_ENABLE_GPU_GARBAGE_COLLECTION=false if you'd like to disable this feature."])
        for r in fr:
            h = r[2][r[0]]
            while h != INV: s.remove(h); d = h; h = s.ch[h].next; s.delete(d)
            s.dev.free(r[0], r[1]); s.pool -= r[1]; s.regs.remove(r)
        return True
    def malloc(s, al, req, retry, fb, end):
        if not s.retry or not retry:
            p = s.attempt(al, req, not s.retry and retry and s.nlog < 10, fb, end)
            if p is None and s.nlog < 10:
                s.nlog += 1
                s.log.append(['W', f"Allocator ({s.name}) ran out of memory trying to allocate {hr(req)} from the {end} end with freed_by_count={fb}." + ('' if retry else ' The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available.')])
            return p
        p = s.attempt(al, req, False, fb, end)
        if p is None and req: p = s.attempt(al, req, False, fb, end)
        if p is None and req: p = s.attempt(al, req, False, fb, end)
        if p is None and req: p = s.attempt(al, req, True, fb, end)
        return p
    def boundary(s, h):
        if not s.spatial: return
        c = s.ch[h]
        if c.tag == 'lower' and (c.next == INV or s.ch[c.next].tag != 'lower'): c.tag = 'central_gap'
        elif c.tag == 'upper' and (c.prev == INV or s.ch[c.prev].tag != 'upper'): c.tag = 'central_gap'
    def free(s, p):
        if p is None: return
        h = s.reg(p)[2][p]; c = s.ch[h]; c.aid = -1; c.ann = None
        if s.counter: s.cnt += 1; c.freed = s.cnt
        else: c.freed = 0
        if c.freed == 0: s.boundary(h)
        s.use -= c.size
        if s.counter: s.insert(h); s.ts.append(h)
        else: s.insert(s.coalesce(h))
    def merge_ts(s, need):
        sat = need == 0; to = []; new = []
        while s.ts:
            h = s.ts.pop(0); c = s.ch[h]; h = s.reg(c.ptr)[2].get(c.ptr, INV)
            if h == INV or c.aid != -1 or c.bin == -1: continue
            if c.freed == 0: to.append(c.ptr)
            elif c.freed < s.frontier: c.freed = 0; to.append(c.ptr)
            elif need > 0: to.append(c.ptr)
            else: new.append(h)
        s.ts = new
        for p in to:
            h = s.reg(p)[2].get(p, INV)
            if h == INV: continue
            if need == 0 or not sat:
                c = s.ch[h]; s.remove(h)
                if c.freed == 0 or need > 0: s.boundary(h)
                k = s.coalesce(h, need > 0); s.insert(k)
                if need > 0:
                    c = s.ch[k]
                    if k != h and c.freed > 0: s.ts.append(k)
                    if c.size >= need: sat = True
            else: s.ts.append(h)
        return sat
    def chunks(s, r):
        h = r[2][r[0]]
        while h != INV: yield h, s.ch[h]; h = s.ch[h].next
    def info(s):
        t = [[0] * 5 for _ in range(21)]  # use, bin, req, nuse, nbin
        for r in s.regs:
            for h, c in s.chunks(r):
                if c.aid == -1 and c.tag == 'central_gap' and c.bin == -1: continue
                x = t[s.binof(c.size)]; x[1] += c.size; x[4] += 1
                if c.aid != -1: x[0] += c.size; x[2] += c.req; x[3] += 1
        return t
    def largest_free(s, end=None):
        for b in reversed(s.bins):
            for k in reversed(b):
                if end is None or s.ch[k[3]].tag == end: return k[0]
        return 0
    def dbg(s, c, rec):
        t = f'  Size: {hr(c.size)} | Requested Size: {hr(c.req)} | in_use: {int(c.aid != -1)} | bin_num: {c.bin}'
        if rec and c.prev != INV: t += ', prev: ' + s.dbg(s.ch[c.prev], False)
        if rec and c.next != INV: t += ', next: ' + s.dbg(s.ch[c.next], False)
        return t
    def statstext(s, lf):
        return ''.join(f'{k:<{w}}{v:>20}\n' for k, w, v in (('Limit:', 18, hr(s.limit)), ('InUse:', 18, hr(s.use)), ('MaxInUse:', 18, hr(s.peak)), ('NumAllocs:', 18, str(s.na)), ('MaxAllocSize:', 18, hr(s.largest)), ('Reserved:', 18, '0B'), ('PeakReserved:', 18, '0B'), ('PeakAllocated:', 22, hr(s.peak) if NEXT else '0B'), ('LargestFreeBlock:', 18, hr(lf))))
    def lf(s): return max(s.largest_free(), s.ch[s.gap].size if s.gap != INV else 0)
    def dump(s, n, end):
        I = lambda t: s.log.append(['I', t])
        I(f'BFCAllocator dump for {s.name}')
        for b, x in enumerate(s.info()):
            I(f'Bin ({256 << b}): \tTotal Chunks: {x[4]}, Chunks in use: {x[3]}. {hr(x[1])} allocated for chunks. {hr(x[0])} in use in bin. {hr(x[2])} client-requested in use in bin.')
        b = s.binof(n); I(f'Bin for {hr(n)} was {hr(256 << b)}, Chunk State: ')
        for k in s.bins[b]: I(s.dbg(s.ch[k[3]], True))
        by = {}
        for r in s.regs:
            I(f'Next region of size {r[1]}')
            for h, c in s.chunks(r):
                t = f"{'InUse' if c.aid != -1 else 'Free '} at {c.ptr:x} of size {c.size} tag {c.tag}"
                if c.aid != -1:
                    by[c.size] = by.get(c.size, 0) + 1
                    if c.ann: t += ' allocation_annotation ' + ' / '.join(f + ('{' + ', '.join(a) + '}' if a else '') for f, a in c.ann)
                t += f' next {c.next % (1 << 64)}'
                if s.counter is not None: t += f' freed_at_count {c.freed}'
                I(t)
        I('     Summary of in-use Chunks by size: '); tot = 0
        for z in sorted(by): I(f'{by[z]} Chunks of size {z} totalling {hr(z * by[z])}'); tot += z * by[z]
        g = s.ch[s.gap].size if s.gap != INV else 0; lb = s.largest_free(); lc = s.largest_free(end)
        i64 = lambda v: (v + (1 << 63)) % (1 << 64) - (1 << 63)
        I(f'Sum Total of in-use chunks: {hr(tot)}')
        I(f'Allocator memory summary: rounded request {hr(n)}, total free in pool {hr(s.pool - s.use)}, largest free chunk usable by {end} end {hr(max(lc, g))}, unallocated bytes {hr(i64(s.limit - s.pool))}, pool size {hr(s.pool)}, pool limit {hr(s.limit)}')
        if s.gap != INV: I(f'Spatial partitioning summary for {end} end: central gap {hr(g)}, largest same-end binned free chunk {hr(lc)}, largest binned free chunk from any end {hr(lb)}. The central gap is shared by lower/upper allocations and is not inserted into a bin.')
        I(f'Allocator region growth hint: next region allocation target {hr(s.cur)}' + (' (growth enabled).' if s.growth else ' (growth disabled; fixed-size pool; not an attempted allocation).'))
        I('Stats: \n' + s.statstext(max(lb, g)))
    def occ(s):
        T = sum(r[1] for r in s.regs)
        if T == 0: return '<allocator contains no memory>'
        o = ['_'] * 100; off = 0
        def paint(a, n, ch):
            for i in range(a * 100 // T, (a + n - 1) * 100 // T + 1): o[i] = ch
        for r in s.regs:
            for h, c in s.chunks(r):
                if c.aid != -1:
                    w = c.size - c.req; a = c.ptr - r[0] + off
                    if w > 0: paint(a + c.req, w, 'x')
                    paint(a, c.req, '*')
            off += r[1]
        return ''.join(o)
    def frag(s):
        a = s.pool - s.use
        return None if a == 0 else (a - s.lf()) / a
def vint(n):
    n %= 1 << 64; o = b''
    while n > 127: o += bytes([n & 127 | 128]); n >>= 7
    return o + bytes([n])
def fld(i, v): return vint(i << 3) + vint(v) if v else b''
def ld(i, b): return vint(i << 3 | 2) + vint(len(b)) + b
def run(d):
    cfg = dict(l.rstrip('\n').split('=', 1) for l in open(d + '/config.txt') if '=' in l); a = Bfc(cfg); dv = a.dev; live = {}; out = []
    for ln, line in enumerate(open_text(d + '/trace.txt'), 1):
        t = line.split('#')[0].split()
        if not t: continue
        op = t[0]; o = {'i': ln, 'op': op}
        if op == 'malloc':
            al, retry, fb, end = 64, True, 0, 'lower'
            for x in t[3:]:
                if '=' not in x: al = num(x); continue
                k, v = x.split('=')
                if k == 'retry': retry = v == '1'
                elif k == 'end': end = v
                elif k == 'freed_by': fb = num(v)
                elif k == 'align': al = num(v)
            p = a.malloc(al, num(t[2]), retry, fb, end); live[t[1]] = p; o['id'] = t[1]; o['addr'] = None if p is None else p - dv.base
            if p is not None: c = a.ch[a.reg(p)[2][p]]; o['size'] = c.size; o['aid'] = c.aid
        elif op == 'free':
            p = live.pop(t[1]); a.free(p); o['id'] = t[1]
            if p is None: o['null'] = True
        elif op == 'stats':
            o.update(num_allocs=a.na, bytes_in_use=a.use, peak_bytes_in_use=a.peak, largest_alloc_size=a.largest, bytes_limit=a.limit, bytes_reserved=0, peak_bytes_reserved=0, peak_allocated_bytes=a.peak if NEXT else 0, bytes_reservable_limit=None, largest_free_block_bytes=a.lf(), pool_bytes=a.pool, peak_pool_bytes=a.ppool, fragmentation=a.frag(), regions=len(a.regs), next_region_bytes=a.cur, max_internal_fragmentation_bytes=a.maxfrag)
        elif op == 'statstext': o['text'] = a.statstext(a.lf())
        elif op == 'occupancy': o['text'] = a.occ()
        elif op == 'dump': a.dump(num(t[1]), t[2] if len(t) > 2 else 'lower')
        elif op == 'clearstats': a.na = 0; a.peak = a.use; a.largest = 0; o['ok'] = True
        elif op == 'device':
            o.update(calls=dv.calls, failures=dv.failures, frees=dv.frees, in_use=dv.in_use, peak=dv.peak, live=len(dv.live), attempts=dv.att, freed=dv.fl); dv.att = []; dv.fl = []
        elif op == 'capacity': dv.cap = num(t[1])
        elif op == 'maxblock': dv.maxb = num(t[1])
        elif op == 'opname': a.op = '' if t[1] == '-' else t[1]
        elif op == 'scope':
            if t[1] == 'push': a.frames.append((t[2], t[3:]))
            else: a.frames.pop()
        elif op == 'counter': a.counter = t[1] == 'on' or None
        elif op == 'frontier': a.frontier = max(a.frontier, num(t[1])); o['counter'] = a.cnt
        elif op == 'snapshot':
            o['regions'] = []
            for r in a.regs:
                cs = []
                for h, c in a.chunks(r):
                    j = dict(h=h, ptr=c.ptr - dv.base, size=c.size, req=c.req, aid=c.aid, bin=c.bin, in_use=c.aid != -1, prev=c.prev, next=c.next, tag=c.tag, freed_at=c.freed)
                    if c.ann: j['frames'] = [f for f, _ in c.ann]
                    cs.append(j)
                o['regions'].append(dict(ptr=r[0] - dv.base, size=r[1], chunks=cs))
            o['bins'] = [dict(bin=b, bin_size=256 << b, bytes_in_use=x[0], bytes_in_bin=x[1], requested_bytes_in_use=x[2], chunks_in_use=x[3], chunks_in_bin=x[4], free=[k[3] for k in a.bins[b]]) for b, x in enumerate(a.info()) if x[4]]
            o.update(central_gap=a.gap, chunk_slots=len(a.ch), unused_head=a.unused, next_aid=a.naid)
        elif op == 'memmap':
            x = a.info(); fr = a.frag(); f4 = struct.pack('<I', 0xffc00000) if fr is None else struct.pack('<f', fr)
            o['allocator_name'] = a.name
            o['stats'] = dict(num_allocs=a.na, bytes_in_use=a.use, peak_bytes_in_use=a.peak, largest_alloc_size=a.largest, fragmentation_metric=None if fr is None else float('%.9g' % f32(fr)))
            o['bin_summary'] = [[b, v[0], v[1], v[3], v[4]] for b, v in enumerate(x)]
            cs = [c for r in a.regs for h, c in a.chunks(r)]; fz = lambda c: (0 if c.aid != -1 else c.freed) if a.counter else 0
            o['chunk'] = [[c.ptr - dv.base, c.size, c.req, c.bin, c.aid != -1, fz(c)] for c in cs]
            pb = ld(1, a.name.encode())
            for b in o['bin_summary']: pb += ld(2, b''.join(fld(i + 1, v) for i, v in enumerate(b)))
            for c in cs: pb += ld(3, fld(1, c.ptr) + fld(2, c.size) + fld(3, c.req) + fld(4, c.bin) + fld(6, fz(c)) + fld(8, int(c.aid != -1)))
            st = fld(1, a.na) + fld(2, a.use) + fld(3, a.peak) + fld(4, a.largest) + (vint(5 << 3 | 5) + f4 if f4 != b'\0\0\0\0' else b'')
            o['proto_hex'] = (pb + ld(5, st)).hex()
        if a.log:
            if cfg['log'] == 'full': o['log'] = a.log
            elif cfg['log'] == 'hash':
                v = 14695981039346656037
                for sv, tx in a.log:
                    for ch in (sv + ' ' + tx + '\n').encode(): v = (v ^ ch) * 1099511628211 % (1 << 64)
                o['log_n'] = len(a.log); o['log_fnv'] = '%016x' % v
            a.log = []
        yield o
def main():
    bad = 0
    for d in sys.argv[1:]:
        d = d.rstrip('/')
        if not os.path.exists(d + '/config.txt'): continue
        f = open_text(d + '/expected.jsonl'); n = 0; ok = True
        for got, l in zip(run(d), f):
            e = json.loads(l); n += 1
            if got != e:
                ok = False; print('DIFF', d, 'line', e['i'], e['op'])
                for k in e:
                    if got.get(k) != e[k]:
                        g, x = json.dumps(got.get(k)), json.dumps(e[k]); i = next((i for i, (u, v) in enumerate(zip(g, x)) if u != v), 0)
                        print('  ', k, '\n    model  ', g[max(0, i - 80):i + 120], '\n    oracle ', x[max(0, i - 80):i + 120])
                break
        if ok and f.readline(): ok = False; print('SHORT', d)
        bad += not ok
    print('cases', len(sys.argv) - 1, 'bad', bad)
main()
