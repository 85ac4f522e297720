import { bytesText } from '../base/bytes';
import { byteRangeOf } from '../model/byte-range';
import { bytesAt, contains, eventAt, type Plot, shareAt } from '../model/plot';
import { clamped, equal, type EventRange, panned, roundedOut, zoomed } from '../model/event-range';
import { type Hit, hitAt } from '../model/hit-testing';
import { SnapshotLinks } from '../model/snapshot-links';
import { type ByteScale, readTimelineView, writeTimelineView } from '../model/timeline-view';
import { MinimapPainter } from '../render/minimap-painter';
import { type Palette, readPalette } from '../render/palette';
import { TimelinePainter } from '../render/timeline-painter';
import { PageUrl } from './page-url';
import { element } from './element';
import { PaintScheduler } from './animation';
import { listenToGestures } from './gestures';
import { onViewKeys } from './keys';
import { listenToMinimapDrag } from './minimap-drag';
import { Problem, problemBox } from './problem';
import { SnapshotClient } from './snapshot-client';
import { RangeAnimator } from './range-animator';
import { RangeSelection } from './range-selection';
import { openRangeTable } from './range-table';
import { onThemeChange } from './theme';
import { TimelineLoader } from './timeline-loader';
import { ACTIVE_MEMORY, buildTimelineElements, type TimelineActions, type TimelineElements } from './timeline-elements';
import { timelineKeys } from './timeline-keys';
import { TimelineSelection } from './timeline-selection';
import { bandText, eventText, rangeText, summaryText } from './timeline-text';
import { setData, setMessage, setState } from './view-state';

/** The active-memory timeline: connects loader, painters, side panel and input. */
class TimelinePage {
  private readonly loader: TimelineLoader;
  private readonly selection: TimelineSelection;
  private readonly marked: RangeSelection;
  private readonly actions: TimelineActions;
  private readonly elements: TimelineElements;
  private readonly painter: TimelinePainter;
  private readonly minimap: MinimapPainter;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly pageUrl: PageUrl;
  private readonly animator: RangeAnimator;
  private palette: Palette;
  private view: { readonly range: EventRange; readonly scale: ByteScale } = {
    range: { from: 0, to: 1 },
    scale: 'full',
  };
  private pointer: { x: number; y: number } | null = null;

  constructor(private readonly root: HTMLElement) {
    const client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    this.animator = new RangeAnimator(
      () => this.view.range,
      () => this.count,
      (range) => this.setRange(range),
    );
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    this.selection = new TimelineSelection(client, links, {
      timeline: () => this.loader.detail,
      range: () => this.view.range,
      count: () => this.count,
      pointerEvent: () => this.pointerEvent(this.plot()),
      showRange: (range) => this.animator.animateTo(range),
      showEvent: (event) => this.animator.toEvent(event),
      announce: (text) => (this.elements.announcer.textContent = text),
      changed: () => this.changed(),
      repaint: () => this.paintScheduler.request(),
    });
    this.marked = new RangeSelection(
      () => this.plot(),
      (range) => this.animator.animateTo(clamped(range, this.count)),
      () => this.paintScheduler.request(),
    );
    this.actions = {
      zoomIn: () => this.animator.zoomIn(),
      zoomOut: () => this.animator.zoomOut(),
      fit: () => this.animator.fit(),
      toPeak: () => this.animator.toEvent(this.loader.overview?.peakEvent ?? NaN),
      toOom: () => this.animator.toNextOom(this.loader.overview?.ooms ?? []),
      toggleScale: () => this.toggleScale(),
      listSites: () => openRangeTable(root.dataset['page'] ?? '', this.view.range, this.query),
    };
    this.elements = buildTimelineElements(
      ACTIVE_MEMORY,
      root,
      this.selection.panel.root,
      this.selection.eventBar.root,
      this.actions,
    );
    this.painter = new TimelinePainter(this.elements.canvas);
    this.minimap = new MinimapPainter(this.elements.minimap);
    this.palette = readPalette(root);
    this.pageUrl = new PageUrl(
      () => this.query,
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
    const parameters = new URLSearchParams(location.search);
    this.loader.loadOverview(this.painter.pixels, !parameters.has('from') && !parameters.has('event'));
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
    const { range, scale, selected, event } = readTimelineView(location.search, this.count);
    this.view = { range, scale };
    // If the allocation does not exist, the server has written a note instead.
    const pinned = this.root.dataset['selected'] === undefined ? null : selected;
    this.selection.restore(pinned, event, this.loader.overview?.firstTimeMicros ?? NaN);
    this.elements.oomButton.hidden = (this.loader.overview?.ooms.length ?? 0) === 0;
    if (this.count === 0) {
      setMessage(this.elements.message, element('p', { class: 'view-hint' }, 'This recording has no events.'));
    }
    this.publishRange();
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
    this.selection.eventBar.show(this.selection.cursor, this.count);
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

  private plot(): Plot | null {
    const { range, scale } = this.view;
    const { overview, detail } = this.loader;
    if (overview === null || detail === null || overview.eventCount === 0) return null;
    return this.painter.plotOf(range, byteRangeOf(overview, detail, range, scale));
  }

  private hitAt(x: number, y: number): Hit {
    const plot = this.plot();
    const { detail } = this.loader;
    if (plot === null || detail === null || !contains(plot.area, x, y)) return { kind: 'none' };
    return hitAt(detail, eventAt(plot, x), bytesAt(plot, y));
  }

  private hover(x: number, y: number): void {
    this.pointer = { x, y };
    this.selection.highlight(null);
    this.refreshHover();
    this.updateStatus();
    this.paintScheduler.request();
  }

  private refreshHover(): void {
    const { detail } = this.loader;
    if (this.pointer === null || detail === null || this.selection.isMovedByKey) return;
    const hit = this.hitAt(this.pointer.x, this.pointer.y);
    const { panel, pinned } = this.selection;
    this.selection.highlight(hit.kind === 'allocation' ? hit.allocation : null);
    if (pinned !== null) return;
    if (hit.kind === 'allocation') panel.show(hit.allocation, false);
    else if (hit.kind !== 'none') panel.showText(bytesText(hit.bytes), bandText(hit.kind, detail));
  }

  private leave(): void {
    this.pointer = null;
    this.selection.leave();
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

  private pointerEvent(plot: Plot | null): number | null {
    const at = this.pointer;
    return plot !== null && at !== null && contains(plot.area, at.x, at.y) ? eventAt(plot, at.x) : null;
  }

  private publishRange(): void {
    const { from, to } = roundedOut(this.view.range);
    setData(this.root, { from, to, event: this.selection.cursor, selected: this.selection.pinned });
  }

  private get query(): string {
    const { pinned: selected, cursor: event } = this.selection;
    return writeTimelineView(location.search, { ...this.view, selected, event }, this.count);
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
      hovered: this.selection.highlighted,
      selected: this.selection.pinned,
      cursor: this.selection.cursor,
      pointerEvent: this.pointerEvent(plot),
      zoomRange: this.marked.range,
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
      selectRange: (x0, x1) => this.marked.mark(x0, x1),
      selectRangeEnd: () => this.marked.end(),
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
    onViewKeys(canvas, timelineKeys(this.animator, this.actions, this.selection));
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
    const { pinned } = this.selection;
    if (hit.kind !== 'allocation' && pinned === null) return;
    this.selection.pin(hit.kind === 'allocation' && hit.allocation !== pinned ? hit.allocation : null);
  }
}

export function mountTimeline(root: HTMLElement): void {
  new TimelinePage(root);
}
