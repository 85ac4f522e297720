import { bytesText } from '../base/bytes';
import { byteRangeOf } from '../model/byte-range';
import { bytesAt, contains, eventAt, type Plot, shareAt } from '../model/plot';
import { clamped, equal, type EventRange, panned, roundedOut, zoomed } from '../model/event-range';
import { type Hit, hitAt } from '../model/hit-testing';
import { readRange, readTimelineView, type TimelineView, writeTimelineView } from '../model/timeline-view';
import { MinimapPainter } from '../render/minimap-painter';
import { type Palette, readPalette } from '../render/palette';
import { TimelinePainter } from '../render/timeline-painter';
import { PageUrl } from './page-url';
import { AllocationPanel } from './allocation-panel';
import { element } from './element';
import { PaintScheduler } from './animation';
import { listenToGestures } from './gestures';
import { onViewKeys } from './keys';
import { listenToMinimapDrag } from './minimap-drag';
import { Problem, problemBox } from './problem';
import { type AllocationDetails, SnapshotClient } from './snapshot-client';
import { RangeAnimator } from './range-animator';
import { onThemeChange } from './theme';
import { TimelineLoader } from './timeline-loader';
import { buildTimelineElements, type TimelineActions, type TimelineElements } from './timeline-elements';
import { timelineKeys } from './timeline-keys';
import { bandText, eventText, rangeText, summaryText } from './timeline-text';
import { setMessage, setState } from './view-state';

/** The active-memory timeline: connects loader, painters, side panel and input. */
class TimelinePage {
  private readonly loader: TimelineLoader;
  /** The initial range suggested by the server, or null. */
  private readonly suggested: EventRange | null;
  private readonly panel: AllocationPanel;
  private readonly actions: TimelineActions;
  private readonly elements: TimelineElements;
  private readonly painter: TimelinePainter;
  private readonly minimap: MinimapPainter;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly pageUrl: PageUrl;
  private readonly animator: RangeAnimator;
  private palette: Palette;
  private view: TimelineView = { range: { from: 0, to: 1 }, scale: 'full', selected: null };
  private hovered: number | null = null;
  private pointer: { x: number; y: number } | null = null;
  private zoomRange: EventRange | null = null;

