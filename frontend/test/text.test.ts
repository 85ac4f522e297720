import { describe, expect, it } from 'vitest';
import {
  addressText,
  countedText,
  countText,
  poolText,
  shareText,
  sharesOf,
  shareTexts,
  streamText,
} from '../src/base/numbers';
import { reservedParts } from '../src/model/ledger-parts';
import { decodeTimeline } from '../src/model/timeline';
import { SnapshotLinks } from '../src/model/snapshot-links';
import { announcementText, summaryText } from '../src/pages/timeline/timeline-text';
import { durationText, relativeTimeLabel, relativeTimeText } from '../src/base/time';
import { encodeTimeline, syntheticTrace } from './synthetic-timeline';

describe('numbers as text', () => {
  it('group thousands and use the right plural', () => {
    expect(countText(1_234_567)).toBe('1,234,567');
    expect(countedText(1, 'event')).toBe('1 event');
    expect(countedText(2000, 'event')).toBe('2,000 events');
  });

  it('do not round a small share to zero', () => {
    expect(shareText(1, 100_000)).toBe('under 0.1 %');
    expect(shareText(0, 5)).toBe('0 %');
    expect(shareText(1, 8)).toBe('12.5 %');
    expect(shareText(5, 5)).toBe('100 %');
    expect(shareText(1, 0)).toBe('–');
  });

  it('are shares that add up', () => {
    expect(shareTexts([4905, 5017, 78], 10_000)).toEqual(['49.0 %', '50.2 %', '0.8 %']);
    expect(shareTexts([1, 999_999, 0], 1_000_000)).toEqual(['under 0.1 %', '100 %', '0 %']);
    expect(shareTexts([5], 0)).toEqual(['–']);
  });

  it('are shares of groups that are the sums of those of the parts', () => {
    const ledger = new Map([
      ['live-requested', 4988],
      ['pending-free', 326],
      ['cached-releasable', 4684],
      ['unreleasable', 2],
      ['device-free', 77_777],
    ]);
    const parts = reservedParts(ledger);
    expect(parts).toEqual([[4988], [326], [4684, 2]]);
    expect(shareTexts([4988, 326, 4684, 2], 10_000)).toEqual(['49.9 %', '3.3 %', '46.8 %', 'under 0.1 %']);
    expect(sharesOf(parts, 10_000)).toEqual(['49.9 %', '3.3 %', '46.8 %']);
    expect(sharesOf([[0], [1, 1]], 1_000_000)).toEqual(['0 %', 'under 0.1 %']);
    expect(sharesOf([[5]], 0)).toEqual(['–']);
  });

  it('name pools as the tables do', () => {
    expect(poolText('(0, 0)')).toBe('default');
    expect(poolText('(3, 0)')).toBe('private (3, 0)');
  });

  it('format streams as the server does', () => {
    expect(streamText(0)).toBe('0');
    expect(streamText(4095)).toBe('4095');
    expect(streamText(117440512)).toBe('0x7000000');
    expect(streamText(-1)).toBe('0xffffffffffffffff');
  });

  it('format addresses above 2^53 exactly', () => {
    expect(addressText(0xffff_ffff_ffff_fe01n)).toBe('0xfffffffffffffe01');
  });
});

describe('times as text', () => {
  it('use the largest fitting unit', () => {
    expect(durationText(0)).toBe('0 µs');
    expect(durationText(870)).toBe('870 µs');
    expect(durationText(12_300)).toBe('12.3 ms');
    expect(durationText(100_000)).toBe('100 ms');
    expect(durationText(1_500_000)).toBe('1.5 s');
    expect(durationText(192_000_000)).toBe('3.2 min');
    expect(durationText(NaN)).toBe('unknown');
  });

  it('format times relative to the start', () => {
    expect(relativeTimeText(12_300)).toBe('+12.3 ms');
    expect(relativeTimeText(-12_300)).toBe('-12.3 ms');
  });

  it('label adjacent ticks differently', () => {
    expect(relativeTimeLabel(40_330_000, 70_000)).toBe('+40.33 s');
    expect(relativeTimeLabel(40_000_000, 10_000_000)).toBe('+40 s');
    expect(relativeTimeLabel(0, 10)).toBe('+0');
  });
});

describe('the summary of the timeline', () => {
  const trace = syntheticTrace(5, 6, 8);
  const whole = decodeTimeline(encodeTimeline(trace, 0, trace.eventCount, 400, 300));

  it('has the allocations of the range, and how many of them are drawn', () => {
    const text = summaryText({ ...whole, allocationCount: 7134, drawnCount: 312, summarizedCount: 6000 });
    expect(text).toContain(
      '7,134 allocations, 312 of them drawn individually, 6,000 are too small, and 822 are active only between two columns of pixels.',
    );
    expect(text).toContain(` in the whole trace at event `);
  });

  it('counts the failed requests of the range and of the trace', () => {
    const oom = { ...whole.ooms[0], event: 5 } as (typeof whole.ooms)[number];
    const ooms = [oom, { ...oom, event: 50 }, { ...oom, event: 100 }];
    expect(summaryText({ ...whole, from: 40, to: 100, ooms })).toContain(
      '1 request failed with an out-of-memory error in this range, 3 in the whole trace.',
    );
  });

  it('has a peak from before the recording without an event', () => {
    expect(summaryText({ ...whole, peakEvent: NaN })).toContain(' in the whole trace before the first recorded event.');
  });
});

describe('the announcement of an allocation', () => {
  const details = {
    requestedBytes: 2 ** 21,
    allocatedBytes: null,
    allocationEvent: 1200,
    freeRequestedEvent: null,
    freeCompletedEvent: null,
    site: { name: 'forward', file: '/me/model.py', line: 42 },
  };

  it('has size, site and lifetime', () => {
    expect(announcementText(details, false)).toBe(
      '2 MiB, forward model.py:42, allocated at event 1,200, live at the end',
    );
    expect(announcementText({ ...details, freeCompletedEvent: 1300, site: null }, true)).toBe(
      'Pinned: 2 MiB, no stack, allocated at event 1,200, freed at event 1,300',
    );
    expect(announcementText({ ...details, allocationEvent: null }, false)).toContain('before the first event');
  });
});

describe('links within a snapshot', () => {
  it('are the URLs of the server', () => {
    const links = new SnapshotLinks('/snapshots/0123', '1');
    expect(links.event(7)).toBe('/snapshots/0123/timeline?device=1&event=7');
    expect(links.allocation(7)).toBe('/snapshots/0123/timeline?device=1&sel=7');
    expect(links.block('0x7f00')).toBe('/snapshots/0123/segments?device=1&sel=0x7f00');
    expect(links.site(7)).toBe('/snapshots/0123/sites?device=1&site=7#site');
    expect(links.failure(0)).toBe('/snapshots/0123/oom?device=1&n=0');
  });
});
