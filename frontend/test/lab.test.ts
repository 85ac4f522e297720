import { describe, expect, it } from 'vitest';
import {
  momentAfter,
  allocatedBlocks,
  inOrder,
  type LabAnswer,
  type LabSegment,
  type LabStep,
} from '../src/model/lab/lab';
import { placed, placedBlocks, rowBytes } from '../src/model/lab/lab-layout';
import { packed, unpacked } from '../src/model/lab/lab-link';
import { LabRun } from '../src/model/lab/lab-run';
import { LabScript } from '../src/model/lab/lab-script';
import { LabSettings } from '../src/model/lab/lab-settings';

const NUMBERS = {
  allocatedBytes: 0,
  requestedBytes: 0,
  activeBytes: 0,
  reservedBytes: 0,
  peakAllocatedBytes: 0,
  peakReservedBytes: 0,
  freeBytes: 0,
  largestFreeBytes: 0,
  fragmentation: 0,
  deviceBytes: 1000,
  deviceFreeBytes: 0,
  externalBytes: 0,
  driverCalls: 0,
  retries: 0,
  outOfMemoryCount: 0,
};

function segment(address: string, registration: number, ...sizes: number[]): LabSegment {
  let offset = 0;
  const blocks = sizes.map((size, index) => {
    const block = {
      offset,
      bytes: Math.abs(size),
      state: size > 0 ? ('allocated' as const) : ('inactive' as const),
      id: size > 0 ? registration * 10 + index : -1,
      requestedBytes: Math.max(0, size),
      stream: 0,
      awaited: [],
    };
    offset += block.bytes;
    return block;
  });
  return { address, bytes: offset, stream: 0, pool: 'large', expandable: false, registration, blocks, bins: [] };
}

function step(changed: LabSegment[], removed: string[] = []): LabStep {
  return {
    failed: false,
    reasons: [],
    attempts: [],
    search: null,
    address: null,
    changed,
    removed,
    events: [],
    kernels: [],
    totals: NUMBERS,
  };
}

describe('states', () => {
  it('follow from the steps', () => {
    const first = momentAfter(new Map(), step([segment('0x10', 0, 8), segment('0x20', 1, 4, -4)]));
    const second = momentAfter(first.segments, step([segment('0x20', 1, -8)], ['0x10']));
    expect([...second.segments.keys()]).toEqual(['0x20']);
    expect(first.segments.size).toBe(2);
    expect(allocatedBlocks(first.segments).map((block) => block.id)).toEqual([0, 10]);
  });

  it('list segments in the order of their acquisition, then by address', () => {
    const segments = [segment('0x300', 1, 8), segment('0x1000', 0, 8), segment('0x200', 1, 8)];
    const { segments: map } = momentAfter(new Map(), step(segments));
    expect(inOrder(map).map((each) => each.address)).toEqual(['0x1000', '0x200', '0x300']);
  });
});

describe('a run', () => {
  const answer = (from: number, ...steps: LabStep[]): LabAnswer => ({
    operationCount: 9,
    from,
    operations: steps.slice(1).map(() => 'free 1'),
    sides: [{ steps }],
  });

  it('knows the states of its answers, and describes those whose step is known', () => {
    const run = new LabRun();
    run.add(answer(2, step([segment('0x10', 0, 8)]), step([segment('0x20', 1, 8)])));
    expect(run.at(1)).toBeNull();
    expect(run.at(3)?.[0]?.segments.size).toBe(2);
    expect(run.isDescribed(3)).toBe(true);
    expect(run.isDescribed(2)).toBe(false);
    run.add(answer(3, step([segment('0x99', 5, 8)]), step([], ['0x10'])));
    // What was described before is kept, and continued.
    expect([...(run.at(4)?.[0]?.segments.keys() ?? [])]).toEqual(['0x20']);
  });

  it('forgets what a change of the script makes wrong', () => {
    const run = new LabRun();
    run.add(answer(0, step([]), step([segment('0x10', 0, 8)]), step([], ['0x10'])));
    run.keep(1);
    expect(run.at(1)).not.toBeNull();
    expect(run.at(2)).toBeNull();
  });
});

