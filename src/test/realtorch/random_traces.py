#!/usr/bin/env python3
"""Writes golden cases of random traces, with the records of PyTorch's own allocator.
usage: random_traces.py TRACE_PROGRAM FAMILY FIRST_SEED COUNT OUT
TRACE_PROGRAM is trace.cpp, built; FAMILY is expandable, capture, history, pools or all."""
import os, random, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

MIB = 1 << 20
EDGES = [1, 511, 512, 513, MIB - 1, MIB, MIB + 1, 2 * MIB, 10 * MIB - 1, 10 * MIB, 10 * MIB + 1, 20 * MIB, 21 * MIB]
DIVISIONS = ['4', '8', '[256:1,512:2,1024:4,>:8]', '[1:2,>:4]', '16']


class Generator:
    def __init__(self, family, seed):
        self.r = random.Random('%s %d' % (family, seed))
        self.family = family
        self.lines = ['# %s %d' % (family, seed)]
        self.used = set()
        self.live, self.next, self.streams = [], 1, self.r.choice([1, 1, 2, 3, 4])
        self.pools, self.scopes, self.captures, self.deferred, self.freed_pools = {}, [], {}, 0, set()
        self.next_pool = 1
        self.capacity = self.r.choice([128, 256, 512, 1024, 4096]) * MIB

    def put(self, *words):
        self.lines.append(' '.join(str(w) for w in words))

    def settings(self, expandable):
        r, parts = self.r, []
        if expandable is not None and (expandable or r.random() < .3): parts.append('expandable_segments:%s' % expandable)
        large = 20
        if r.random() < .25:
            large = r.choice([12, 14, 16, 32, 40, 64])
            parts.append('large_segment_size_mb:%d' % large)
        if r.random() < .25: parts.append('max_split_size_mb:%d' % r.choice([large, 32 + large, 64 + large, 200]))
        if r.random() < .12: parts.append('max_non_split_rounding_mb:%d' % r.choice([large, 64 + large]))
        if r.random() < .2: parts.append('roundup_power2_divisions:' + r.choice(DIVISIONS))
        if r.random() < .15: parts.append('garbage_collection_threshold:%s' % r.choice(['0.3', '0.6', '0.8']))
        if r.random() < .1: parts.append('per_process_memory_fraction:%s' % r.choice(['0.5', '0.75']))
        if r.random() < .06: parts.append('throw_on_cudamalloc_oom:True')
        if self.family in ('capture', 'all') and r.random() < .6: parts.append('graph_capture_record_stream_reuse:' + r.choice(['True', 'True', 'False']))
        r.shuffle(parts)
        return ','.join(parts)

    def size(self):
        r = self.r
        k = r.random()
        if k < .3: return r.randint(1, 4096)
        if k < .45: return r.randint(1, MIB)
        if k < .6: return r.choice(EDGES)
        if k < .9: return r.randint(MIB, 30 * MIB)
        return r.randint(1, int(self.capacity * self.r.choice([.2, .5, 1.3])))

    def stream(self):
        return self.r.randrange(self.streams)

    def allocate(self):
        kind = self.r.random()
        if kind < .1: self.put('allocate', self.next, self.size())
        else: self.put('malloc', self.next, self.size(), self.stream())
        self.live.append(self.next)
        self.next += 1

    def capturing(self):
        return bool(self.captures)

    def free(self):
        if not self.live: return
        i = self.live.pop(self.r.randrange(len(self.live)))
        if self.capturing() and i in self.used:
            if self.deferred: return
            self.deferred = 1
        self.put('free', i)

    def record(self):
        if not self.live or self.streams == 1: return
        block = self.r.choice(self.live[-12:])
        # The order of several deferred frees depends on the heap of the original: at most one at a time.
        if self.capturing():
            if self.deferred: return
            self.deferred = 1
            self.put('record_stream', block, self.stream())
            self.live.remove(block)
            self.put('free', block)
            return
        self.put('record_stream', block, self.stream())
        self.used.add(block)
        if self.r.random() < .5:
            self.live.remove(block)
            self.put('free', block)

    def pool(self):
        return '0 %d' % self.r.randint(1, max(1, self.next_pool - 1))

    def pool_step(self):
        r, k = self.r, self.r.random()
        if k < .3:
            p, self.next_pool = self.next_pool, self.next_pool + 1
            self.put('pool_begin', 0, p, *([] if r.random() < .6 else [self.stream()]))
            self.pools[p] = 1
            self.scopes.append(p)
        elif k < .5 and self.scopes: self.put('pool_end', 0, self.scopes.pop(r.randrange(len(self.scopes))))
        elif k < .65 and self.pools:
            p = r.choice(list(self.pools))
            if p not in self.scopes and p not in self.captures.values():
                self.put('pool_release', 0, p)
                self.pools.pop(p)
        elif k < .75:
            # A fallback pool that is in use or released makes the request fail with an assertion of the original.
            p = r.randint(1, self.next_pool)
            if p in self.pools and p not in self.scopes and p not in self.captures.values():
                self.put('pool_use_on_oom', 0, p, 1)
                for _ in range(r.randint(1, 5)): self.allocate()
                self.put('pool_use_on_oom', 0, p, 0)
        elif k < .8 and self.pools: self.put('pool_no_split', 0, r.choice(list(self.pools)))
        elif k < .85 and self.pools: self.put('pool_use_count', 0, r.choice(list(self.pools)))
        elif k < .9 and self.next_pool > 1: self.put('snapshot', self.pool())
        elif self.next_pool > 1: self.put('empty_cache', self.pool())

    def capture_step(self):
        r, k = self.r, self.r.random()
        if not self.captures:
            if k < .6:
                s, p = self.stream(), self.next_pool
                if self.pools and r.random() < .3:
                    p = r.choice(list(self.pools))
                    if p in self.scopes: return
                else: self.next_pool += 1
                self.put('capture_begin', s, 0, p)
                self.captures[s] = p
                self.pools[p] = self.pools.get(p, 0) + 1
        elif k < .35: self.put('capture_join', self.stream(), 0, next(iter(self.captures.values())))
        elif k < .5: self.put('empty_cache')
        elif k < .6: self.put('empty_cache', self.pool())
        else:
            self.put('capture_end', 0, next(iter(self.captures.values())))
            self.captures.clear()
            self.check()
            self.put('malloc', self.next, 512, self.stream())   # processes the deferred frees
            self.live.append(self.next)
            self.next += 1
            self.deferred = 0

    def history_step(self):
        r, k = self.r, self.r.random()
        if k < .2: self.put('metadata', r.choice(['', 'a b c', 'step=%d' % r.randint(1, 9), '  two  blanks']))
        elif k < .3 and self.live: self.put('annotate', r.choice(self.live), r.choice(['x', 'weights of layer 3']))
        elif k < .4: self.put('compile_push', 'frame%d/0' % r.randint(0, 3))
        elif k < .5: self.put('compile_pop')
        elif k < .55: self.put('external_annotation', 'name', 'Step#%d' % r.randint(1, 5))
        elif k < .62: self.put('record_history', 'on', *r.choice([[], [50, 1], [7, 1], [100, 1, 'alloc'], [20, 1, 'snapshot', 'free_requested']]))
        elif k < .64: self.put('record_history', 'off')
        elif k < .9:
            if 'max_split' in self.settings_text: return   # it would make split blocks oversize: undefined behaviour of the original
            self.put('malloc_at', self.next, self.size(), self.stream(), r.choice([0, 0, 2 * MIB, 20 * MIB, 22 * MIB, 512 * r.randint(0, 60000), r.randint(0, 1 << 24)]))
            self.live.append(self.next)
            self.next += 1
        else: self.put('snapshot')

    def check(self):
        self.put(self.r.choice(['stats', 'stats', 'snapshot', 'device_calls', 'expandable_sizes', 'mem_info', 'cache_info']))

    def run(self):
        r = self.r
        expandable = {'expandable': True, 'capture': r.choice([None, None, True]), 'history': r.choice([None, True]), 'pools': None, 'all': r.choice([None, True])}[self.family]
        has_pools = self.family in ('pools', 'all') and not expandable
        config = {'FAKE_GPU_BYTES': self.capacity}
        s = self.settings(expandable)
        self.settings_text = s
        if s: config['PYTORCH_CUDA_ALLOC_CONF'] = s
        if r.random() < .15: config['FAKE_GPU_EXTERNAL'] = r.randint(0, self.capacity)
        if r.random() < .2: config['FAKE_NVML_PROCS'] = r.choice(['self:1000000', '4242:5', 'self:9000000000,77:2048'])
        if r.random() < .6: self.put('record_history on')
        for _ in range(r.choice([30, 80, 200, 400])):
            k = r.random()
            if k < .38: self.allocate()
            elif k < .66: self.free()
            elif k < .72: self.record()
            elif k < .75: self.put(*r.choice([('sync', self.stream()), ('sync_all',), ('advance', self.stream(), r.randint(1, 3))]))
            elif k < .78: self.put('external', r.choice([0, 0, self.capacity // 2, self.capacity, self.capacity - 24 * MIB]))
            elif k < .80: self.put('empty_cache')
            elif k < .81: self.put('set_fraction', r.choice([1, .9, .5, .25]))
            elif k < .825:
                # A change of max_split_size at run time leads to undefined behaviour of the original with split oversize blocks.
                if self.family != 'pools' and 'max_split' not in s:
                    new = ','.join(p for p in self.settings(r.choice([True, True, False]) if expandable else None).split(',') if not p.startswith(('max_split', 'max_non')))
                    if new: self.put('set_config', new)
            elif k < .83: self.put(r.choice(['reset_peak', 'reset_accumulated']))
            elif k < .87: self.check()
            elif k < .9: self.put('set_stream', self.stream())
            elif has_pools and k < .95: self.pool_step()
            elif self.family in ('capture', 'all') and k < .97: self.capture_step()
            elif self.family in ('history', 'all'): self.history_step()
        if self.captures:
            self.put('capture_end', 0, next(iter(self.captures.values())))
        for op in ('stats', 'snapshot', 'expandable_sizes', 'empty_cache', 'stats', 'snapshot', 'device_calls'): self.put(op)
        return config, '\n'.join(self.lines) + '\n'


def main():
    program, family, first, count, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]

    def one(seed):
        config, trace = Generator(family, seed).run()
        folder = '%s/%s_%d' % (out, family, seed)
        os.makedirs(folder, exist_ok=True)
        open(folder + '/config.txt', 'w').write(''.join('%s=%s\n' % kv for kv in config.items()))
        open(folder + '/trace.txt', 'w').write(trace)
        env = {k: v for k, v in os.environ.items() if not k.startswith(('PYTORCH_', 'FAKE_'))}
        env.update({k: str(v) for k, v in config.items()})
        done = subprocess.run([program, folder + '/trace.txt'], env=env, stdout=open(folder + '/expected.jsonl', 'wb'), stderr=subprocess.PIPE)
        if done.returncode:   # undefined behaviour or an assertion of the original
            for f in os.listdir(folder): os.remove(folder + '/' + f)
            os.rmdir(folder)
        return done.returncode

    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(one, range(first, first + count)))
    print('%s: %d traces, %d without records because the original ended abnormally' % (family, count, sum(map(bool, codes))))


main()
