import { byteAt, intAt, itemAt, numberAt, valueAt, wordAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import {
  blockAtOffset,
  bytesOf,
  fittingLineBytes,
  type Group,
  groupsOf,
  MIN_LINE_BYTES,
  MapLayout,
  ORDERS,
} from '../src/model/map-layout';
import { readMapView, visibleLineBytes, writeMapView } from '../src/model/map-view';
import {
  blockAt,
  decodeMemoryMap,
  adjacentFreeBytes,
  inactiveBytesOf,
  INACTIVE,
  type MemoryMap,
  segmentOf,
  totalsOf,
} from '../src/model/memory-map';
import { MapLine } from '../src/render/map-line';
import { encodeColumns } from './encode';
import { randomFrom } from './random';
import { encodeSyntheticMap } from './synthetic-map';

const MIB = 2 ** 20;
const map = decodeMemoryMap(encodeSyntheticMap(5, 3000));

/** One segment of 20 MiB: 4 free, 6 allocated, 2 pending, 8 free. */
function small(changes: Partial<Omit<MemoryMap, 'isBfc'>> = {}, allocator = 'caching'): ArrayBuffer {
  const { reservedBytes, pools, streams, ...columns } = {
    reservedBytes: 20 * MIB,
    pools: ['(0, 0)'],
    streams: ['0'],
    address: BigUint64Array.of(0x1000_0000n),
    bytes: Float64Array.of(20 * MIB),
    stream: Int32Array.of(0),
    pool: Int32Array.of(0),
    kind: Uint8Array.of(1),
    expandable: Uint8Array.of(0),
    firstBlock: Int32Array.of(0, 4),
    blockAddress: BigUint64Array.of(0x1000_0000n, 0x1040_0000n, 0x10a0_0000n, 0x10c0_0000n),
    blockBytes: Float64Array.of(4 * MIB, 6 * MIB, 2 * MIB, 8 * MIB),
    requested: Float64Array.of(NaN, 6 * MIB - 100, 2 * MIB, NaN),
    state: Uint8Array.of(2, 0, 1, 2),
    stack: Int32Array.of(-1, 3, 4, -1),
    allocation: Int32Array.of(-1, 7, 8, -1),
    ...changes,
  };
  return encodeColumns({ allocator, reservedBytes, pools, streams, estimatedBlockCount: 0, notes: [] }, columns);
}

describe('a memory map', () => {
  it('sums bytes by state', () => {
    const one = decodeMemoryMap(small());
    expect(totalsOf(one)).toEqual({ allocated: 6 * MIB, pending: 2 * MIB, inactive: 12 * MIB, rounding: 100 });
    const { allocated, pending, inactive } = totalsOf(map);
    expect(allocated + pending + inactive).toBe(map.reservedBytes);
  });

  it('finds adjacent inactive bytes, without pending blocks', () => {
    const one = decodeMemoryMap(small());
    expect(adjacentFreeBytes(one, 1)).toEqual({ before: 4 * MIB, after: 0 });
    expect(adjacentFreeBytes(one, 2)).toEqual({ before: 0, after: 8 * MIB });
    expect(inactiveBytesOf(one, 0)).toBe(12 * MIB);
  });

  it('finds blocks by address and segments by block', () => {
    for (let b = 0; b < map.state.length; b += 37) {
      expect(blockAt(map, wordAt(map.blockAddress, b))).toBe(b);
      const segment = segmentOf(map, b);
      expect(intAt(map.firstBlock, segment) <= b && b < intAt(map.firstBlock, segment + 1)).toBe(true);
    }
    expect(blockAt(map, 1n)).toBeNull();
  });

  it('is rejected if segments and blocks are inconsistent', () => {
    expect(() => decodeMemoryMap(small({ firstBlock: Int32Array.of(0, 3) }))).toThrow(
      'The segments contain 3 of 4 blocks.',
    );
    expect(() => decodeMemoryMap(small({ firstBlock: Int32Array.of(0) }))).toThrow(/Column firstBlock/);
    expect(() => decodeMemoryMap(small({ state: Uint8Array.of(0) }))).toThrow(/Column state/);
    expect(() => decodeMemoryMap(small({ state: Uint8Array.of(2, 0, 3, 2) }))).toThrow(
      'Block 2 has the unknown state 3.',
    );
  });
});

describe('the lines of a map', () => {
  it.each(ORDERS)('show every segment once, ordered by %s', (order) => {
    const groups = groupsOf(map, order);
    const seen = groups.flatMap((group) => [...group.segments]).sort((one, other) => one - other);
    expect(seen).toEqual([...map.address.keys()]);
    expect(groups.reduce((sum, group) => sum + bytesOf(group), 0)).toBe(map.reservedBytes);
  });

  it('are grouped by pool, stream and kind', () => {
    for (const group of groupsOf(map, 'pool')) {
      const kinds = new Set([...group.segments].map((s) => `${map.pool[s]} ${map.stream[s]} ${map.kind[s]}`));
      expect(kinds.size, group.label).toBe(1);
    }
  });

  it('are ordered by inactive bytes', () => {
    const group = itemAt(groupsOf(map, 'free'), 0);
    const free = [...group.segments].map((segment) => inactiveBytesOf(map, segment));
    expect(free).toEqual([...free].sort((one, other) => other - one));
  });

  it('of a BFC allocator are one pool of regions, without streams', () => {
    const bfc = decodeMemoryMap(small({}, 'bfc'));
    expect(groupsOf(bfc, 'pool').map(({ label }) => label)).toEqual(['one pool for all requests']);
    expect(groupsOf(bfc, 'address').map(({ label }) => label)).toEqual(['All regions by address']);
    const caching = decodeMemoryMap(small());
    expect(groupsOf(caching, 'pool').map(({ label }) => label)).toEqual(['large pool · stream 0']);
  });

  it('map each byte to a row and position, and back', () => {
    const random = randomFrom(17);
    const groups = groupsOf(map, 'pool');
    for (let round = 0; round < 500; round++) {
      const layout = new MapLayout(groups, MIN_LINE_BYTES * 2 ** Math.floor(random() * 14));
      const group = Math.floor(random() * groups.length);
      const offset = Math.floor(random() * bytesOf(itemAt(groups, group)));
      const row = layout.rowOf(group, offset);
      const found = layout.offsetAt(row, (offset % layout.bytesPerLine) / layout.bytesPerLine);
      expect(found, `seed 17, round ${round}`).toEqual({ group, offset });
      expect(layout.lineAt(row)).toEqual({ group, line: Math.floor(offset / layout.bytesPerLine) });
    }
  });

  it('have a heading above each group and end with the last group', () => {
    const layout = new MapLayout(groupsOf(map, 'pool'), 64 * MIB);
    expect(layout.lineAt(0)).toEqual({ group: 0, line: -1 });
    expect(layout.offsetAt(0, 0.5)).toBeNull();
    const last = layout.lineAt(layout.rowCount - 1);
    expect(last?.group).toBe(layout.groups.length - 1);
    expect(layout.lineAt(layout.rowCount)).toBeNull();
    expect(layout.offsetAt(layout.rowCount - 1, 0.999_999)).toBeNull();
  });

  it('find the block at a byte', () => {
    const random = randomFrom(19);
    const group: Group = itemAt(groupsOf(map, 'address'), 0);
    for (let round = 0; round < 500; round++) {
      const block = Math.floor(random() * map.state.length);
      const segment = segmentOf(map, block);
      const offset =
        numberAt(group.starts, segment) + Number(wordAt(map.blockAddress, block) - wordAt(map.address, segment));
      expect(blockAtOffset(map, group, offset), `seed 19, round ${round}`).toBe(block);
      expect(blockAtOffset(map, group, offset + numberAt(map.blockBytes, block) - 1)).toBe(block);
    }
  });

  it('fit into the given rows with the smallest possible lines', () => {
    const groups = groupsOf(map, 'pool');
    const bytes = fittingLineBytes(groups, 30);
    expect(new MapLayout(groups, bytes).rowCount).toBeLessThanOrEqual(30);
    expect(new MapLayout(groups, bytes / 2).rowCount).toBeGreaterThan(30);
  });

  it('cover each byte by exactly one pixel', () => {
    const width = 700;
    const line = new MapLine(width);
    for (const bytesPerLine of [8 * MIB, 1024 * MIB]) {
      const sums = [0, 0, 0];
      let maxCover = 0;
      for (const group of groupsOf(map, 'pool')) {
        for (let from = 0; from < bytesOf(group); from += bytesPerLine) {
          line.fill(map, group, from, bytesPerLine);
          for (const [i, share] of line.cover.entries())
            sums[i % 3] = valueAt(sums, i % 3) + (share * bytesPerLine) / width;
          for (let x = 0; x < width; x++) {
            const [allocated = NaN, pending = NaN, inactive = NaN] = line.cover.subarray(x * 3);
            maxCover = Math.max(maxCover, allocated + pending + inactive);
          }
        }
      }
      expect(maxCover).toBeCloseTo(1, 3);
      const { allocated, pending, inactive } = totalsOf(map);
      expect(valueAt(sums, 0) / allocated).toBeCloseTo(1, 4);
      expect(valueAt(sums, 1) / pending).toBeCloseTo(1, 4);
      expect(valueAt(sums, INACTIVE) / inactive).toBeCloseTo(1, 4);
    }
  });
});

describe('a line of a map', () => {
  it('knows the allocated block of each pixel and the inactive ones that have room for a label', () => {
    const one = decodeMemoryMap(small());
    const line = new MapLine(200);
    const group = itemAt(groupsOf(one, 'pool'), 0);
    line.fill(one, group, 0, 20 * MIB);
    expect([...new Set(line.block)]).toEqual([-1, 1]);
    expect(line.block.indexOf(1)).toBe(40);
    expect(line.block.lastIndexOf(1)).toBe(99);
    expect(line.holes).toEqual([{ block: 3, left: 120, right: 200 }]);
    line.fill(one, group, 0, 10 * MIB);
    expect(line.holes).toEqual([{ block: 0, left: 0, right: 80 }]);
    line.fill(one, group, 10 * MIB, 10 * MIB);
    expect(line.holes).toEqual([{ block: 3, left: 40, right: 200 }]);
    expect(line.block.every((block) => block === -1)).toBe(true);
  });

  it('has the block with the most bytes in a pixel', () => {
    const line = new MapLine(97);
    const bytesPerLine = 256 * MIB;
    for (const group of groupsOf(map, 'pool')) {
      line.fill(map, group, 0, bytesPerLine);
      const covered = new Map<number, number>();
      group.segments.forEach((segment, i) => {
        let start = numberAt(group.starts, i);
        for (let b = intAt(map.firstBlock, segment); b < intAt(map.firstBlock, segment + 1); b++) {
          const end = start + numberAt(map.blockBytes, b);
          const share = Math.min(end, (41 * bytesPerLine) / 97) - Math.max(start, (40 * bytesPerLine) / 97);
          if (share > 0 && byteAt(map.state, b) === 0) covered.set(b, share);
          start = end;
        }
      });
      const most = Math.max(...covered.values());
      if (covered.size === 0) expect(line.block[40]).toBe(-1);
      else expect((covered.get(intAt(line.block, 40)) ?? 0) / most).toBeCloseTo(1, 3);
    }
  });
});

describe('the URL of a map', () => {
  it('restores the view', () => {
    const view = {
      order: 'free',
      bytesPerLine: 2 ** 28,
      topRow: 12.5,
      selected: 0x7f08_0000_0200n,
      allocation: null,
      event: 41,
    } as const;
    expect(readMapView(writeMapView('device=1', view, 100))).toEqual(view);
  });

  it('falls back to defaults for invalid values', () => {
    const plain = { order: 'pool', bytesPerLine: null, topRow: 0, selected: null, allocation: null, event: null };
    for (const query of [
      '',
      'order=size&line=1000&row=-3&sel=-12',
      'line=NaN&row=x&sel=0xzz&event=-1',
      'line=0&event=x',
    ]) {
      expect(readMapView(query)).toEqual(plain);
    }
  });
});

describe('a selected block', () => {
  it('is at least as wide as asked for, unless that needs a smaller line than the smallest', () => {
    expect(visibleLineBytes(MIB, 16 * MIB, 800, 12)).toBe(16 * MIB);
    expect(visibleLineBytes(MIB, 1024 * MIB, 800, 12)).toBe(64 * MIB);
    expect(visibleLineBytes(512, 1024 * MIB, 800, 12)).toBe(MIN_LINE_BYTES);
  });
});
