#!/usr/bin/env python3
"""Writes cases of random traces: a snapshot that PyTorch's own allocator would have written, and what the same requests do
in the same allocator under other settings.
usage: random_whatif.py TRACE_PROGRAM FAMILY FIRST_SEED COUNT OUT
TRACE_PROGRAM is trace.cpp, built; FAMILY is one (stream), streams, waiting (record_stream), pools, work (the beginning of a
benchmark's trace, on a device that may be too small) or all.

Each case is a folder with snapshot.pickle.gz and truth.json. Only what a recording determines is varied: a request that
failed in the recording has no address, so its free is left out of the other runs; blocks wait for streams only where memory
does not run out, because a retry waits for all streams; pools are never deleted."""
import gzip, io, json, os, pickle, random, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

MIB, BASE = 1 << 20, 0x100000000000
EDGES = [1, 511, 512, 513, MIB - 1, MIB, MIB + 1, 2 * MIB, 10 * MIB - 1, 10 * MIB, 10 * MIB + 1, 20 * MIB, 21 * MIB]
FAMILIES = ['one', 'streams', 'waiting', 'pools', 'work']
BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../data/bench/caching_%s_1m.txt.zst')
VARIED = ['', 'expandable_segments:True', 'max_split_size_mb:64', 'max_split_size_mb:128', 'roundup_power2_divisions:8',
          'roundup_power2_divisions:[256:1,512:2,1024:4,>:8]', 'large_segment_size_mb:64', 'large_segment_size_mb:32,max_split_size_mb:40',
          'garbage_collection_threshold:0.6', 'garbage_collection_threshold:0.5,per_process_memory_fraction:0.7',
          'expandable_segments:True,roundup_power2_divisions:4', 'expandable_segments:True,large_segment_size_mb:64',
          'max_split_size_mb:100,max_non_split_rounding_mb:100', 'per_process_memory_fraction:0.6', 'throw_on_cudamalloc_oom:True']


