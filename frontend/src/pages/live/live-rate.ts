import type { RawFrame } from '../../model/live/live-frame';

const WINDOW_MILLIS = 2000;

/** Events and frames per second, averaged over the last two seconds. */
export class FeedRate {
  private readonly samples: { millis: number; events: number }[] = [];

  add(frame: RawFrame, millis: number): void {
    if (frame.from === 0) this.samples.length = 0;
    this.samples.push({ millis, events: frame.events });
    while ((this.samples[0]?.millis ?? millis) < millis - WINDOW_MILLIS) this.samples.shift();
  }

  get eventsPerSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.millis - first.millis < 1) return 0;
    return ((last.events - first.events) * 1000) / (last.millis - first.millis);
  }

  get framesPerSecond(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.millis - first.millis < 1) return 0;
    return ((this.samples.length - 1) * 1000) / (last.millis - first.millis);
  }
}
