import { describe, expect, it } from 'vitest';
import { eventsOf, extended, markBetween, type MarkedRange, readMark, writeMark } from '../src/model/marked-range';
import { randomFrom } from './random';

const COUNT = 1000;
const VISIBLE = { from: 0, to: 50 };

describe('a marked range', () => {
  it('is restored from the URL', () => {
    for (const text of ['0-1', '100-200', '0-1000']) expect(writeMark(readMark(text, COUNT))).toBe(text);
    expect(writeMark(readMark(' 990-5000 ', COUNT))).toBe('990-1000');
    expect(writeMark(readMark('100 to 1,000', COUNT))).toBe('100-1000');
    expect(writeMark(readMark('100..200', COUNT))).toBe('100-200');
    expect(writeMark(null)).toBeNull();
  });

  it('is not read from nonsense', () => {
    for (const text of [
      null,
      '',
      '5',
      '5-',
      '-5',
      '5-5',
      '9-3',
      '1-2-3',
      'a-b',
      '1e1-90',
      '1000-1001',
      '0x1-0x9',
      '1,2-9,0',
    ]) {
      expect(readMark(text, COUNT), String(text)).toBeNull();
    }
    expect(readMark('0-5', 0)).toBeNull();
  });

  it('contains all events that a drag touches, in either direction', () => {
    expect(markBetween(10.2, 20.7, COUNT)).toEqual({ anchor: 10, head: 21 });
    expect(markBetween(20.7, 10.2, COUNT)).toEqual({ anchor: 10, head: 21 });
    expect(markBetween(-50, 5000, COUNT)).toEqual({ anchor: 0, head: COUNT });
    expect(markBetween(2000, 3000, COUNT)).toBeNull();
  });

  it('begins at the cursor and contains it', () => {
    const right = extended(null, 10, 1, VISIBLE, COUNT) as MarkedRange;
    const left = extended(null, 10, -1, VISIBLE, COUNT) as MarkedRange;
    expect(eventsOf(right)).toEqual({ from: 10, to: 11 });
    expect(eventsOf(left)).toEqual({ from: 10, to: 11 });
    expect(eventsOf(extended(left, 10, -1, VISIBLE, COUNT) as MarkedRange)).toEqual({ from: 9, to: 11 });
    expect(extended(right, 10, -1, VISIBLE, COUNT)).toBeNull();
  });

  it('grows by more events if more are visible, and stops at its anchor', () => {
    const visible = { from: 0, to: COUNT };
    const mark = extended(null, 100, 1, visible, COUNT) as MarkedRange;
    expect(eventsOf(mark)).toEqual({ from: 100, to: 110 });
    expect(extended({ anchor: 100, head: 105 }, 100, -1, visible, COUNT)).toBeNull();
  });

  it('stays within the trace after random steps', () => {
    const random = randomFrom(7);
    let mark: MarkedRange | null = null;
    for (let round = 0; round < 3000; round++) {
      const visible = { from: 0, to: 1 + random() * COUNT };
      const cursor = Math.floor(random() * COUNT);
      mark = extended(mark, cursor, random() < 0.5 ? -1 : 1, visible, COUNT);
      if (mark === null) continue;
      const { from, to } = eventsOf(mark);
      expect(from >= 0 && to <= COUNT && from < to, `seed 7, round ${round}`).toBe(true);
    }
  });
});
