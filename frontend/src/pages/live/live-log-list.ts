import { bytesText } from '../../base/bytes';
import { countedText, countText } from '../../base/numbers';
import type { EventName, LiveEvent, LiveLog, LogFilter, LogLine } from '../../model/live/live-log';
import { element, fill } from '../display/element';

const MAX_SHOWN = 60;
/** Minimum time between updates of the list. */
const PERIOD_MILLIS = 250;

const LABELS: Record<EventName, string> = {
  alloc: 'allocated',
  free_requested: 'freed',
  free_completed: 'free completed',
  segment_alloc: 'segment acquired',
  segment_free: 'segment released',
  segment_map: 'pages mapped',
  segment_unmap: 'pages unmapped',
  snapshot: 'snapshot taken',
  oom: 'OUT OF MEMORY',
  user_defined: 'user-defined event',
  annotate: 'annotated',
  unknown: 'unknown event',
};

/** The event log on the page, newest first, updated a few times a second. */
export class LiveLogList {
  private paused = false;
  private filter: LogFilter = 'all';
  private updateMillis = 0;
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
    this.update();
  }

  show(filter: LogFilter): void {
    this.filter = filter;
    this.update(true);
  }

  scheduleUpdate(): void {
    if (this.paused || this.timer !== 0) return;
    const wait = Math.max(0, this.updateMillis + PERIOD_MILLIS - performance.now());
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.update();
    }, wait);
  }

  private update(force = false): void {
    if (this.paused && !force) return;
    this.updateMillis = performance.now();
    const lines = this.log.last(MAX_SHOWN, this.filter).reverse();
    if (lines.length > 0) fill(this.list, ...lines.map(item));
    else {
      const text =
        this.filter === 'all'
          ? 'No events since this page was opened.'
          : 'No matching events since this page was opened.';
      fill(this.list, element('li', { class: 'muted' }, text));
    }
  }
}

function item(line: LogLine): HTMLElement {
  if ('skipped' in line) {
    return element('li', { class: 'log-skipped' }, `${countedText(line.skipped, 'event')} not listed`);
  }
  return element(
    'li',
    { class: line.name === 'oom' ? 'log-oom' : null },
    element('span', { class: 'log-number' }, numberOf(line)),
    element('span', { class: 'log-event' }, `${LABELS[line.name]} ${bytesText(line.bytes)}`),
    element('span', { class: 'log-details' }, detailsText(line)),
  );
}

/** The event's number in the recorded history; for a listed failure, a link to it. */
function numberOf({ name, number }: LiveEvent): HTMLElement | string {
  const text = countText(number);
  const failure = `incident-${number}`;
  const isListed = name === 'oom' && document.getElementById(failure) !== null;
  return isListed ? element('a', { href: `#${failure}` }, text) : text;
}

function detailsText(event: LiveEvent): string {
  const stream = `stream ${event.stream}`;
  if (event.name === 'oom') return `${stream}, ${bytesText(event.extra)} free on the device, ${event.site}`;
  return [stream, event.site].filter((part) => part !== '').join(', ');
}
