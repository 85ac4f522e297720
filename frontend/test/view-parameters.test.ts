import { describe, expect, it } from 'vitest';
import { carried, completed, flameQuery, withCursor } from '../src/model/view-parameters';

describe('a tab', () => {
  it('opens with what the page shows', () => {
    const shown = 'device=1&from=5&to=90&event=7&sel=3&range=6-8&text=a+b&scale=fit&by=live';
    const view = 'from=5&to=90&event=7&sel=3&range=6-8&text=a+b';
    expect(carried('/snapshots/x/events', shown)).toBe(`/snapshots/x/events?${view}`);
    expect(carried('/snapshots/x/flame?device=1', shown)).toBe(`/snapshots/x/flame?device=1&${view}`);
  });

  it('forgets what the page no longer shows', () => {
    expect(carried('/snapshots/x?device=1&event=3&sel=8', 'device=1')).toBe('/snapshots/x?device=1');
    expect(carried('/snapshots/x?event=3', '')).toBe('/snapshots/x');
  });

  it('does not select an address, which only one page knows', () => {
    expect(carried('/snapshots/x', 'sel=0x7f00&event=2')).toBe('/snapshots/x?event=2');
  });
});

describe('a link within a view', () => {
  it('keeps what is shown besides', () => {
    const shown = '?from=5&to=90&event=7&sel=3&text=a';
    expect(completed('/s/x/segments?sel=0x7f', shown)).toBe('/s/x/segments?sel=0x7f&from=5&to=90&event=7&text=a');
    expect(completed('/s/x/sites?site=4#site', shown)).toBe('/s/x/sites?site=4&from=5&to=90&event=7&sel=3&text=a#site');
    expect(completed('/s/x/events?address=0x7f', shown)).toBe('/s/x/events?address=0x7f&from=5&to=90&event=7&sel=3');
    expect(completed('/s/x/timeline', '')).toBe('/s/x/timeline');
  });

  it('leaves a range that does not contain its event', () => {
    expect(completed('/s/x/timeline?event=8', '?from=5&to=90')).toBe('/s/x/timeline?event=8&from=5&to=90');
    expect(completed('/s/x/timeline?event=90&device=1', '?from=5&to=90&sel=3')).toBe(
      '/s/x/timeline?event=90&device=1&sel=3',
    );
  });
});

describe('the cursor', () => {
  it('moves within the visible range', () => {
    expect(withCursor('from=10&to=20&event=11', 19, 1000)).toBe('from=10&to=20&event=19');
    expect(withCursor('from=10&to=20&event=11', null, 1000)).toBe('from=10&to=20');
  });

  it('takes the visible range with it', () => {
    for (const event of [0, 9, 20, 500, 999]) {
      const moved = new URLSearchParams(withCursor('from=10&to=20', event, 1000));
      const [from, to] = [Number(moved.get('from')), Number(moved.get('to'))];
      expect(from <= event && event < to && to <= 1000 && to - from <= 11, String(moved)).toBe(true);
    }
  });

  it('leaves a range alone that makes no sense', () => {
    for (const query of ['from=9&to=3', 'from=a&to=5', 'from=2000&to=3000']) {
      expect(withCursor(query, 5, 1000)).toBe(`${query}&event=5`);
    }
    expect(withCursor('from=0&to=5', null, 0)).toBe('from=0&to=5');
  });
});

describe('the flame graph', () => {
  const url = (form: string, query: string) => flameQuery(new URLSearchParams(form), query);

  it('has the cursor as its moment', () => {
    expect(url('at=7', 'event=3&sel=2')).toBe('event=7&sel=2');
    expect(url('at=7', '')).toBe('event=7');
  });

  it('keeps the cursor of the other pages at another moment', () => {
    expect(url('frames=all', 'event=3')).toBe('frames=all&event=3&at=peak');
    expect(url('at=end', 'event=3')).toBe('at=end&event=3');
    expect(url('frames=all', '')).toBe('frames=all');
  });
});
