import { describe, expect, it } from 'vitest';
import { bytesAt, eventAt, xOf, yOf } from '../src/model/plot';
import { centred, clamped, MIN_EVENTS, panned, sizeOf, zoomed } from '../src/model/event-range';
import { readTimelineView, writeTimelineView } from '../src/model/timeline-view';
import { randomFrom } from './random';

const COUNT = 10_000;

describe('an event range', () => {
  it('keeps the event under the pointer while zooming', () => {
    const random = randomFrom(3);
    for (let round = 0; round < 500; round++) {
      const from = 2000 + random() * 3000;
      const range = { from, to: from + 100 + random() * 2000 };
      const share = random();
      const zoomedIn = zoomed(range, 0.3 + random() * 0.7, share, COUNT);
      const before = range.from + share * sizeOf(range);
      expect(zoomedIn.from + share * sizeOf(zoomedIn), `seed 3, round ${round}`).toBeCloseTo(before, 6);
    }
  });

  it('stays inside the trace after random changes', () => {
    const random = randomFrom(4);
    let range = { from: 0, to: COUNT };
    for (let round = 0; round < 2000; round++) {
      const choice = random();
      if (choice < 0.4) range = zoomed(range, 2 ** (random() * 8 - 4), random(), COUNT);
      else if (choice < 0.8) range = panned(range, random() * 6 - 3, COUNT);
      else range = centred(range, random() * COUNT, random() * COUNT, COUNT);
      const failure = `seed 4, round ${round}: ${range.from} to ${range.to}`;
      expect(range.from >= 0 && range.to <= COUNT + 1e-6, failure).toBe(true);
      expect(sizeOf(range) >= MIN_EVENTS - 1e-6, failure).toBe(true);
    }
  });

  it('keeps its size when panned beyond an end', () => {
    expect(panned({ from: 100, to: 300 }, -5, COUNT)).toEqual({ from: 0, to: 200 });
    expect(panned({ from: 100, to: 300 }, Infinity, COUNT)).toEqual({ from: 9800, to: 10_000 });
  });

  it('covers the whole trace if the trace is shorter than the zoom limit', () => {
    expect(clamped({ from: 5, to: 9 }, 2)).toEqual({ from: 0, to: 2 });
    expect(zoomed({ from: 0, to: 2 }, 0.1, 0.5, 2)).toEqual({ from: 0, to: 2 });
  });
});

describe('the plot', () => {
  const plot = { area: { left: 70, top: 30, width: 500, height: 200 }, range: { from: 40, to: 60 }, low: 10, high: 20 };

  it('converts events and bytes to pixels and back', () => {
    expect(xOf(plot, 40)).toBe(70);
    expect(xOf(plot, 60)).toBe(570);
    expect(eventAt(plot, xOf(plot, 47.5))).toBeCloseTo(47.5);
    expect(yOf(plot, 20)).toBe(30);
    expect(bytesAt(plot, yOf(plot, 12.5))).toBeCloseTo(12.5);
  });
});

describe('the URL of a timeline', () => {
  it('restores the view', () => {
    const mark = { anchor: 130, head: 170 };
    const view = {
      range: { from: 120, to: 480 },
      scale: 'fit',
      colour: 'age',
      selected: 17,
      event: 300,
      mark,
      text: 'a b',
    } as const;
    const query = writeTimelineView('device=1&from=3', view, COUNT);
    expect(new URLSearchParams(query).get('device')).toBe('1');
    expect(readTimelineView(query, COUNT)).toEqual(view);
  });

  it('has no range for the whole trace', () => {
    const view = {
      range: { from: 0, to: COUNT },
      scale: 'full',
      colour: 'site',
      selected: null,
      event: null,
      mark: null,
      text: null,
    } as const;
    expect(writeTimelineView('from=1&to=9&sel=3&device=2', view, COUNT)).toBe('device=2');
  });

  it('falls back to defaults for invalid values', () => {
    const whole = { from: 0, to: COUNT };
    for (const query of [
      '',
      'from=9&to=3',
      'from=-4&to=x',
      'from=1e3&to=2e3',
      'sel=%00&scale=tall&colour=grey',
      'event=-3',
      'range=9-9',
    ]) {
      expect(readTimelineView(query, COUNT)).toEqual({
        range: whole,
        scale: 'full',
        colour: 'site',
        selected: null,
        event: null,
        mark: null,
        text: null,
      });
    }
    expect(readTimelineView('from=9990&to=99999', COUNT).range.to).toBe(COUNT);
  });

  it('is centred on the cursor', () => {
    const view = readTimelineView('event=5000', COUNT);
    expect(view.event).toBe(5000);
    expect((view.range.from + view.range.to) / 2).toBe(5000.5);
    expect(sizeOf(view.range)).toBe(COUNT / 20);
    expect(readTimelineView('event=5000&from=0&to=100', COUNT).range).toEqual({ from: 0, to: 100 });
    expect(readTimelineView('event=0', COUNT).range.from).toBe(0);
  });

  it('has no cursor outside the trace', () => {
    for (const event of ['-1', 'abc', '1e3', String(COUNT), '99999999999999999999', '']) {
      const view = readTimelineView(`event=${event}`, COUNT);
      expect(view.event).toBeNull();
      expect(view.range).toEqual({ from: 0, to: COUNT });
    }
  });
});