  constructor(private readonly root: HTMLElement) {
    const client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    this.suggested = readRange(root.dataset['view'] ?? '');
    this.animator = new RangeAnimator(
      () => this.view.range,
      () => this.count,
      (range) => this.setRange(range),
    );
    this.panel = new AllocationPanel(client, {
      unpin: () => this.pin(null),
      showLifetime: (details) => this.showLifetime(details),
    });
    this.actions = {
      zoomIn: () => this.animator.zoomIn(),
      zoomOut: () => this.animator.zoomOut(),
      fit: () => this.animator.fit(),
      toPeak: () => this.animator.toEvent(this.loader.overview?.peakEvent ?? NaN),
      toOom: () => this.animator.toNextOom(this.loader.overview?.ooms ?? []),
      toggleScale: () => this.toggleScale(),
    };
    this.elements = buildTimelineElements(root, this.panel.root, this.actions);
    this.painter = new TimelinePainter(this.elements.canvas);
    this.minimap = new MinimapPainter(this.elements.minimap);
    this.palette = readPalette(root);
    this.pageUrl = new PageUrl(
      () => writeTimelineView(location.search, this.view, this.count),
      () => this.publishRange(),
    );
    this.loader = new TimelineLoader(
      client,
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
    const showsWholeTrace = !new URLSearchParams(location.search).has('from') && this.suggested === null;
    this.loader.loadOverview(this.painter.pixels, showsWholeTrace);
  }

  private received(first: boolean): void {
    const { detail } = this.loader;
    if (detail === null) return;
    setState(this.root, detail.eventCount === 0 ? 'empty' : 'ready');
    setMessage(this.elements.message, null);
    if (first) this.initialize();
    this.elements.summary.textContent = summaryText(detail);
    this.changed();
    this.refreshHover();
  }

  private initialize(): void {
    this.view = readTimelineView(location.search, this.suggested, this.count);
    this.panel.firstTimeMicros = this.loader.overview?.firstTimeMicros ?? NaN;
    this.elements.oomButton.hidden = (this.loader.overview?.ooms.length ?? 0) === 0;
    if (this.count === 0) {
      setMessage(this.elements.message, element('p', { class: 'view-hint' }, 'This recording has no events.'));
    }
    this.publishRange();
    if (this.view.selected !== null) this.panel.show(this.view.selected, true);
  }

  private failed(error: unknown): void {
    setState(this.root, 'error');
    const retry = () => {
      setMessage(this.elements.message, null);
      setState(this.root, 'loading');
      if (this.loader.overview === null) this.start();
      else this.changed();
    };
    setMessage(this.elements.message, problemBox(Problem.of(error), retry));
  }

  private get count(): number {
    return this.loader.overview?.eventCount ?? 1;
  }

  /** Loads missing data and repaints; called after each change of the view. */
  private changed(): void {
    this.loader.loadDetail(this.view, this.painter.pixels);
    this.elements.scaleButton.setAttribute('aria-pressed', String(this.view.scale === 'fit'));
    this.pageUrl.scheduleUpdate();
    this.updateStatus();
    this.paintScheduler.request();
  }

  private setRange(range: EventRange): void {
    if (equal(range, this.view.range)) return;
    this.view = { ...this.view, range };
    this.changed();
  }

  private toggleScale(): void {
    this.view = { ...this.view, scale: this.view.scale === 'full' ? 'fit' : 'full' };
    this.changed();
  }

  private showLifetime(details: AllocationDetails): void {
    const from = details.allocationEvent ?? 0;
    const to = details.freeCompletedEvent ?? details.freeRequestedEvent ?? this.count;
    const margin = (to - from) * 0.1 + 2;
    this.animator.animateTo(clamped({ from: from - margin, to: to + margin }, this.count));
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
    const { overview, detail } = this.loader;
    if (overview === null || detail === null || overview.eventCount === 0) return null;
    return this.painter.plotOf(view.range, byteRangeOf(overview, detail, view.range, view.scale));
  }

  private hitAt(x: number, y: number): Hit {
    const plot = this.plot();
    const { detail } = this.loader;
    if (plot === null || detail === null || !contains(plot.area, x, y)) return { kind: 'none' };
    return hitAt(detail, eventAt(plot, x), bytesAt(plot, y));
  }

  private hover(x: number, y: number): void {
    this.pointer = { x, y };
    this.refreshHover();
    this.updateStatus();
    this.paintScheduler.request();
  }

  private refreshHover(): void {
    const { detail } = this.loader;
    if (this.pointer === null || detail === null) return;
    const hit = this.hitAt(this.pointer.x, this.pointer.y);
    this.hovered = hit.kind === 'allocation' ? hit.allocation : null;
    if (this.view.selected !== null) return;
    if (hit.kind === 'allocation') this.panel.show(hit.allocation, false);
    else if (hit.kind !== 'none') this.panel.showText(bytesText(hit.bytes), bandText(hit.kind, detail));
  }

  private leave(): void {
    this.pointer = null;
    this.hovered = null;
    this.updateStatus();
    this.paintScheduler.request();
  }

  /** Updates the status line: the event at the pointer or, if there is none, the visible range. */
  private updateStatus(): void {
    const plot = this.plot();
    const { detail } = this.loader;
    if (plot === null || detail === null) return;
    const event = this.pointerEvent(plot);
    this.elements.status.textContent = event === null ? rangeText(this.view.range, detail) : eventText(event, detail);
  }

  private pointerEvent(plot: Plot): number | null {
    const at = this.pointer;
    return at !== null && contains(plot.area, at.x, at.y) ? eventAt(plot, at.x) : null;
  }

  private publishRange(): void {
    const { from, to } = roundedOut(this.view.range);
    this.root.dataset['from'] = String(from);
    this.root.dataset['to'] = String(to);
  }

  private paint(): void {
    const plot = this.plot();
    const { overview, detail } = this.loader;
    if (plot === null || overview === null || detail === null) return;
    this.painter.paint({
      palette: this.palette,
      range: this.view.range,
      byteRange: { low: plot.low, high: plot.high },
      overview,
      detail,
      hovered: this.hovered,
      selected: this.view.selected,
      pointerEvent: this.pointerEvent(plot),
      zoomRange: this.zoomRange,
    });
    this.minimap.paint(this.palette, overview, this.view.range);
  }

  private listen(): void {
    const { canvas, minimap } = this.elements;
    listenToGestures(canvas, {
      zoom: (factor, x) =>
        this.animator.jumpTo(
          zoomed(this.view.range, factor, Math.min(1, Math.max(0, shareAt(this.painter.area, x))), this.count),
        ),
      pan: (dx) => this.animator.jumpTo(panned(this.view.range, -dx / this.painter.area.width, this.count)),
      selectRange: (x0, x1) => this.selectRange(x0, x1),
      selectRangeEnd: () => this.endRange(),
      hover: (x, y) => this.hover(x, y),
      leave: () => this.leave(),
      click: (x, y) => this.click(x, y),
      doubleClick: () => this.animator.fit(),
    });
    listenToMinimapDrag(
      minimap,
      () => (this.loader.overview === null ? null : this.minimap.plotOf(this.loader.overview)),
      () => this.view.range,
      (range) => this.animator.jumpTo(range),
    );
    onViewKeys(
      canvas,
      timelineKeys(this.animator, this.actions, () => this.pin(null)),
    );
    onThemeChange(() => {
      this.palette = readPalette(this.root);
      this.paintScheduler.request();
    });
    new ResizeObserver(() => {
      const changed = [this.painter.fit(), this.minimap.fit()];
      if (this.loader.overview !== null && changed.includes(true)) this.changed();
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
    this.zoomRange = { from: Math.max(this.view.range.from, from), to: Math.min(this.view.range.to, to) };
    this.paintScheduler.request();
  }

  private endRange(): void {
    const { zoomRange } = this;
    this.zoomRange = null;
    if (zoomRange !== null) this.animator.animateTo(clamped(zoomRange, this.count));
    this.paintScheduler.request();
  }
}

export function mountTimeline(root: HTMLElement): void {
  new TimelinePage(root);
}
