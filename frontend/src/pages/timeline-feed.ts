import { Latest } from '../base/latest';
import { heightsOf } from '../model/heights';
import { overlaps, sizeOf, whole } from '../model/span';
import type { Timeline } from '../model/timeline';
import type { TimelineView } from '../model/timeline-view';
import type { Server, TimelineWish } from './server';

interface Pixels {
  readonly width: number;
  readonly height: number;
}

/**
 * The server sums up what is thinner than half a pixel; a picture asked for some times taller shows thinner ones as
 * texture, which says more than one grey band. Few events have few allocations and can afford more. The first answer is the
 * light one, so that something is seen at once.
 */
const FINER = 2;
const FINER_CLOSE = 6;
const CLOSE_EVENTS = 100_000;
/** The server draws no larger pictures. */
const MOST_PIXELS = 8192;

/** A picture of only some heights is a taller one of which a part is shown: at most this many times. */
const TALLEST = 16;

/**
 * Keeps the picture fed: `overview` is the whole trace, `detail` the newest answer for what is in sight. While a new
 * one is on the way the old one stays, to be drawn at its new place.
 */
export class TimelineFeed {
  overview: Timeline | null = null;
  detail: Timeline | null = null;
  private asked: TimelineWish | null = null;
  private readonly requests: Latest<TimelineWish, Timeline>;

  constructor(server: Server, received: (first: boolean) => void, failed: (error: unknown) => void) {
    this.requests = new Latest(
      (wish, signal) => server.timeline(wish, signal),
      (_wish, timeline) => {
        const first = this.overview === null;
        this.overview ??= timeline;
        this.detail = timeline;
        received(first);
      },
      (_wish, error) => {
        this.asked = null;
        failed(error);
      },
      (running, wish) => running.span === null || wish.span === null || overlaps(running.span, wish.span),
    );
  }

  /** Asks for the whole trace: in full when that is what will be in sight, else only its outline. */
  start(pixels: Pixels, inSight: boolean): void {
    this.ask({ span: null, width: pixels.width, height: inSight ? pixels.height * FINER : 1 });
  }

  /** Asks for what `view` shows, unless that is what was asked last. */
  want(view: TimelineView, pixels: Pixels): void {
    const { overview, detail } = this;
    if (overview === null || detail === null || overview.eventCount === 0) return;
    const span = whole(view.span);
    const fits = span.from <= 0 && span.to >= overview.eventCount;
    const { low, high } = heightsOf(overview, detail, view.span, view.heights);
    const taller = view.heights === 'span' ? Math.min(TALLEST, 2 ** Math.ceil(Math.log2(high / (high - low)))) : 1;
    const finer = sizeOf(span) <= CLOSE_EVENTS ? FINER_CLOSE : FINER;
    this.ask({ span: fits ? null : span, width: pixels.width, height: pixels.height * finer * taller });
  }

  private ask(wish: TimelineWish): void {
    const cut = { ...wish, width: Math.min(MOST_PIXELS, wish.width), height: Math.min(MOST_PIXELS, wish.height) };
    if (this.asked !== null && same(this.asked, cut)) return;
    this.asked = cut;
    this.requests.want(cut);
  }
}

function same(one: TimelineWish, other: TimelineWish): boolean {
  return (
    one.width === other.width &&
    one.height === other.height &&
    one.span?.from === other.span?.from &&
    one.span?.to === other.span?.to
  );
}
