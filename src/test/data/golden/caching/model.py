#!/usr/bin/env python3
"""Independent executable specification of the fake device + allocator policy (native backend, torch 2.14.1).
Replays golden traces and compares with expected.jsonl. Not covered: stream capture, config error texts,
uncached mode, release_lock. usage: model.py [case...]"""
import sys, os, io, json, gzip, bisect, math, re, subprocess

def open_text(path):
    """Opens a file that may be stored compressed as .gz or .zst."""
    if os.path.exists(path): return open(path)
    if os.path.exists(path + '.gz'): return gzip.open(path + '.gz', 'rt')
    return io.StringIO(subprocess.run(['zstd', '-dcq', path + '.zst'], check=True, stdout=subprocess.PIPE, text=True).stdout)

MiB = 1 << 20; MAX = (1 << 64) - 1
KS, KMIN, KSMALL, KLARGEMIN, KROUND = 2 * MiB, 512, MiB, 10 * MiB, 2 * MiB
VMM = 0x100000000000  # relative

class VA:
    def __init__(s, base, size): s.f = [[base, size]]
    def take(s, n):
        for i, (a, z) in enumerate(s.f):
            if z >= n:
                if z == n: s.f.pop(i)
                else: s.f[i] = [a + n, z - n]
                return a
    def give(s, a, n):
        i = bisect.bisect_left(s.f, [a, 0])
        if i < len(s.f) and a + n == s.f[i][0]: n += s.f[i][1]; s.f.pop(i)
        if i and sum(s.f[i - 1]) == a: s.f[i - 1][1] += n
        else: s.f.insert(i, [a, n])

