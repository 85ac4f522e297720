import type { RawFrame } from '../model/live-frame';

const WINDOW_MILLIS = 2000;

/** How many events and frames come in a second, over the last two. */
export class Rate {
  private readonly seen: { millis: number; events: number }[] = [];

  count(frame: RawFrame, millis: number): void {
    if (frame.from === 0) this.seen.length = 0;
    this.seen.push({ millis, events: frame.events });
    while (this.seen[0].millis < millis - WINDOW_MILLIS) this.seen.shift();
  }

  get eventsPerSecond(): number {
    const [first, last] = [this.seen[0], this.seen.at(-1)];
    if (first === undefined || last === undefined || last.millis - first.millis < 1) return 0;
    return ((last.events - first.events) * 1000) / (last.millis - first.millis);
  }

  get framesPerSecond(): number {
    const [first, last] = [this.seen[0], this.seen.at(-1)];
    if (first === undefined || last === undefined || last.millis - first.millis < 1) return 0;
    return ((this.seen.length - 1) * 1000) / (last.millis - first.millis);
  }
}