describe('a script', () => {
  const script = LabScript.of('# one\n\nmalloc 3 1MiB 0\n  free 3\n# two\n# three\nmalloc 12 4 1\n');

  it('has a line for each operation', () => {
    expect(script.length).toBe(6);
    expect(script.nextId()).toBe(13);
    expect(script.followedBy(2, 'free 9').text()).toBe('# one\nmalloc 3 1MiB 0\nfree 9');
    expect(script.commonWith(script.followedBy(2, 'free 9'))).toBe(2);
  });

  it('steps over labels', () => {
    expect(script.nextStep(0)).toBe(2);
    expect(script.nextStep(3)).toBe(6);
    expect(script.nextStep(6)).toBe(6);
    expect(script.previousStep(6)).toBe(3);
    expect(script.previousStep(2)).toBe(0);
    expect(script.labelAt(3)).toBe('one');
    expect(script.labelAt(6)).toBe('three');
    expect(script.labelAt(0)).toBe('');
  });
});

describe('settings', () => {
  it('keep keys that the form does not have, and their order', () => {
    const settings = LabSettings.parse(
      'roundup_power2_divisions:[256:1,512:2,>:8], expandable_segments:True,backend:native',
      'caching',
    );
    expect(settings.get('roundup_power2_divisions')).toBe('[256:1,512:2,>:8]');
    expect(settings.with('expandable_segments', 'False').text()).toBe(
      'roundup_power2_divisions:[256:1,512:2,>:8],expandable_segments:False,backend:native',
    );
    expect(settings.with('expandable_segments', '').get('expandable_segments')).toBe('');
    expect(settings.with('max_split_size_mb', '64').text()).toMatch(/backend:native,max_split_size_mb:64$/);
  });

  it('of BFC have equals signs', () => {
    expect(LabSettings.parse('memory_limit=1GiB', 'bfc').with('preallocate', 'false').text()).toBe(
      'memory_limit=1GiB,preallocate=false',
    );
    expect(LabSettings.parse('', 'bfc').text()).toBe('');
  });
});

describe('a link', () => {
  const state = {
    sides: [{ allocator: 'caching', settings: 'a:b', deviceBytes: '1GiB' }],
    script: 'malloc 1 1MiB 0\n'.repeat(500),
    done: 7,
  };

  it('restores the experiment, and is short', async () => {
    const text = await packed(state);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(text.length).toBeLessThan(400);
    expect(await unpacked(text)).toEqual(state);
  });

  it('that is damaged or of something else restores nothing', async () => {
    const text = await packed(state);
    expect(await unpacked('')).toBeNull();
    expect(await unpacked('findings')).toBeNull();
    expect(await unpacked(text.slice(0, 20))).toBeNull();
    expect(await unpacked(await packed({ ...state, sides: [] }))).toBeNull();
    expect(await unpacked(await packed({ ...state, done: -3 }))).toEqual({ ...state, done: 0 });
    expect(await unpacked(await packed({ ...state, script: 5 as unknown as string }))).toBeNull();
  });

  it('is never unpacked to more than a script may have', async () => {
    expect(await unpacked(await packed({ ...state, script: 'x'.repeat(9_000_000) }))).toBeNull();
  });
});

describe('the layout', () => {
  it('puts segments into rows, each as wide as its bytes', () => {
    const segments = [segment('0x1', 0, 60), segment('0x2', 1, 30), segment('0x3', 2, 30)];
    expect(rowBytes(segments, 200)).toBe(60);
    expect(rowBytes(segments, 1600)).toBe(200);
    const places = placed(segments, 100);
    expect(places.map((place) => place.row)).toEqual([0, 0, 1]);
    expect(places[1]?.left).toBeCloseTo(0.604);
    expect(places[1]?.width).toBeCloseTo(0.3);
  });

  it('draws narrow neighbours of one state together', () => {
    const places = placedBlocks(segment('0x1', 0, 500, 1, 1, -1, -498), 0.01);
    expect(places.map((place) => place.blocks.length)).toEqual([1, 2, 1, 1]);
    expect(places[1]?.left).toBeCloseTo(500 / 1001);
    expect(places[1]?.width).toBeCloseTo(2 / 1001);
    const sum = places.reduce((width, place) => width + place.width, 0);
    expect(sum).toBeCloseTo(1);
  });
});
