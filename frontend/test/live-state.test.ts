import { describe, expect, it } from 'vitest';
import { changesOf } from '../src/model/live/live-changes';
import { decodeSegment, type RawSegment } from '../src/model/live/live-frame';
import { liveMapOf } from '../src/model/live/live-map';
import { FrameOrderError, LiveState } from '../src/model/live/live-state';
import { ALLOCATED, INACTIVE, PENDING, segmentOf as segmentOfBlock } from '../src/model/memory-map';
import { frameOf, segmentOf } from './live-frames';
import { randomFrom } from './random';

const POOLS = [['(0, 0)', 1]] as const;

function kinds(before: RawSegment, after: RawSegment): string[] {
  return changesOf(decodeSegment(before), decodeSegment(after)).map(({ kind, from, to }) => `${kind} ${from}-${to}`);
}

describe('a live state', () => {
  it('applies consecutive frames', () => {
    const state = new LiveState();
    state.apply(
      frameOf({
        v: 3,
        from: 0,
        pools: POOLS,
        sites: [0, '', 'forward'],
        segments: [segmentOf(1, 4096, [[0, 1024]]), segmentOf(2, 2048, [], '0x7f0000010000')],
        levels: [1000, 1024, 1024, 6144],
        device: [null, 1 << 30],
      }),
    );
    expect(state.segments.size).toBe(2);
    expect(state.levels).toEqual({ requested: 1000, allocated: 1024, active: 1024, reserved: 6144 });
    expect(state.deviceFree).toBeNaN();
    state.apply(
      frameOf({
        v: 5,
        from: 3,
        removed: [2],
        segments: [segmentOf(1, 4096, [])],
        sites: [2, 'backward'],
        lost: 'device lost',
      }),
    );
    expect([...state.segments.keys()]).toEqual([1]);
    expect(state.sites).toEqual(['', 'forward', 'backward']);
    expect(state.lost).toBe('device lost');
  });

  it('rejects a frame that starts from another version', () => {
    const state = new LiveState();
    state.apply(frameOf({ v: 3, from: 0 }));
    expect(() => state.apply(frameOf({ v: 9, from: 4 }))).toThrow(FrameOrderError);
    expect(() => state.apply(frameOf({ v: 9, from: 0 }))).not.toThrow();
  });

  it('reads bytes above 2^53 from hex', () => {
    const state = new LiveState();
    state.apply(frameOf({ v: 1, from: 0, levels: ['0x4000000000000000', 0, 0, 0] }));
    expect(state.levels.requested).toBe(2 ** 62);
  });
});

describe('changes of a segment', () => {
  const empty = segmentOf(1, 4096, []);

  it('distinguish a block that fills an inactive range from one that splits it', () => {
    expect(kinds(empty, segmentOf(1, 4096, [[0, 4096]]))).toEqual(['allocated 0-4096']);
    expect(kinds(empty, segmentOf(1, 4096, [[0, 1024]]))).toEqual(['split 0-1024']);
  });

  it('distinguish a freed block from one that is coalesced with inactive neighbours', () => {
    const three = segmentOf(1, 3072, [
      [0, 1024],
      [1024, 1024],
      [2048, 1024],
    ]);
    const middleFreed = segmentOf(1, 3072, [
      [0, 1024],
      [2048, 1024],
    ]);
    expect(kinds(three, middleFreed)).toEqual(['freed 1024-2048']);
    expect(kinds(middleFreed, segmentOf(1, 3072, [[0, 1024]]))).toEqual(['coalesced 1024-3072']);
    expect(kinds(three, empty)).toEqual(['coalesced 0-4096']);
  });

  it('are empty if only the state of a block changes', () => {
    expect(kinds(segmentOf(1, 4096, [[0, 512]]), segmentOf(1, 4096, [[0, 512, [2]]]))).toEqual([]);
  });

  it('of a new segment are its acquisition', () => {
    expect(changesOf(null, decodeSegment(empty))).toEqual([{ segment: 1, from: 0, to: 4096, kind: 'acquired' }]);
  });

  it('cover exactly the differences of random states', () => {
    const next = randomFrom(7);
    const blocks = (share: number) => {
      const created: [number, number][] = [];
      for (let at = 0; at < 64; at += 1 + Math.floor(next() * 3)) if (next() < share) created.push([at, 1]);
      return created;
    };
    for (let round = 0; round < 200; round++) {
      const [before, after] = [blocks(0.5), blocks(0.5)];
      const changes = changesOf(decodeSegment(segmentOf(1, 64, before)), decodeSegment(segmentOf(1, 64, after)));
      const has = (list: [number, number][], at: number) => list.some(([start]) => start === at);
      for (let at = 0; at < 64; at++) {
        const isAllocated = has(after, at) && !has(before, at);
        const isFreed = has(before, at) && !has(after, at);
        const isCovered = (names: string[]) =>
          changes.some((change) => names.includes(change.kind) && change.from <= at && at < change.to);
        expect(isCovered(['allocated', 'split'])).toBe(isAllocated);
        if (isFreed) expect(isCovered(['freed', 'coalesced'])).toBe(true);
      }
    }
  });
});

describe('the map of a live state', () => {
  it('tiles each segment and has the awaited streams', () => {
    const state = new LiveState();
    state.apply(
      frameOf({
        v: 1,
        from: 0,
        pools: POOLS,
        segments: [
          segmentOf(2, 4096, [], '0x7f0000100000'),
          segmentOf(1, 4096, [
            [512, 512],
            [1024, 1024, [3, 5]],
          ]),
        ],
      }),
    );
    const { map, awaited, rows } = liveMapOf(state);
    expect([...map.address]).toEqual([0x7f0000000000n, 0x7f0000100000n]);
    expect([...map.state]).toEqual([INACTIVE, ALLOCATED, PENDING, INACTIVE, INACTIVE]);
    expect([...map.blockBytes]).toEqual([512, 512, 1024, 2048, 4096]);
    expect([...map.firstBlock]).toEqual([0, 4, 5]);
    expect(map.blockAddress[2]).toBe(0x7f0000000400n);
    expect(awaited.get(2)).toEqual([3, 5]);
    expect(rows.get(1)).toBe(0);
    expect(segmentOfBlock(map, 4)).toBe(1);
    expect(map.stack[1]).toBe(1);
    expect(map.requested[0]).toBeNaN();
  });
});
