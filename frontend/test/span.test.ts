import { describe, expect, it } from 'vitest';
import { bytesAt, eventAt, xOf, yOf } from '../src/model/plot';
import { centred, clamped, LEAST_EVENTS, panned, sizeOf, zoomed } from '../src/model/span';
import { readSpan, readTimelineView, writeTimelineView } from '../src/model/timeline-view';
import { randomFrom } from './random';

const COUNT = 10_000;

describe('a span', () => {
  it('keeps the event under the pointer when zoomed', () => {
    const random = randomFrom(3);
    for (let round = 0; round < 500; round++) {
      const from = 2000 + random() * 3000;
      const span = { from, to: from + 100 + random() * 2000 };
      const share = random();
      const closer = zoomed(span, 0.3 + random() * 0.7, share, COUNT);
      const before = span.from + share * sizeOf(span);
      expect(closer.from + share * sizeOf(closer), `seed 3, round ${round}`).toBeCloseTo(before, 6);
    }
  });

  it('stays inside the trace whatever is done to it', () => {
    const random = randomFrom(4);
    let span = { from: 0, to: COUNT };
    for (let round = 0; round < 2000; round++) {
      const choice = random();
      if (choice < 0.4) span = zoomed(span, 2 ** (random() * 8 - 4), random(), COUNT);
      else if (choice < 0.8) span = panned(span, random() * 6 - 3, COUNT);
      else span = centred(span, random() * COUNT, random() * COUNT, COUNT);
      const failure = `seed 4, round ${round}: ${span.from} to ${span.to}`;
      expect(span.from >= 0 && span.to <= COUNT + 1e-6, failure).toBe(true);
      expect(sizeOf(span) >= LEAST_EVENTS - 1e-6, failure).toBe(true);
    }
  });

  it('keeps its size when panned against an end', () => {
    expect(panned({ from: 100, to: 300 }, -5, COUNT)).toEqual({ from: 0, to: 200 });
    expect(panned({ from: 100, to: 300 }, Infinity, COUNT)).toEqual({ from: 9800, to: 10_000 });
  });

  it('is the whole of a trace that is shorter than the closest zoom', () => {
    expect(clamped({ from: 5, to: 9 }, 2)).toEqual({ from: 0, to: 2 });
    expect(zoomed({ from: 0, to: 2 }, 0.1, 0.5, 2)).toEqual({ from: 0, to: 2 });
  });
});

describe('the plot', () => {
  const plot = { area: { left: 70, top: 30, width: 500, height: 200 }, span: { from: 40, to: 60 }, low: 10, high: 20 };

  it('goes from events to pixels and back', () => {
    expect(xOf(plot, 40)).toBe(70);
    expect(xOf(plot, 60)).toBe(570);
    expect(eventAt(plot, xOf(plot, 47.5))).toBeCloseTo(47.5);
    expect(yOf(plot, 20)).toBe(30);
    expect(bytesAt(plot, yOf(plot, 12.5))).toBeCloseTo(12.5);
  });
});

describe('the address of a timeline', () => {
  it('restores what was in sight', () => {
    const view = { span: { from: 120, to: 480 }, heights: 'span', selected: 17 } as const;
    const query = writeTimelineView('device=1&from=3', view, COUNT);
    expect(new URLSearchParams(query).get('device')).toBe('1');
    expect(readTimelineView(query, null, COUNT)).toEqual(view);
  });

  it('stays short for the whole trace', () => {
    const view = { span: { from: 0, to: COUNT }, heights: 'zero', selected: null } as const;
    expect(writeTimelineView('from=1&to=9&sel=3&device=2', view, COUNT)).toBe('device=2');
  });

  it('falls back where it makes no sense', () => {
    const whole = { from: 0, to: COUNT };
    for (const query of ['', 'from=9&to=3', 'from=-4&to=x', 'from=1e3&to=2e3', 'sel=%00&heights=tall']) {
      expect(readTimelineView(query, null, COUNT)).toEqual({ span: whole, heights: 'zero', selected: null });
    }
    expect(readTimelineView('', { from: 10, to: 50 }, COUNT).span).toEqual({ from: 10, to: 50 });
    expect(readTimelineView('from=9990&to=99999', null, COUNT).span.to).toBe(COUNT);
  });

  it('takes a first span from the server', () => {
    expect(readSpan('10,50')).toEqual({ from: 10, to: 50 });
    for (const text of ['', '5', '9,3', 'a,b', '1,2.5']) expect(readSpan(text)).toBeNull();
  });
});
