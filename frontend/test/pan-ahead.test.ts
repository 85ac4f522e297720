import { describe, expect, it } from 'vitest';
import { PanAhead } from '../src/model/pan-ahead';

const COUNT = 1000;

describe('requests while panning', () => {
  it('covers more in the direction of the movement', () => {
    const pan = new PanAhead();
    pan.exactly({ from: 100, to: 200 });
    expect(pan.moved({ from: 110.5, to: 210.5 }, COUNT)).toEqual({ range: { from: 110, to: 261 }, factor: 151 / 101 });
    pan.exactly({ from: 110.5, to: 210.5 });
    expect(pan.moved({ from: 100, to: 200 }, COUNT).range).toEqual({ from: 50, to: 200 });
  });

  it('is the request before as long as that covers the visible range', () => {
    const pan = new PanAhead();
    pan.exactly({ from: 100, to: 200 });
    const first = pan.moved({ from: 110, to: 210 }, COUNT);
    expect(pan.moved({ from: 110, to: 210 }, COUNT)).toBe(first);
    expect(pan.moved({ from: 130, to: 230 }, COUNT)).toBe(first);
    expect(pan.moved({ from: 160, to: 260 }, COUNT)).toBe(first);
    expect(pan.moved({ from: 170, to: 270 }, COUNT).range).toEqual({ from: 170, to: 320 });
  });

  it('ends with the recording', () => {
    const pan = new PanAhead();
    pan.exactly({ from: 880, to: 980 });
    expect(pan.moved({ from: 900, to: 1000 }, COUNT)).toEqual({ range: { from: 900, to: 1000 }, factor: 1 });
    pan.exactly({ from: 20, to: 120 });
    expect(pan.moved({ from: 0, to: 100 }, COUNT).range).toEqual({ from: 0, to: 100 });
  });

  it('is exact after a zoom, a jump to another size and at rest', () => {
    const pan = new PanAhead();
    expect(pan.moved({ from: 10, to: 20 }, COUNT).range).toEqual({ from: 10, to: 20 });
    expect(pan.moved({ from: 11, to: 19 }, COUNT).factor).toBe(1);
    expect(pan.moved({ from: 11, to: 19 }, COUNT).factor).toBe(1);
    expect(pan.moved({ from: 12, to: 20 }, COUNT).range).toEqual({ from: 12, to: 24 });
    expect(pan.exactly({ from: 12, to: 20 })).toEqual({ range: { from: 12, to: 20 }, factor: 1 });
  });

  it('counts rounding errors of a transition as the same size', () => {
    const pan = new PanAhead();
    pan.exactly({ from: 0.1, to: 100.2 });
    expect(pan.moved({ from: 0.3, to: 0.3 + (100.2 - 0.1) }, COUNT).factor).toBeGreaterThan(1);
  });
});
