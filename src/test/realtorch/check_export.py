#!/usr/bin/env python3
"""Opens an exported snapshot with PyTorch's own tools, and compares it with the original. usage: check_export.py ORIGINAL EXPORTED"""
import pickle, sys
from torch.cuda import _memory_viz as viz

original, exported = (pickle.load(open(f, 'rb')) for f in sys.argv[1:3])

# What a reader of the format uses; the requested size of an inactive block is that of its last allocation.
def block(b): return [b['address'], b['size'], b['state'], b['requested_size'] if b['state'] != 'inactive' else 0, b.get('frames', [])]
def segment(s): return [[s[k] for k in ('device', 'address', 'total_size', 'allocated_size', 'active_size', 'requested_size', 'stream', 'segment_type', 'segment_pool_id', 'is_expandable')], list(map(block, s['blocks']))]
def event(e): return [e.get(k) for k in ('action', 'addr', 'device_free', 'size', 'stream', 'time_us', 'pool_id', 'compile_context', 'user_metadata')] + [e.get('frames', [])]

segments = [sorted(map(segment, s['segments']), key=lambda s: s[0][1]) for s in (original, exported)]
assert segments[0] == segments[1], 'segments differ'
traces = [[list(map(event, t)) for t in s['device_traces']] for s in (original, exported)]
assert traces[0] == traces[1], 'traces differ'
assert original['allocator_settings'] == exported['allocator_settings'], 'settings differ'

assert viz.segsum(original) == viz.segsum(exported), 'segsum differs'
# Events without a stack have no frames in our file.
texts = [viz.trace(s).replace(", 'frames': []", '') for s in (original, exported)]
assert texts[0] == texts[1], 'trace differs'
def stacks(lines): return lines   # the input of flamegraph.pl, which PyTorch would download
for graph in (viz.memory, viz.segments):
    active = [sorted(l for l in graph(s, stacks).splitlines() if ';inactive;' not in l) for s in (original, exported)]
    assert active[0] == active[1], 'the flame graph of %s differs' % graph.__name__
    print('%s: %d characters' % (graph.__name__, len(graph(exported, stacks))))
print('compare: %d characters' % len(viz.compare(original['segments'], exported['segments'], stacks)))
for plot in (viz.segment_plot, viz.trace_plot):
    page = plot(exported)
    assert 'base64' in page and page.lstrip().startswith('<!DOCTYPE html>'), plot.__name__
    print('%s: %d characters of HTML' % (plot.__name__, len(page)))
print('segments=%d blocks=%d events=%d' % (len(segments[1]), sum(len(s[1]) for s in segments[1]), sum(map(len, traces[1]))))
