import { valueAt } from '../src/base/at';
import { expect, it } from 'vitest';
import { eventAt, type Plot, xOf } from '../src/model/plot';
import { edgesOf, TimeScale } from '../src/model/time-scale';
import { randomFrom } from './random';

const AREA = { left: 10, top: 0, width: 500, height: 10 };

it('borders of columns without events are before the next event', () => {
  const edge = edgesOf(Int32Array.of(5, 8, 8, 8, 11, 11));
  expect([...edge]).toEqual([5, 8 - 2 / 3, 8 - 1 / 3, 8, 10.5, 11]);
});

/** Random times of events, and the columns that the server makes of them. */
function random(seed: number) {
  const next = randomFrom(seed);
  const micros: number[] = [];
  for (let i = 0, time = 0; i < 300; i++) {
    time += next() < 0.1 ? 400 * next() : 3 * next();
    micros.push(time);
  }
  const columns = (from: number, to: number, width: number) => {
    const fromMicros = valueAt(micros, from);
    const toMicros = to < micros.length ? valueAt(micros, to) : valueAt(micros, micros.length - 1) + 1;
    const start = Int32Array.from({ length: width + 1 }, (_, c) => {
      const at = fromMicros + ((toMicros - fromMicros) * c) / width;
      return Math.min(to, Math.max(from, micros.findIndex((time) => time >= at) >>> 0));
    });
    start[width] = to;
    return { edge: edgesOf(start), fromMicros, toMicros };
  };
  return { micros, columns };
}

it('events are at most a column away from their times', () => {
  for (let seed = 1; seed < 30; seed++) {
    const { micros, columns } = random(seed);
    const detail = columns(40, 200, 100);
    const scale = new TimeScale(detail, columns(0, 300, 100));
    const column = (detail.toMicros - detail.fromMicros) / 100;
    for (let event = 40; event < 200; event++) {
      expect(Math.abs(scale.microsAt(event) - valueAt(micros, event))).toBeLessThanOrEqual(column + 1e-6);
      if (event > 40) expect(scale.microsAt(event)).toBeGreaterThan(scale.microsAt(event - 1));
    }
  }
});

it('positions and events are inverse, and the range fills the plot', () => {
  const { columns } = random(7);
  const scale = new TimeScale(columns(40, 200, 100), columns(0, 300, 80));
  const plot: Plot = { area: AREA, range: { from: 40, to: 200 }, low: 0, high: 1, scale };
  expect(xOf(plot, 40)).toBeCloseTo(10);
  expect(xOf(plot, 200)).toBeCloseTo(510);
  for (let x = 10; x <= 510; x += 7) expect(xOf(plot, eventAt(plot, x))).toBeCloseTo(x, 4);
});