class Requests:
    """Random requests: phases of one mix of sizes, of growth, and of release."""

    def __init__(self, family, seed):
        self.r = random.Random('what if %s %d' % (family, seed))
        self.family, self.lines, self.live, self.ids = family, [], [], 0
        self.streams = 1 if family == 'one' else self.r.choice([2, 3, 4])
        self.capacity = (1 << 42) if family == 'waiting' else self.r.choice([128, 256, 512, 1000, 2048, 4096, 8192]) * MIB + self.r.choice([0, 12345])
        self.pools, self.open = 0, []

    def put(self, *words):
        self.lines.append(' '.join(map(str, words)))

    def size(self, mix):
        r, k = self.r, self.r.random()
        if k < mix[0]: return r.randint(1, 4096)
        if k < mix[1]: return r.randint(1, MIB)
        if k < mix[2]: return r.choice(EDGES)
        if k < mix[3]: return r.randint(MIB, 30 * MIB)
        return r.randint(1, min(self.capacity, 1 << 31) // r.choice([2, 4, 8]))

    def malloc(self, mix):
        self.ids += 1
        self.put('malloc', self.ids, self.size(mix), self.r.randrange(self.streams))
        self.live.append(self.ids)

    def free(self):
        if not self.live: return
        block = self.live.pop(self.r.randrange(len(self.live)))
        if self.family == 'waiting' and self.r.random() < .3:
            for _ in range(self.r.choice([1, 1, 2])): self.put('record_stream', block, self.r.randrange(self.streams))
        self.put('free', block)

    def pool(self):
        if self.open and self.r.random() < .5: self.put('pool_end', 0, self.open.pop())
        elif not self.open:
            pool = self.r.randint(1, self.pools + 1)
            self.pools = max(self.pools, pool)
            self.open.append(pool)
            self.put('pool_begin', 0, pool)

    def trace(self):
        r = self.r
        for _ in range(r.choice([1, 2, 4])):
            cuts = sorted(r.random() for _ in range(4))
            growth = r.choice([.45, .5, .55, .7])
            for _ in range(r.choice([20, 60, 150, 400])):
                k = r.random()
                if self.family == 'waiting' and k < .06: self.put(*r.choice([('sync', r.randrange(self.streams)), ('sync_all',), ('advance', r.randrange(self.streams), 1)]))
                elif self.family == 'pools' and k < .06: self.pool()
                elif r.random() < growth: self.malloc(cuts)
                else: self.free()
        return self.lines


def work(r):
    """The beginning of a benchmark's trace, and a device that has some of the bytes that are live at its peak, or more."""
    text = subprocess.run(['zstd', '-dc', BENCH % r.choice(['infer', 'random', 'train'])], stdout=subprocess.PIPE).stdout.decode()
    lines = text.split('\n', 30001)[:r.choice([1500, 6000, 15000, 30000])]
    sizes, live, peak = {}, 0, 0
    for line in lines:
        op, block, *size = line.split()
        if op == 'malloc': sizes[block] = int(size[0])
        live += sizes[block] if op == 'malloc' else -sizes[block]
        peak = max(peak, live)
    return lines, int(peak * r.choice([.9, 1.01, 1.05, 1.1, 1.2, 2]))


def records(program, lines, capacity, settings):
    """What the allocator writes for the lines, and nothing if it ends abnormally."""
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
        f.write('\n'.join(lines) + '\n')
        f.flush()
        env = {k: v for k, v in os.environ.items() if not k.startswith(('PYTORCH_', 'FAKE_'))}
        env.update(FAKE_GPU_BYTES=str(capacity), PYTORCH_CUDA_ALLOC_CONF=settings)
        done = subprocess.run([program, f.name], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []


def row(program, lines, capacity, settings):
    stats = [x for x in records(program, lines + ['stats'], capacity, settings) if x['op'] == 'stats']
    if not stats: return None
    s = stats[0]
    failures = s['num_ooms'] + s['num_oom_rejections']
    return {'settings': settings, 'fits': failures == 0, 'ooms': failures, 'peakReservedBytes': s['reserved_bytes']['all']['peak'],
            'peakAllocatedBytes': s['allocated_bytes']['all']['peak'], 'driverAllocations': s['num_device_alloc'],
            'driverFrees': s['num_device_free'], 'retries': s['num_alloc_retries']}


def snapshot(record):
    """The pickle that torch.cuda.memory._dump_snapshot would have written, without stacks."""
    for segment in record['segments']:
        segment['address'] += BASE
        segment['segment_pool_id'] = tuple(segment['segment_pool_id'])
        segment.pop('registration_counter')
        segment['frames'] = []
        for block in segment['blocks']: block.update(address=block['address'] + BASE, frames=[])
    for i, event in enumerate(record['device_traces'][0]):
        event.update(pool_id=tuple(event['pool_id']), time_us=1_760_000_000_000_000 + 100 * i, frames=[])
        if event['action'] != 'oom': event['addr'] += BASE
    settings = record['allocator_settings']
    settings['roundup_power2_divisions'] = {str(1 << i): d for i, d in enumerate(settings['roundup_power2_divisions'])}
    return {'segments': record['segments'], 'device_traces': record['device_traces'], 'allocator_settings': settings, 'external_annotations': []}


def case(program, family, seed, out):
    requests = Requests(family, seed)
    r, capacity = requests.r, requests.capacity
    if family == 'work': lines, capacity = work(r)
    else: lines = requests.trace()
    recorded = r.choice(['', '', '', 'expandable_segments:True', 'max_split_size_mb:64', 'large_segment_size_mb:32', 'per_process_memory_fraction:0.8',
                         'garbage_collection_threshold:0.5,per_process_memory_fraction:0.8', 'roundup_power2_divisions:4'])
    history = records(program, ['record_history on'] + lines + ['snapshot_full'], capacity, recorded)
    if not history: return 1
    if 'roundup' in recorded and any(x['op'] == 'oom_observer' for x in history):
        # A failed request is recorded with its rounded size, so other settings would round another size.
        recorded = ''
        history = records(program, ['record_history on'] + lines + ['snapshot_full'], capacity, recorded)
    failed = {x['id'] for x in history if x['op'] == 'malloc' and 'error' in x}
    lines = [line for line in lines if not (line.startswith('free ') and int(line.split()[1]) in failed)]
    settings = [recorded] + r.sample([s for s in VARIED if s != recorded], 5)
    rows = [row(program, lines, capacity, s) for s in settings]
    if None in rows: return 1
    folder = '%s/%s_%d' % (out, family, seed)
    os.makedirs(folder, exist_ok=True)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode='wb', compresslevel=9, mtime=0) as z: z.write(pickle.dumps(snapshot(history[-1]), protocol=4))
    open(folder + '/snapshot.pickle.gz', 'wb').write(packed.getvalue())
    json.dump({'totalBytes': capacity, 'rows': rows}, open(folder + '/truth.json', 'w'), indent=1)
    return 0


def main():
    program, family, first, count, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
    for name in FAMILIES if family == 'all' else [family]:
        with ThreadPoolExecutor(2) as pool:
            abnormal = sum(pool.map(lambda seed: case(program, name, seed, out), range(first, first + count)))
        print('%s: %d cases, %d without truth because the original ended abnormally' % (name, count - abnormal, abnormal))


main()
