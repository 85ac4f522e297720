import { byteAt, intAt } from '../../base/at';
import { LatestRequest } from '../../base/latest-request';
import { type EventRange, roundedOut } from '../../model/event-range';
import { eventsOfRange, type NamedRanges, rangeAt, rangeText, sameRange } from '../../model/named-ranges';
import { contains, eventAt, type Plot, xOf } from '../../model/plot';
import type { TimeScale } from '../../model/time-scale';
import { type Palette, readPalette } from '../../render/palette';
import { LANE_PIXELS, RangeStripPainter } from '../../render/range-strip-painter';
import { PaintScheduler } from '../display/animation';
import { element } from '../display/element';
import { Problem } from '../display/problem';
import type { SnapshotClient } from '../snapshot/snapshot-client';
import { onThemeChange } from '../display/theme';

const INTERVAL_MILLIS = 100;

interface StripQuery {
  readonly range: EventRange;
  readonly width: number;
}

/**
 * The steps and annotations of a recording in a strip above a chart over events; a click marks the events of one. Without
 * any, there is no strip.
 */
export class RangeStrip {
  readonly root: HTMLElement;
  private readonly canvas = element('canvas', {
    class: 'range-strip-canvas',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'steps and annotations',
    'aria-label': 'Steps and annotations. Arrow keys move between them, Enter marks the events of one.',
  });
  private readonly name = element('p', { class: 'range-strip-name', role: 'status', hidden: '' });
  private readonly note = element('p', { class: 'range-strip-note small muted', hidden: '' });
  private readonly painter = new RangeStripPainter(this.canvas);
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly requests: LatestRequest<StripQuery, NamedRanges>;
  private palette: Palette | null = null;
  private ranges: NamedRanges | null = null;
  private visible: EventRange = { from: 0, to: 1 };
  private scale: TimeScale | null = null;
  private requested = '';
  private chosen = -1;

  constructor(
    client: SnapshotClient,
    private readonly mark: (range: EventRange) => void,
  ) {
    this.root = element('div', { class: 'range-strip', hidden: '' }, this.canvas, this.name, this.note);
    this.requests = new LatestRequest(
      ({ range, width }, signal) => client.namedRanges(range, width, signal),
      (_query, ranges) => this.received(ranges),
      (_query, error) => {
        this.requested = '';
        this.note.hidden = false;
        this.root.hidden = false;
        this.note.textContent = `Steps and annotations: ${Problem.of(error).detail ?? Problem.of(error).title}`;
      },
      () => true,
      INTERVAL_MILLIS,
    );
    this.listen();
  }

  /** Shows the ranges of the visible events; called after each change of the view. */
  show(visible: EventRange, scale: TimeScale | null = null): void {
    this.visible = visible;
    this.scale = scale;
    const range = roundedOut(visible);
    const width = Math.max(100, Math.round(this.painter.area.width));
    const key = `${range.from}-${range.to}/${width}`;
    if (key !== this.requested) {
      this.requested = key;
      this.requests.request({ range, width });
    }
    this.paintScheduler.request();
  }

  private received(ranges: NamedRanges): void {
    const chosen = this.ranges === null ? -1 : sameRange(this.ranges, this.chosen, ranges);
    this.ranges = ranges;
    this.root.hidden = ranges.laneCount === 0 && ranges.note === '';
    this.canvas.hidden = ranges.laneCount === 0;
    this.canvas.style.height = `${ranges.laneCount * LANE_PIXELS + 4}px`;
    this.note.hidden = ranges.note === '';
    this.note.textContent = ranges.note;
    this.choose(chosen);
  }

  private plot(): Plot {
    return { area: this.painter.area, range: this.visible, low: 0, high: 1, scale: this.scale };
  }

  private rangeAt(x: number, y: number): number {
    const plot = this.plot();
    if (this.ranges === null || !contains(plot.area, x, y)) return -1;
    return rangeAt(this.ranges, Math.floor((y - plot.area.top) / LANE_PIXELS), eventAt(plot, x));
  }

  private choose(chosen: number): void {
    const { ranges } = this;
    this.chosen = chosen;
    this.name.hidden = ranges === null || chosen < 0;
    if (ranges !== null && chosen >= 0) {
      this.name.textContent = rangeText(ranges, chosen);
      const plot = this.plot();
      const x = Math.max(plot.area.left, xOf(plot, intAt(ranges.first, chosen)));
      this.name.style.left = `${Math.max(0, Math.min(x, this.canvas.clientWidth - this.name.offsetWidth - 8))}px`;
      this.name.style.top = `${(byteAt(ranges.lane, chosen) + 1) * LANE_PIXELS + 4}px`;
    }
    this.paintScheduler.request();
  }

  private markChosen(): void {
    if (this.ranges !== null && this.chosen >= 0) this.mark(eventsOfRange(this.ranges, this.chosen));
  }

  /** Moves to the next (1) or previous (-1) range, or to one in the next lane. */
  private step(by: -1 | 1, isLane: boolean): void {
    const { ranges, chosen } = this;
    if (ranges === null || ranges.lane.length === 0) return;
    const at = chosen < 0 ? this.visible.from : intAt(ranges.first, chosen);
    const lane = chosen < 0 ? 0 : byteAt(ranges.lane, chosen) + (isLane ? by : 0);
    const inLane = [...ranges.lane.keys()].filter((i) => ranges.lane[i] === lane);
    const last = inLane.at(-1);
    if (last === undefined) return;
    if (isLane || chosen < 0) this.choose(inLane.find((i) => intAt(ranges.end, i) > at) ?? last);
    else this.choose(inLane[inLane.indexOf(chosen) + by] ?? chosen);
  }

  private paint(): void {
    if (this.root.hidden || this.ranges === null) return;
    this.painter.fit();
    this.palette ??= readPalette(this.root);
    this.painter.paint(this.palette, this.plot(), this.ranges, this.chosen);
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
      const range = this.rangeAt(offsetX, offsetY);
      if (range !== this.chosen) this.choose(range);
    });
    canvas.addEventListener('pointerleave', () => this.choose(-1));
    canvas.addEventListener('blur', () => this.choose(-1));
    canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      this.choose(this.rangeAt(offsetX, offsetY));
      this.markChosen();
    });
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.step(-1, false),
      ArrowRight: () => this.step(1, false),
      ArrowUp: () => this.step(-1, true),
      ArrowDown: () => this.step(1, true),
      Enter: () => this.markChosen(),
      Escape: () => this.choose(-1),
    };
    canvas.addEventListener('keydown', (event) => {
      const action = keys[event.key];
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      action();
    });
    onThemeChange(() => {
      this.palette = null;
      this.paintScheduler.request();
    });
    new ResizeObserver(() => {
      this.show(this.visible, this.scale);
      this.paint();
    }).observe(canvas);
  }
}