class Dev:
    def __init__(s, cap, gran=2 * MiB):
        s.cap, s.gran, s.used, s.ext = cap, gran, 0, 0
        s.m = VA(0, VMM); s.v = VA(VMM, 1 << 46); s.sz = {}
        s.enq = {}; s.done = {}
        s.c = dict.fromkeys(['cudaMalloc', 'cudaFree', 'cuMemCreate', 'cuMemRelease', 'cuMemMap', 'cuMemUnmap', 'cuMemAddressReserve', 'cuMemAddressFree', 'cudaEventRecord', 'cudaEventQuery', 'cudaEventSynchronize'], 0)
    def up(s, n): return -(-n // s.gran) * s.gran
    def fits(s, n): return s.used + s.ext + n <= s.cap
    def free(s): return max(0, s.cap - s.used - s.ext)
    def malloc(s, n):
        r = s.up(n)
        if not s.fits(r): return None
        a = s.m.take(r); s.used += r; s.sz[a] = r; s.c['cudaMalloc'] += 1; return a
    def mfree(s, a): r = s.sz.pop(a); s.used -= r; s.m.give(a, r); s.c['cudaFree'] += 1
    def record(s, st): s.enq[st] = s.enq.get(st, 0) + 1; s.c['cudaEventRecord'] += 1; return (st, s.enq[st])
    def query(s, e): s.c['cudaEventQuery'] += 1; return s.done.get(e[0], 0) >= e[1]
    def esync(s, e): s.c['cudaEventSynchronize'] += 1; s.done[e[0]] = max(s.done.get(e[0], 0), e[1])
    def ssync(s, st): s.done[st] = s.enq.get(st, 0)

class SSet:  # ordered set
    def __init__(s, key): s.k = key; s.a = []
    def add(s, b): bisect.insort(s.a, (s.k(b), b))
    def rm(s, b): i = bisect.bisect_left(s.a, (s.k(b),)); assert s.a[i][1] is b; s.a.pop(i)
    def lb(s, key): return bisect.bisect_left(s.a, (key,))
    def __len__(s): return len(s.a)
    def blocks(s): return [b for _, b in s.a]
class Pool:
    def __init__(s, small, priv=None):
        s.small = small; s.priv = priv; s.gc = 0
        s.b = SSet(lambda b: (b.stream, b.size, b.reg, b.ptr)); s.un = SSet(lambda b: (b.stream, b.ptr))
    def ins(s, b): b.gcb = s.gc; s.b.add(b)
    def id(s): return s.priv.id if s.priv else (0, 0)
class Priv:
    def __init__(s, i): s.id = i; s.use = 1; s.cm = 0; s.large = Pool(False, s); s.smallp = Pool(True, s)
class Seg:  # expandable segment
    def __init__(s, d, st, ss):
        s.d, s.st, s.ss = d, st, ss; s.n = -(-(d.cap + d.cap // 8) // ss); s.mapped = 0; s.h = set()
        d.c['cuMemAddressReserve'] += 1; s.rs = d.up(ss * s.n); s.ptr = d.v.take(s.rs)
    def size(s): return s.n * s.ss
    def map(s, p, n):
        b = (p - s.ptr) // s.ss; e = -(-(p + n - s.ptr) // s.ss); done = 0
        for i in range(b, e):
            if s.ss % s.d.gran: raise RuntimeError('CUDA driver error: invalid argument')
            if not s.d.fits(s.ss):
                s.d.used -= done * s.ss; s.d.c['cuMemRelease'] += done; return p, 0
            s.d.used += s.ss; s.d.c['cuMemCreate'] += 1; done += 1
        s.h.update(range(b, e)); s.d.c['cuMemMap'] += e - b; s.mapped += (e - b) * s.ss
        return s.ptr + b * s.ss, (e - b) * s.ss
    def unmap(s, p, n):
        b = -(-(p - s.ptr) // s.ss); e = (p + n - s.ptr) // s.ss
        if b >= e: return p, 0
        s._un(range(b, e)); s.mapped -= (e - b) * s.ss
        return s.ptr + b * s.ss, (e - b) * s.ss
    def _un(s, r):
        s.d.ssync(s.st)
        for i in r: s.h.discard(i); s.d.used -= s.ss; s.d.c['cuMemUnmap'] += 1; s.d.c['cuMemRelease'] += 1
    def destroy(s):
        if s.h: s._un(list(s.h))
        s.d.v.give(s.ptr, s.rs); s.d.c['cuMemAddressFree'] += 1
class Block:
    __slots__ = 'stream size req pool ptr alloc mapped prev next ev uses gcb seg reg'.split()
    def __init__(s, stream, size, pool, ptr, seg=None, reg=-1):
        s.stream, s.size, s.pool, s.ptr, s.seg, s.reg = stream, size, pool, ptr, seg, reg
        s.req = 0; s.alloc = False; s.mapped = True; s.prev = s.next = None; s.ev = 0; s.uses = []; s.gcb = 0
    def split(s): return s.prev is not None or s.next is not None
    def __lt__(s, o): return False

class Stat:
    def __init__(s): s.cur = s.peak = s.al = s.fr = 0
    def inc(s, n): s.cur += n; s.peak = max(s.peak, s.cur); s.al += n
    def dec(s, n): s.cur -= n; s.fr += n
    def j(s): return dict(current=s.cur, peak=s.peak, allocated=s.al, freed=s.fr)
ARR = ['allocation', 'segment', 'active', 'inactive_split', 'allocated_bytes', 'reserved_bytes', 'active_bytes', 'inactive_split_bytes', 'requested_bytes']
NUM = ['num_alloc_retries', 'num_ooms', 'num_sync_all_streams', 'num_device_alloc', 'num_device_free', 'num_oom_rejections']

def fmt(n):
    if n <= 1024: return '%d bytes' % n
    if n <= MiB: return '%.2f KiB' % (n / 1024.)
    if n <= 1 << 30: return '%.2f MiB' % (n / 1048576.)
    return '%.2f GiB' % (n / 1073741824.)

class Conf:
    def __init__(s): s.large = 20 * MiB; s.exp = False; s.reset(); s.ppf = 1.0; s.throw = False
    def reset(s): s.split = MAX; s.round = [0] * 16; s.gc = 0.0; s.nsr = s.large
    def parse(s, c):
        s.split = MAX; s.round = [0] * 16; s.gc = 0.0
        kv = re.findall(r'([^,:\[\]]+):(\[[^\]]*\]|[^,]*)', c.replace(' ', ''))
        for k, v in kv:
            if k == 'large_segment_size_mb': s.large = int(v) * MiB
        s.nsr = s.large
        for k, v in kv:
            if k == 'max_split_size_mb': s.split = int(v) * MiB
            elif k == 'max_non_split_rounding_mb': s.nsr = int(v) * MiB
            elif k == 'garbage_collection_threshold': s.gc = float(v)
            elif k == 'expandable_segments': s.exp = v == 'True'
            elif k == 'per_process_memory_fraction': s.ppf = float(v)
            elif k == 'throw_on_cudamalloc_oom': s.throw = v == 'True'
            elif k == 'roundup_power2_divisions':
                if v[0] == '[':
                    first = True; last = 0
                    for it in v[1:-1].split(','):
                        a, b = it.split(':'); b = int(b)
                        if a == '>': s.round[last + 1:] = [b] * (15 - last)
                        else:
                            i = min(15, int(a).bit_length() - 1)
                            if first: s.round[:i] = [b] * i; first = False
                            s.round[i] = b; last = i
                else: s.round = [int(v)] * 16

class OOM(Exception): pass

class Ring:  # c10/core/RingBuffer.h: shrinking keeps the old entries, writes then cycle over the first `max`
    def __init__(s): s.a = []; s.max = 1; s.nx = 0
    def add(s, e):
        if len(s.a) < s.max: s.a.append(e)
        else:
            s.a[s.nx] = e; s.nx += 1
            if s.nx == s.max: s.nx = 0
    def get(s): return s.a[s.nx:] + s.a[:s.nx]
    def clear(s): s.a = []; s.nx = 0


class Alloc:
    def __init__(s, dev, conf, nvml):
        s.d, s.c, s.nvml = dev, conf, nvml
        s.large = Pool(False); s.smallp = Pool(True); s.act = set(); s.pools = {}; s.freeable = {}; s.scopes = []; s.oomp = set(); s.nosplit = set()
        s.events = {}; s.total = 0; s.segs = []; s.reg = -1; s.on = False; s.hist = Ring(); s.ann = Ring(); s.skip = set(); s.meta = ''; s.tag = ''; s.cc = []
        s.st = {n: [Stat(), Stat(), Stat()] for n in ARR}; s.n = dict.fromkeys(NUM, 0); s.oa = Stat(); s.os = Stat(); s.rp = {}
        s.setfrac(conf.ppf); s.ms = conf.split; s.obs = []
    def setfrac(s, f):
        if not 0 <= f <= 1: raise RuntimeError('invalid fraction:%s. Please set within [0, 1].' % ('%g' % f))
        s.allowed = int(math.floor(f * s.d.cap + .5)) if f < 1 else None
    def both(s, name, pool, f, n):
        for i in (0, 1 if pool.small else 2): getattr(s.st[name][i], f)(n)
    def reserved(s, pool, f, n):
        s.both('reserved_bytes', pool, f, n)
        if pool.priv:
            a = s.rp.setdefault(pool.id(), [Stat(), Stat(), Stat()])
            for i in (0, 1 if pool.small else 2): getattr(a[i], f)(n)
    def tr(s, action, addr, size, stream, pid, meta=None):
        if not s.on or action in s.skip: return
        e = {'action': action, ('device_free' if action == 'oom' else 'addr'): addr, 'size': size, 'stream': stream, 'device': 0, 'pool_id': list(pid)}
        if s.cc: e['compile_context'] = s.cc[-1]
        m = (s.tag or s.meta) if meta is None else meta
        if m: e['user_metadata'] = m
        s.hist.add(e)
    # ---- sizes
    def rsize(s, n):
        if n < KMIN: return KMIN
        dv = s.c.round[min(15, max(0, n.bit_length() - 1 - 20))]
        if dv > 1 and n > KMIN * dv:
            if n & (n - 1) == 0: return n
            fl = 1 << (n.bit_length() - 1); q = fl >> (dv.bit_length() - 1)
            if q == 0: return fl << 1
            r = n & ~(q - 1); return n if r == n else r + q
        return -(-n // KMIN) * KMIN
    def asize(s, n): return KS if n <= KSMALL else s.c.large if n < KLARGEMIN else -(-n // KROUND) * KROUND
    def getpool(s, n, st):
        for pid, flt in reversed(s.scopes):
            if flt is None or flt == st: p = s.pools[pid]; return p.smallp if n <= KSMALL else p.large
        return s.smallp if n <= KSMALL else s.large
    def should_split(s, b, n, exp):
        if b.pool.id() in s.nosplit: return False
        rem = b.size - n
        return rem >= KMIN if (b.pool.small or exp) else (n < s.c.split and rem > KSMALL)
    # ---- search
    def get_free(s, pool, st, n, exp):
        if s.allowed is not None and s.c.gc > 0: pool.gc += 1
        a = pool.b.a; i = pool.b.lb((st, n))
        if i == len(a) or a[i][1].stream != st: return None
        if a[i][1].seg:
            if exp:
                es = lambda b: b.size + (b.next.size if b.next and not b.next.mapped else 0)
                j = i + 1
                while a[i][1].seg and j < len(a) and a[j][1].stream == st and es(a[j][1]) < es(a[i][1]): i = j; j += 1
            else:
                i += 1
                while i < len(a) and a[i][1].seg and a[i][1].stream == st: i += 1
                if i == len(a) or a[i][1].stream != st: return None
        b = a[i][1]; M = s.c.split
        if n < M and b.size >= M: return None
        if n >= M and b.size >= n + s.c.nsr: return None
        pool.b.rm(b); return b
    def gc(s):
        thr = int(s.c.gc * s.allowed)
        if s.total <= thr: return
        target = s.total - thr; got = 0; age = lambda b: s.large.gc - b.gcb
        fr = [b for b in s.large.b.blocks() if not b.split()]; tot = sum(map(age, fr)); cnt = len(fr)
        if not cnt: return
        freed = True
        while got < target and freed and cnt > 0:
            thrA = tot / cnt; freed = False
            for b in s.large.b.blocks():
                if not b.split() and not b.seg and age(b) >= thrA:
                    freed = True; got += b.size; tot -= age(b); cnt -= 1; s.release(b)
    def alloc_block(s, P, retry):
        pool, st, n, az, exp = P['pool'], P['stream'], P['size'], P['az'], P['exp']
        if retry: s.n['num_alloc_retries'] += 1
        if s.allowed is not None and s.total + az > s.allowed: return None
        if s.c.throw and s.total + az > int(s.c.ppf * s.d.cap): s.n['num_oom_rejections'] += 1; P['rej'] = True; return None
        if exp:
            b = s.try_exp(pool, st, n)
            if b and pool.priv: pool.priv.cm += 1
            return b
        p = s.d.malloc(az)
        if p is None: return None
        if pool.priv: pool.priv.cm += 1
        s.total += az; s.reg += 1
        b = Block(st, az, pool, p, None, s.reg)
        s.both('segment', pool, 'inc', 1); s.reserved(pool, 'inc', az)
        if az >= s.c.split: s.os.inc(1)
        s.n['num_device_alloc'] += 1; s.tr('segment_alloc', p, az, st, pool.id()); return b
    # ---- expandable
    def try_exp(s, pool, st, n):
        ok = lambda b: b is not None and not b.alloc and b.ev == 0 and not b.uses
        c = None; i = pool.un.lb((st,))
        while i < len(pool.un.a) and pool.un.a[i][1].stream == st:
            b = pool.un.a[i][1]
            if ok(b.prev): b = b.prev
            x, t = b, 0
            while t < n and ok(x): t += x.size; x = x.next
            if t >= n: c = b; break
            i += 1
        if c is None:
            g = Seg(s.d, st, KS if pool.small else s.c.large); s.segs.append(g); s.reg += 1
            c = Block(st, g.size(), pool, g.ptr, g, s.reg); c.mapped = False; pool.un.add(c)
        if not c.mapped and not s.map_block(c, min(c.size, n)): return None
        while c.size < n:
            r = n - c.size; nx = c.next
            if not s.map_block(nx, min(r, nx.size)): return None
            c = nx
        pool.b.rm(c); return c
    def map_block(s, b, n):
        p, m = b.seg.map(b.ptr, n)
        if m == 0: return False
        pool = b.pool; pool.un.rm(b); b.mapped = True
        if m < b.size:
            r = Block(b.stream, b.size - m, pool, b.ptr + m, b.seg, b.reg); r.mapped = False
            r.prev, r.next = b, b.next
            if b.next: b.next.prev = r
            b.next = r; pool.un.add(r); b.size = m
        s.merge(b, b.prev, pool); s.merge(b, b.next, pool); pool.ins(b)
        s.total += m; s.reserved(pool, 'inc', m); s.n['num_device_alloc'] += 1
        s.tr('segment_map', p, m, b.stream, pool.id()); return True
    def unmap_block(s, b):
        p, m = b.seg.unmap(b.ptr, b.size)
        if m == 0: return
        pool = b.pool; pool.b.rm(b); before = p - b.ptr
        if before:
            x = Block(b.stream, before, pool, b.ptr, b.seg, b.reg); x.prev, x.next = b.prev, b
            if b.prev: b.prev.next = x
            b.prev = x; pool.ins(x)
        after = b.size - before - m
        if after:
            x = Block(b.stream, after, pool, p + m, b.seg, b.reg); x.prev, x.next = b, b.next
            if b.next: b.next.prev = x
            b.next = x; pool.ins(x)
        b.ptr, b.size, b.mapped = p, m, False
        s.merge(b, b.prev, pool); s.merge(b, b.next, pool); pool.un.add(b)
        s.total -= m; s.reserved(pool, 'dec', m)
        if pool.priv:
            if pool.priv.cm <= 0: raise RuntimeError('cudaMalloc_count > 0')
            pool.priv.cm -= 1
        s.n['num_device_free'] += 1; s.tr('segment_unmap', p, m, b.stream, pool.id())
    # ---- malloc / free
    def malloc(s, orig, st):
        s.process_events()
        n = s.rsize(orig); pool = s.getpool(n, st); az = s.asize(n); exp = s.c.exp
        P = dict(pool=pool, stream=st, size=n, az=az, exp=exp, rej=False)
        b = s.get_free(pool, st, n, exp)
        if b is None:
            if s.allowed is not None and s.c.gc > 0: s.gc()
            b = s.alloc_block(P, False)
            if b is None and not P['rej']:
                b = s.fallback(P)
                if b is None and s.release_avail(P): b = s.alloc_block(P, False)
                if b is None: s.release_cached((0, 0)); b = s.alloc_block(P, True)
        if b is None:
            if P['rej']: raise OOM('CUDA out of memory. Allocation was preemptively rejected because it would exceed per_process_memory_fraction limit. Requested size: ' + fmt(orig))
            fr = s.d.free(); s.tr('oom', fr, n, st, P['pool'].id()); s.n['num_ooms'] += 1
            al, rs = s.st['allocated_bytes'][0].cur, s.st['reserved_bytes'][0].cur
            pv = sum(b.size for p in s.pools.values() for q in (p.large, p.smallp) for b in q.b.blocks())
            s.obs.append((az, s.allowed if s.allowed is not None else s.d.cap, fr))
            raise OOM('CUDA out of memory. Tried to allocate %s. GPU 0 has a total capacity of %s of which %s is free. %s%sOf the allocated memory %s is allocated by PyTorch, %sand %s is reserved by PyTorch but unallocated.%s' % (
                fmt(az), fmt(s.d.cap), fmt(fr), s.nvml, fmt(s.allowed) + ' allowed; ' if s.allowed is not None else '', fmt(al + pv),
                'with %s allocated in private pools (e.g., CUDA Graphs), ' % fmt(pv) if pv else '', fmt((rs - al - pv) & MAX),
                '' if s.c.exp else ' If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)'))
        pool = P['pool']
        return s.found(b, pool, st, n, orig, s.should_split(b, n, P['exp']))
    def fallback(s, P):
        if P['pool'].priv: return None
        for pid in list(s.oomp):
            s.pool_begin(pid, None); mp = s.getpool(P['size'], P['stream'])
            b = s.get_free(mp, P['stream'], P['size'], False)
            s.pool_end(pid); s.pool_release(pid)
            if b is not None: P['pool'] = mp; P['exp'] = False; return b
    def found(s, b, pool, st, n, orig, split):
        was = b.split()
        if split:
            r = b; b = Block(st, n, pool, r.ptr, r.seg, r.reg); b.prev = r.prev
            if b.prev: b.prev.next = b
            b.next = r; r.prev = b; r.ptr += n; r.size -= n; pool.ins(r)
            if was and not b.seg: s.both('inactive_split_bytes', pool, 'dec', n)
            elif not b.seg: s.both('inactive_split_bytes', pool, 'inc', r.size); s.both('inactive_split', pool, 'inc', 1)
        elif was and not b.seg: s.both('inactive_split_bytes', pool, 'dec', b.size); s.both('inactive_split', pool, 'dec', 1)
        b.alloc = True; b.req = orig; s.tr('alloc', b.ptr, orig, b.stream, pool.id()); s.act.add(b)
        for k, v in (('allocation', 1), ('allocated_bytes', b.size), ('active', 1), ('active_bytes', b.size), ('requested_bytes', orig)): s.both(k, pool, 'inc', v)
        if b.size >= s.c.split: s.oa.inc(1)
        return b
    def malloc_at(s, orig, st, addr):
        if addr % KMIN: raise RuntimeError('align')
        s.process_events(); n = s.rsize(orig); pool = s.getpool(n, st)
        c = next((b for b in pool.b.blocks() if b.stream == st and b.ptr <= addr and addr + n <= b.ptr + b.size), None)
        if c is None: raise RuntimeError('noaddr')
        s.tag = 'mallocWithAddress'; pool.b.rm(c); pre = None
        if addr > c.ptr: pre = s.found(c, pool, st, addr - c.ptr, addr - c.ptr, True); c = pre.next; pool.b.rm(c)
        r = s.found(c, pool, st, n, orig, s.should_split(c, n, s.c.exp))
        if pre: s.free(pre)
        s.tag = ''; return r
    def free(s, b):
        b.alloc = False; s.both('allocation', b.pool, 'dec', 1); s.both('allocated_bytes', b.pool, 'dec', b.size)
        s.tr('free_requested', b.ptr, b.req, b.stream, b.pool.id())
        if b.size >= s.c.split: s.oa.dec(1)
        if b.uses:
            u, b.uses = b.uses, []
            for st in u: b.ev += 1; s.events.setdefault(st, []).append((s.d.record(st), b))
        else: s.free_block(b)
    def free_block(s, b):
        s.tr('free_completed', b.ptr, b.req, b.stream, b.pool.id())
        osz, rq, pool = b.size, b.req, b.pool; nb = nsz = 0
        for m in (b.prev, b.next):
            z = s.merge(b, m, pool)
            if z: nb -= 1; nsz -= z
        s.act.discard(b); pool.ins(b)
        if b.split(): nb += 1; nsz += b.size
        if not b.seg:
            if nb: s.both('inactive_split', pool, 'inc' if nb > 0 else 'dec', abs(nb))
            if nsz: s.both('inactive_split_bytes', pool, 'inc' if nsz > 0 else 'dec', abs(nsz))
        for k, v in (('active', 1), ('active_bytes', osz), ('requested_bytes', rq)): s.both(k, pool, 'dec', v)
    def merge(s, d, x, pool):
        if x is None or x.alloc or x.ev > 0 or x.uses or d.mapped != x.mapped: return 0
        if d.prev is x:
            (pool.b if x.mapped else pool.un).rm(x)
            d.ptr = x.ptr; d.prev = x.prev
            if d.prev: d.prev.next = d
        else:
            (pool.b if x.mapped else pool.un).rm(x)
            d.next = x.next
            if d.next: d.next.prev = d
        d.size += x.size; return x.size
    def record_stream(s, b, st):
        if st != b.stream and st not in b.uses: b.uses.append(st)
    def process_events(s):
        for st in sorted(s.events):
            q = s.events[st]
            while q:
                if not s.d.query(q[0][0]): break
                b = q[0][1]; b.ev -= 1
                if b.ev == 0: s.free_block(b)
                q.pop(0)
            if not q: del s.events[st]
    def sync_events(s, priv=None):
        s.n['num_sync_all_streams'] += 1
        for st in sorted(s.events):
            keep = []
            for e, b in s.events[st]:
                if priv and b.pool.priv is not priv: keep.append((e, b)); continue
                s.d.esync(e); b.ev -= 1
                if b.ev == 0: s.free_block(b)
            if keep: s.events[st] = keep
            else: del s.events[st]
    # ---- release
    def release(s, b):
        s.n['num_device_free'] += 1; s.tr('segment_free', b.ptr, b.size, b.stream, b.pool.id())
        s.d.mfree(b.ptr); s.total -= b.size
        if b.pool.priv:
            if b.pool.priv.cm <= 0: raise RuntimeError('cudaMalloc_count > 0')
            b.pool.priv.cm -= 1
        s.both('segment', b.pool, 'dec', 1); s.reserved(b.pool, 'dec', b.size)
        if b.size >= s.c.split: s.os.dec(1)
        b.pool.b.rm(b)
    def release_blocks(s, pool):
        un = []
        for b in pool.b.blocks():
            if b.seg: un.append(b)
            elif not b.split(): s.release(b)
        for b in un:
            s.unmap_block(b)
            if not b.split(): s.segs.remove(b.seg); pool.un.rm(b); b.seg.destroy()
    def release_avail(s, P):
        M = s.c.split
        if M == MAX: return False
        pool, st = P['pool'], P['stream']; k = max(P['size'], M); a = pool.b.a; i = pool.b.lb((st, k))
        if i == len(a) or a[i][1].stream != st or a[i][1].seg:
            if i == 0: return False
            tot = 0; i -= 1
            while tot < k and a[i][1].size >= M and a[i][1].stream == st:
                cur = a[i][1]; first = i == 0
                if not cur.seg: tot += cur.size; s.release(cur)
                if first: break
                i -= 1
            return tot >= k
        s.release(a[i][1]); return True
    def release_cached(s, pid):
        if pid == (0, 0):
            s.sync_events(); s.release_blocks(s.large); s.release_blocks(s.smallp)
        for k in sorted(s.freeable, key=lambda k: (k[0] or k[1]) * 11400714819323198485 & MAX):  # fibonacci-hash order
            p = s.freeable[k]
            if pid != (0, 0):
                if k == pid: s.sync_events(p)
                else: continue
            s.release_blocks(p.smallp); s.release_blocks(p.large)
            if p.cm == 0: del s.pools[k]; del s.freeable[k]
    # ---- private pools
    def pool_create(s, pid):
        if pid in s.pools:
            if s.pools[pid].use <= 0: raise RuntimeError('use_count')
            s.pools[pid].use += 1
        else: s.pools[pid] = Priv(pid)
    def pool_begin(s, pid, flt):
        s.pool_create(pid)
        if any(p == pid for p, _ in s.scopes): raise RuntimeError('beginAllocateToPool: already recording to mempool_id')
        s.scopes.append((pid, flt))
    def pool_end(s, pid):
        for i, (p, _) in enumerate(s.scopes):
            if p == pid: s.scopes.pop(i); return
        raise RuntimeError('endAllocatePool: not currently recording to mempool_id')
    def pool_release(s, pid):
        p = s.pools[pid]; p.use -= 1
        if p.use < 0: raise RuntimeError('uc')
        if p.use == 0: s.freeable[pid] = p; s.nosplit.discard(pid)
    # ---- output
    def stats(s):
        o = {n: dict(zip(('all', 'small_pool', 'large_pool'), [x.j() for x in s.st[n]])) for n in ARR}
        o.update(s.n); o['oversize_allocations'] = s.oa.j(); o['oversize_segments'] = s.os.j()
        o['max_split_size'] = s.ms if s.ms < 1 << 63 else s.ms - (1 << 64)
        o['reserved_bytes_by_private_pools'] = {'(%d, %d)' % k: dict(zip(('all', 'small_pool', 'large_pool'), [x.j() for x in v])) for k, v in s.rp.items()}
        o['device_used'] = s.d.used; return o
    def snapshot(s, pid):
        if pid == (0, 0): bl = s.smallp.b.blocks() + s.large.b.blocks() + [b for p in s.pools.values() for q in (p.smallp, p.large) for b in q.b.blocks()] + list(s.act)
        elif pid in s.pools: p = s.pools[pid]; bl = [b for b in p.smallp.b.blocks() + p.large.b.blocks() + [x for x in s.act if x.pool.priv is p] if not b.prev]
        else: bl = []
        res = []; ta = 0
        for h in bl:
            if h.prev and h.prev.mapped: continue
            g = dict(address=h.ptr, total_size=0, stream=h.stream, segment_type='small' if h.pool.small else 'large', is_expandable=bool(h.seg), segment_pool_id=list(h.pool.id()), registration_counter=h.reg, allocated_size=0, active_size=0, requested_size=0, device=0, blocks=[])
            b = h
            while b is not None and b.mapped:
                a = b.alloc or b.ev > 0 or bool(b.uses)
                g['blocks'].append(dict(address=b.ptr, size=b.size, requested_size=b.req, state='active_allocated' if b.alloc else 'active_pending_free' if a else 'inactive'))
                g['total_size'] += b.size
                if b.alloc: g['allocated_size'] += b.size
                if a: g['active_size'] += b.size; g['requested_size'] += b.req
                b = b.next
            ta += g['active_size']; res.append(g)
        tr = s.hist.get() if s.on else None
        s.tr('snapshot', 0, ta, 0, pid)
        return sorted(res, key=lambda g: g['address']), tr

def replay(trace, env):
    import os as _o
    d = Dev(int(env.get('FAKE_GPU_BYTES', 16 << 30)), int(env.get('FAKE_GPU_GRANULARITY', 2 * MiB)))
    c = Conf(); cs = env.get('PYTORCH_CUDA_ALLOC_CONF', env.get('PYTORCH_ALLOC_CONF'))
    if cs is not None: c.parse(cs)
    nv = ''
    for p in filter(None, env.get('FAKE_NVML_PROCS', '').split(',')):
        pid, n = p.split(':'); nv += ('Including non-PyTorch memory, this process' if pid == 'self' else 'Process ' + pid) + ' has %s memory in use. ' % fmt(int(n))
    A = Alloc(d, c, nv); live = {}; out = []; null = object()
    for ln, l in enumerate(trace, 1):
        l = l.rstrip('\n')
        if l.startswith('#') or not l.strip(): continue
        w = l.split(); op = w[0]; o = lambda **k: out.append(dict(line=ln, op=op, **k))
        rest = lambda n: l.split(None, n)[n] if len(l.split(None, n)) > n else ''
        I = [int(x) for x in w[1:] if re.fullmatch(r'-?\d+', x)]
        try:
            if op == 'malloc':
                A.obs = []
                try:
                    b = A.malloc(I[1], I[2]) if I[1] else None
                    live[I[0]] = b; o(id=I[0], addr=b.ptr if b else -1)
                except OOM as e:
                    for az, t, f in A.obs: out.append(dict(line=ln, op='oom_observer', device=0, alloc_size=az, device_total=t, device_free=f))
                    o(id=I[0], error='OutOfMemoryError', message=str(e))
            elif op == 'malloc_at': b = A.malloc_at(I[1], I[2], I[3]); live[I[0]] = b; o(id=I[0], addr=b.ptr)
            elif op == 'free':
                b = live.pop(I[0], null)
                if b is not null and b is not None: A.free(b)
            elif op == 'record_stream':
                if live.get(I[0]): A.record_stream(live[I[0]], I[1])
            elif op == 'sync': d.ssync(I[0])
            elif op == 'advance': d.done[I[0]] = min(d.enq.get(I[0], 0), d.done.get(I[0], 0) + I[1])
            elif op == 'sync_all': [d.ssync(k) for k in d.enq]
            elif op == 'empty_cache': A.release_cached(tuple(I) if I else (0, 0))
            elif op == 'set_fraction': A.setfrac(float(w[1]))
            elif op == 'get_fraction': o(value=1 if A.allowed is None else A.allowed / d.cap)
            elif op == 'external': d.ext = I[0]
            elif op == 'stats': o(**A.stats())
            elif op in ('snapshot', 'snapshot_full'):
                g, t = A.snapshot(tuple(I) if I else (0, 0)); r = dict(line=ln, op='snapshot', segments=g)
                if t is not None:
                    r['device_traces'] = [t]
                    if A.ann.a: r['external_annotations'] = A.ann.get()
                out.append(r)
            elif op == 'record_history':
                A.on = w[1] == 'on'; mx = max(1, int(w[2]) if len(w) > 2 else MAX); clr = len(w) > 3 and int(w[3])
                A.ann.max = mx
                if not A.on or clr: A.ann.clear()
                sk = w[4:]; A.skip = set()
                for x in sk:
                    if x not in ('alloc', 'free_requested', 'free_completed', 'segment_alloc', 'segment_free', 'segment_map', 'segment_unmap', 'snapshot', 'oom', 'annotate'): raise RuntimeError('skip')
                    A.skip.add(x)
                A.hist.max = mx
                if not A.on or clr: A.hist.clear()
            elif op == 'reset_peak':
                for a in list(A.st.values()) + list(A.rp.values()) + [[A.oa, A.os]]:
                    for x in a: x.peak = x.cur
            elif op == 'reset_accumulated':
                for a in list(A.st.values()) + list(A.rp.values()) + [[A.oa, A.os]]:
                    for x in a: x.al = x.fr = 0
                for k in A.n: A.n[k] = 0
            elif op == 'set_config': c.parse(rest(1))
            elif op == 'pool_create': A.pool_create((I[0], I[1]))
            elif op == 'pool_begin': A.pool_begin((I[0], I[1]), I[2] if len(I) > 2 else None)
            elif op == 'pool_end': A.pool_end((I[0], I[1]))
            elif op == 'pool_release': A.pool_release((I[0], I[1]))
            elif op == 'pool_use_on_oom': (A.oomp.add if I[2] else A.oomp.discard)((I[0], I[1]))
            elif op == 'pool_no_split': A.nosplit.add((I[0], I[1]))
            elif op == 'pool_use_count': o(value=A.pools[(I[0], I[1])].use)
            elif op == 'metadata': A.meta = rest(1)
            elif op == 'annotate':
                b = live.get(I[0])
                if b: A.tr('annotate', b.ptr, b.req, b.stream, b.pool.id(), rest(2))
            elif op == 'external_annotation': A.on and A.ann.add({w[1]: rest(2)})
            elif op == 'compile_push': A.on and A.cc.append(rest(1))
            elif op == 'compile_pop': A.on and A.cc and A.cc.pop()
            elif op == 'cache_info':
                n = I[0] if I else 0; n = n or d.free()
                for q in [A.large, A.smallp] + [x for p in A.pools.values() for x in (p.large, p.smallp)]:
                    for b in q.b.blocks(): n = max(n, b.size)
                o(largest=n)
            elif op == 'base_alloc':
                b = live[I[0]]
                while b.prev: b = b.prev
                z = 0; h = b
                while h: z += h.size; h = h.next
                o(id=I[0], addr=b.ptr, size=z)
            elif op == 'mem_info': o(free=d.free(), total=d.cap)
            elif op == 'expandable_sizes': o(segments=[dict(stream=g.st, small=g.ss == KS, mapped=g.mapped) for g in A.segs if g.st])
            elif op == 'device_calls': o(**d.c)
            else: raise NotImplementedError(op)
        except RuntimeError as e: o(error='Error', message=str(e))
        except KeyError as e: o(error='Error', message='key')
    return out

def norm(j):
    j = dict(j); j.pop('allocator_settings', None)
    if 'error' in j and j['error'] != 'OutOfMemoryError': return (j['line'], j['op'], 'error')
    if 'device_traces' in j:  # order of free_completed across streams inside one process_events is a hash-map order
        t = j['device_traces'][0]; r = []; i = 0
        while i < len(t):
            k = i
            while k < len(t) and t[k]['action'] == 'free_completed': k += 1
            r += sorted(t[i:k], key=lambda e: (e['addr'], e['size'])) if k > i else [t[i]]; i = max(k, i + 1)
        j['device_traces'] = [r]
    return j
if __name__ == '__main__':
    root = os.path.dirname(os.path.abspath(__file__)); bad = ok = skip = 0
    for cname in (sys.argv[1:] or sorted(os.listdir(root))):
        dd = os.path.join(root, cname)
        if not os.path.isdir(dd): continue
        if cname.startswith(('capture_', 'config_keys', 'config_env_bad', 'config_env_unknown', 'no_caching', 'allocate_1eb')): skip += 1; continue
        env = dict(l.rstrip('\n').split('=', 1) for l in open(dd + '/config.txt') if l.strip())
        exp = [norm(json.loads(l)) for l in open_text(dd + '/expected.jsonl')]
        try: got = [norm(json.loads(json.dumps(x))) for x in replay(open_text(dd + '/trace.txt'), env)]
        except Exception as e:
            import traceback; traceback.print_exc(); print('EXC', cname, repr(e)); bad += 1; continue
        if exp == got: ok += 1
        else:
            bad += 1; k = next((i for i, (a, b) in enumerate(zip(exp, got)) if a != b), min(len(exp), len(got)))
            a = exp[k] if k < len(exp) else None; b = got[k] if k < len(got) else None
            print('DIFF', cname, 'record', k, 'of', len(exp))
            if isinstance(a, dict) and isinstance(b, dict): print('   ', {x: (a.get(x), b.get(x)) for x in set(a) | set(b) if a.get(x) != b.get(x)}.__repr__()[:600])
            else: print('   ', str(a)[:300], '|', str(b)[:300])
    print('%d ok, %d differ, %d skipped' % (ok, bad, skip))
