import { describe, expect, it } from 'vitest';
import { LiveViews } from '../src/model/live/live-view';
import { totalsOf } from '../src/model/memory-map';
import { frameOf, segmentOf } from './live-frames';

const POOLS = [['(0, 0)', 1]] as const;

function frame(v: number, blocks: readonly (readonly [number, number])[], extra = {}) {
  const allocated = blocks.reduce((sum, [, bytes]) => sum + bytes, 0);
  return frameOf({
    v,
    from: v - 1,
    now: v * 100,
    pools: POOLS,
    segments: [segmentOf(1, 4096, blocks)],
    levels: [allocated, allocated, allocated, 4096],
    device: [null, 8192],
    ledger: { 'live-requested': allocated, 'cached-releasable': 4096 - allocated, 'other-processes': null },
    points: [[v * 100, allocated, allocated, allocated, 4096]],
    ...extra,
  });
}

describe('the view of a live allocator', () => {
  it('takes the map, the levels and the ledger from one frame', () => {
    const views = new LiveViews();
    expect(views.view).toBeNull();
    for (let v = 1; v <= 3; v++) {
      views.apply(frame(v, [[0, v * 1024]]));
      const view = views.view;
      expect(view?.version).toBe(v);
      expect(view?.ledger.get('live-requested')).toBe(v * 1024);
      expect(view?.levels.allocated).toBe(v * 1024);
      expect(view === null ? 0 : totalsOf(view.map.map).allocated).toBe(v * 1024);
      expect(view?.ledger.get('other-processes')).toBeNaN();
    }
  });

  it('is the same object until the next frame, so that it is painted once', () => {
    const views = new LiveViews();
    views.apply(frame(1, []));
    const first = views.view;
    expect(views.view).toBe(first);
    views.apply(frame(2, []));
    expect(views.view).not.toBe(first);
  });

  it('keeps the curves, the map and the numbers while frozen', () => {
    const views = new LiveViews();
    views.apply(frame(1, [[0, 1024]]));
    views.freeze(40);
    const frozen = views.view;
    // The frames of more than a minute displace all points of the first one.
    for (let v = 2; v <= 9; v++) views.apply(frame(v, [[0, 4096]], { now: v * 20_000 }));
    expect(views.view).toBe(frozen);
    expect(frozen).toMatchObject({ version: 1, now: 140, levels: { allocated: 1024 } });
    expect(frozen?.points.map(({ millis }) => millis)).toEqual([100]);
    expect(frozen?.ledger.get('live-requested')).toBe(1024);
    views.unfreeze();
    expect(views.view?.version).toBe(9);
  });
});
