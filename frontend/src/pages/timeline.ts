import { bytesText } from '../base/bytes';
import { heightsOf } from '../model/heights';
import { bytesAt, contains, eventAt, type Plot, shareAt } from '../model/plot';
import { clamped, equal, panned, type Span, whole, zoomed } from '../model/span';
import { type Hit, hitAt } from '../model/stacking';
import { readSpan, readTimelineView, type TimelineView, writeTimelineView } from '../model/timeline-view';
import { MinimapPainter } from '../render/minimap-painter';
import { type Palette, readPalette } from '../render/palette';
import { TimelinePainter } from '../render/timeline-painter';
import { Address } from './address';
import { AllocationPanel } from './allocation-panel';
import { element } from './element';
import { Repaint } from './motion';
import { listenToHands } from './gestures';
import { onViewKeys } from './keys';
import { listenToMinimap } from './minimap-hands';
import { Problem, problemBox } from './problem';
import { type AllocationFacts, Server } from './server';
import { SpanMover } from './span-mover';
import { onThemeChange } from './theme';
import { TimelineFeed } from './timeline-feed';
import { buildTimelineElements, type TimelineActions, type TimelineElements } from './timeline-elements';
import { timelineKeys } from './timeline-keys';
import { eventText, spanText, summaryText, unnamedText } from './timeline-words';
import { setMessage, setState } from './view-state';

/** The active-memory timeline: brings the feed, the painters, the panel and the hands together. */
class TimelinePage {
  private readonly feed: TimelineFeed;
  /** The span the server suggests to begin with, if any. */
  private readonly suggested: Span | null;
  private readonly panel: AllocationPanel;
  private readonly actions: TimelineActions;
  private readonly elements: TimelineElements;
  private readonly painter: TimelinePainter;
  private readonly minimap: MinimapPainter;
  private readonly repaint = new Repaint(() => this.paint());
  private readonly address: Address;
  private readonly mover: SpanMover;
  private palette: Palette;
  private view: TimelineView = { span: { from: 0, to: 1 }, heights: 'zero', selected: null };
  private hovered: number | null = null;
  private pointer: { x: number; y: number } | null = null;
  private range: Span | null = null;

