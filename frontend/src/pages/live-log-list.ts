import { bytesText } from '../base/bytes';
import { countText } from '../base/numbers';
import type { EventName, LiveEvent, LiveLog, LogFilter, LogLine } from '../model/live-log';
import { element, fill } from './element';

const SHOWN = 60;
/** Faster than this nobody reads. */
const PERIOD_MILLIS = 250;

const WORDS: Record<EventName, string> = {
  alloc: 'allocated',
  free_requested: 'freed',
  free_completed: 'free after waiting',
  segment_alloc: 'segment acquired',
  segment_free: 'segment released',
  segment_map: 'pages mapped',
  segment_unmap: 'pages unmapped',
  snapshot: 'snapshot taken',
  oom: 'OUT OF MEMORY',
  annotate: 'annotated',
};

/** The event log on the page, newest first, rewritten a few times a second. */
export class LiveLogList {
  private paused = false;
  private filter: LogFilter = 'all';
  private writtenMillis = 0;
  private timer = 0;

  constructor(
    private readonly list: HTMLElement,
    private readonly log: LiveLog,
  ) {}

  get isPaused(): boolean {
    return this.paused;
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.write();
  }

  show(filter: LogFilter): void {
    this.filter = filter;
    this.write(true);
  }

  changed(): void {
    if (this.paused || this.timer !== 0) return;
    const wait = Math.max(0, this.writtenMillis + PERIOD_MILLIS - performance.now());
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.write();
    }, wait);
  }

  private write(always = false): void {
    if (this.paused && !always) return;
    this.writtenMillis = performance.now();
    const lines = this.log.last(SHOWN, this.filter).reverse();
    if (lines.length === 0) fill(this.list, element('li', { class: 'muted' }, 'Nothing has happened since you look.'));
    else fill(this.list, ...lines.map(item));
  }
}

function item(line: LogLine): HTMLElement {
  if ('skipped' in line) {
    return element('li', { class: 'log-skipped' }, `${countText(line.skipped)} more, too fast to list`);
  }
  return element(
    'li',
    { class: line.name === 'oom' ? 'log-oom' : null },
    element('span', { class: 'log-number' }, countText(line.number)),
    element('span', { class: 'log-what' }, `${WORDS[line.name]} ${bytesText(line.bytes)}`),
    element('span', { class: 'log-where' }, whereText(line)),
  );
}

function whereText(event: LiveEvent): string {
  const stream = `stream ${event.stream}`;
  if (event.name === 'oom') return `${stream}, ${bytesText(event.extra)} free on the card, ${event.site}`;
  return [stream, event.site].filter((part) => part !== '').join(', ');
}
