import { itemAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { EventStreamReader, type StreamMessage } from '../src/model/event-stream';
import { CURVE_MILLIS, LiveCurve, peakOf } from '../src/model/live/live-curve';
import { LiveLog, type LogLine } from '../src/model/live/live-log';
import { eventOf, frameOf } from './live-frames';

const [ALLOC, FREE, COMPLETED, SEGMENT, OOM] = [0, 1, 2, 3, 8];
const SITES = ['', 'forward'];

function textOf(lines: readonly LogLine[]): string[] {
  return lines.map((line) => ('skipped' in line ? `${line.skipped} more` : `${line.number} ${line.name}`));
}

describe('the log', () => {
  it('counts the events that it does not list', () => {
    const log = new LiveLog();
    log.apply(frameOf({ v: 1, from: 0, events: 11, log: [eventOf(9, SEGMENT), eventOf(10, ALLOC)] }), SITES);
    log.apply(frameOf({ v: 2, from: 1, events: 501, log: [eventOf(400, ALLOC)] }), SITES);
    expect(textOf(log.last(10, 'all'))).toEqual(['9 segment_alloc', '10 alloc', '389 more', '400 alloc', '100 more']);
  });

  it('numbers events from 0, as traces do', () => {
    const log = new LiveLog();
    log.apply(frameOf({ v: 1, from: 0, events: 0 }), SITES);
    log.apply(frameOf({ v: 2, from: 1, events: 2, log: [eventOf(0, SEGMENT), eventOf(1, ALLOC)] }), SITES);
    expect(textOf(log.last(10, 'all'))).toEqual(['0 segment_alloc', '1 alloc']);
  });

  it('merges skipped events of consecutive frames', () => {
    const log = new LiveLog();
    log.apply(frameOf({ v: 1, from: 0, events: 0 }), SITES);
    log.apply(frameOf({ v: 2, from: 1, events: 5 }), SITES);
    log.apply(frameOf({ v: 3, from: 2, events: 9 }), SITES);
    expect(textOf(log.last(10, 'all'))).toEqual(['9 more']);
  });

  it('expects no completion event after a free that completes immediately', () => {
    const log = new LiveLog();
    log.apply(frameOf({ v: 1, from: 0, events: 2, log: [eventOf(1, ALLOC)] }), SITES);
    log.apply(frameOf({ v: 2, from: 1, events: 5, log: [eventOf(2, FREE), eventOf(4, ALLOC)] }), SITES);
    expect(textOf(log.last(10, 'all'))).toEqual(['1 alloc', '2 free_requested', '4 alloc']);
  });

  it('filters events', () => {
    const log = new LiveLog();
    const all = [eventOf(1, SEGMENT), eventOf(2, ALLOC), eventOf(3, FREE), eventOf(5, COMPLETED), eventOf(6, OOM, 77)];
    log.apply(frameOf({ v: 1, from: 0, events: 9, log: all }), SITES);
    expect(textOf(log.last(10, 'segments'))).toEqual(['1 segment_alloc']);
    expect(textOf(log.last(10, 'blocks'))).toEqual(['2 alloc', '3 free_requested', '5 free_completed']);
    expect(textOf(log.last(10, 'failures'))).toEqual(['6 oom']);
    expect(log.failures).toEqual([77]);
    expect(log.lines[0]).toMatchObject({ site: 'forward' });
  });
});

describe('the curve', () => {
  it('keeps one minute and one point before it', () => {
    const curve = new LiveCurve();
    for (let i = 0; i <= 200; i++) {
      const now = i * 1000;
      curve.apply(frameOf({ v: i + 1, from: i, now, points: [[now, 1, 2, 3, 4 + (i === 150 ? 9 : 0)]] }));
    }
    expect(itemAt(curve.points, 0).millis).toBeLessThanOrEqual(200_000 - CURVE_MILLIS);
    expect(itemAt(curve.points, 1).millis).toBeGreaterThanOrEqual(200_000 - CURVE_MILLIS);
    expect(peakOf(curve.points)).toBe(13);
  });

  it('is reset by a frame with the full state', () => {
    const curve = new LiveCurve();
    curve.apply(frameOf({ v: 1, from: 0, now: 5, points: [[5, 1, 1, 1, 1]] }));
    curve.apply(frameOf({ v: 1, from: 0, now: 6, points: [] }));
    expect(curve.points).toEqual([]);
    expect(peakOf(curve.points)).toBe(0);
  });
});

describe('a stream of server-sent events', () => {
  const TEXT = 'data: {"v":1}\n\n:\n\nevent: end\ndata: "closed"\n\ndata: half';

  it('is parsed independently of chunk boundaries', () => {
    for (let size = 1; size <= TEXT.length; size++) {
      const reader = new EventStreamReader();
      const messages: StreamMessage[] = [];
      for (let at = 0; at < TEXT.length; at += size) messages.push(...reader.push(TEXT.slice(at, at + size)));
      expect(messages).toEqual([
        { event: 'message', data: '{"v":1}' },
        { event: 'end', data: '"closed"' },
      ]);
    }
  });
});