  constructor(private readonly root: HTMLElement) {
    const server = new Server(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    this.suggested = readSpan(root.dataset['view'] ?? '');
    this.mover = new SpanMover(
      () => this.view.span,
      () => this.count,
      (span) => this.setSpan(span),
    );
    this.panel = new AllocationPanel(server, { unpin: () => this.pin(null), showLife: (told) => this.showLife(told) });
    this.actions = {
      zoomIn: () => this.mover.zoomIn(),
      zoomOut: () => this.mover.zoomOut(),
      fit: () => this.mover.fit(),
      toPeak: () => this.mover.toEvent(this.feed.overview?.peakEvent ?? NaN),
      toOom: () => this.mover.toNextOom(this.feed.overview?.ooms ?? []),
      toggleHeights: () => this.toggleHeights(),
    };
    this.elements = buildTimelineElements(root, this.panel.root, this.actions);
    this.painter = new TimelinePainter(this.elements.canvas);
    this.minimap = new MinimapPainter(this.elements.minimap);
    this.palette = readPalette(root);
    this.address = new Address(
      () => writeTimelineView(location.search, this.view, this.count),
      () => this.tellSpan(),
    );
    this.feed = new TimelineFeed(
      server,
      (first) => this.received(first),
      (error) => this.failed(error),
    );
    this.listen();
    this.start();
  }

  private start(): void {
    this.painter.fit();
    this.minimap.fit();
    setState(this.root, 'loading');
    const inSight = !new URLSearchParams(location.search).has('from') && this.suggested === null;
    this.feed.start(this.painter.pixels, inSight);
  }

  private received(first: boolean): void {
    const { detail } = this.feed;
    if (detail === null) return;
    setState(this.root, detail.eventCount === 0 ? 'empty' : 'ready');
    setMessage(this.elements.message, null);
    if (first) this.begin();
    this.elements.summary.textContent = summaryText(detail);
    this.changed();
    this.refreshHover();
  }

  private begin(): void {
    this.view = readTimelineView(location.search, this.suggested, this.count);
    this.panel.firstTimeMicros = this.feed.overview?.firstTimeMicros ?? NaN;
    this.elements.oomButton.hidden = (this.feed.overview?.ooms.length ?? 0) === 0;
    if (this.count === 0) {
      const words = 'This recording has no events, so there is nothing to draw over time.';
      setMessage(this.elements.message, element('p', { class: 'view-hint' }, words));
    }
    this.tellSpan();
    if (this.view.selected !== null) this.panel.show(this.view.selected, true);
  }

  private failed(error: unknown): void {
    setState(this.root, 'error');
    const retry = () => {
      setMessage(this.elements.message, null);
      setState(this.root, 'loading');
      if (this.feed.overview === null) this.start();
      else this.changed();
    };
    setMessage(this.elements.message, problemBox(Problem.of(error), retry));
  }

  private get count(): number {
    return this.feed.overview?.eventCount ?? 1;
  }

  /** After every change of the view: what is needed is asked for, what is known is drawn. */
  private changed(): void {
    this.feed.want(this.view, this.painter.pixels);
    this.elements.heightsButton.setAttribute('aria-pressed', String(this.view.heights === 'span'));
    this.address.changed();
    this.say();
    this.repaint.ask();
  }

  private setSpan(span: Span): void {
    if (equal(span, this.view.span)) return;
    this.view = { ...this.view, span };
    this.changed();
  }

  private toggleHeights(): void {
    this.view = { ...this.view, heights: this.view.heights === 'zero' ? 'span' : 'zero' };
    this.changed();
  }

  private showLife(told: AllocationFacts): void {
    const from = told.allocationEvent ?? 0;
    const to = told.freeCompletedEvent ?? told.freeRequestedEvent ?? this.count;
    const air = (to - from) * 0.1 + 2;
    this.mover.to(clamped({ from: from - air, to: to + air }, this.count));
  }

  private pin(allocation: number | null): void {
    this.view = { ...this.view, selected: allocation };
    if (allocation === null) this.panel.clear();
    else this.panel.show(allocation, true);
    this.hovered = allocation === null ? null : this.hovered;
    this.changed();
  }

  private plot(): Plot | null {
    const { view } = this;
    const { overview, detail } = this.feed;
    if (overview === null || detail === null || overview.eventCount === 0) return null;
    return this.painter.plotOf(view.span, heightsOf(overview, detail, view.span, view.heights));
  }

  private hitAt(x: number, y: number): Hit {
    const plot = this.plot();
    const { detail } = this.feed;
    if (plot === null || detail === null || !contains(plot.area, x, y)) return { kind: 'nothing' };
    return hitAt(detail, eventAt(plot, x), bytesAt(plot, y));
  }

  private hover(x: number, y: number): void {
    this.pointer = { x, y };
    this.refreshHover();
    this.say();
    this.repaint.ask();
  }

  private refreshHover(): void {
    const { detail } = this.feed;
    if (this.pointer === null || detail === null) return;
    const hit = this.hitAt(this.pointer.x, this.pointer.y);
    this.hovered = hit.kind === 'allocation' ? hit.allocation : null;
    if (this.view.selected !== null) return;
    if (hit.kind === 'allocation') this.panel.show(hit.allocation, false);
    else if (hit.kind !== 'nothing') this.panel.say(bytesText(hit.bytes), unnamedText(hit.kind, detail));
  }

  private leave(): void {
    this.pointer = null;
    this.hovered = null;
    this.say();
    this.repaint.ask();
  }

  /** The status line: at the pointer, else what is in sight. */
  private say(): void {
    const plot = this.plot();
    const { detail } = this.feed;
    if (plot === null || detail === null) return;
    const event = this.pointerEvent(plot);
    this.elements.status.textContent = event === null ? spanText(this.view.span, detail) : eventText(event, detail);
  }

  private pointerEvent(plot: Plot): number | null {
    const at = this.pointer;
    return at !== null && contains(plot.area, at.x, at.y) ? eventAt(plot, at.x) : null;
  }

  private tellSpan(): void {
    const { from, to } = whole(this.view.span);
    this.root.dataset['from'] = String(from);
    this.root.dataset['to'] = String(to);
  }

  private paint(): void {
    const plot = this.plot();
    const { overview, detail } = this.feed;
    if (plot === null || overview === null || detail === null) return;
    this.painter.paint({
      palette: this.palette,
      span: this.view.span,
      heights: { low: plot.low, high: plot.high },
      overview,
      detail,
      hovered: this.hovered,
      selected: this.view.selected,
      pointerEvent: this.pointerEvent(plot),
      range: this.range,
    });
    this.minimap.paint(this.palette, overview, this.view.span);
  }

  private listen(): void {
    const { canvas, minimap } = this.elements;
    listenToHands(canvas, {
      zoom: (factor, x) =>
        this.mover.jump(
          zoomed(this.view.span, factor, Math.min(1, Math.max(0, shareAt(this.painter.area, x))), this.count),
        ),
      pan: (dx) => this.mover.jump(panned(this.view.span, -dx / this.painter.area.width, this.count)),
      range: (x0, x1) => this.selectRange(x0, x1),
      rangeEnd: () => this.endRange(),
      hover: (x, y) => this.hover(x, y),
      leave: () => this.leave(),
      click: (x, y) => this.click(x, y),
      doubleClick: () => this.mover.fit(),
    });
    listenToMinimap(
      minimap,
      () => (this.feed.overview === null ? null : this.minimap.plotOf(this.feed.overview)),
      () => this.view.span,
      (span) => this.mover.jump(span),
    );
    onViewKeys(
      canvas,
      timelineKeys(this.mover, this.actions, () => this.pin(null)),
    );
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      this.repaint.ask();
    });
    new ResizeObserver(() => {
      const changed = [this.painter.fit(), this.minimap.fit()];
      if (this.feed.overview !== null && changed.includes(true)) this.changed();
      this.paint();
    }).observe(canvas);
  }

  private click(x: number, y: number): void {
    const hit = this.hitAt(x, y);
    if (hit.kind !== 'allocation' && this.view.selected === null) return;
    this.pin(hit.kind === 'allocation' && hit.allocation !== this.view.selected ? hit.allocation : null);
  }

  private selectRange(x0: number, x1: number): void {
    const plot = this.plot();
    if (plot === null) return;
    const [from, to] = [eventAt(plot, Math.min(x0, x1)), eventAt(plot, Math.max(x0, x1))];
    this.range = { from: Math.max(this.view.span.from, from), to: Math.min(this.view.span.to, to) };
    this.repaint.ask();
  }

  private endRange(): void {
    const { range } = this;
    this.range = null;
    if (range !== null) this.mover.to(clamped(range, this.count));
    this.repaint.ask();
  }
}

export function mountTimeline(root: HTMLElement): void {
  new TimelinePage(root);
}
