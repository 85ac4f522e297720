import { intAt } from '../../base/at';
import { roundedOut } from '../../model/event-range';
import { contains, eventAt, eventUnder, type Plot } from '../../model/plot';
import { type LanePoint, lanePointAt } from '../../model/segment-lanes';
import { SnapshotLinks } from '../../model/snapshot-links';
import { columnOfEvent } from '../../model/timeline';
import { readTimelineView, writeTimelineView } from '../../model/timeline-view';
import { MinimapPainter } from '../../render/minimap-painter';
import { type Palette, readPalette } from '../../render/palette';
import { SegmentTimelinePainter } from '../../render/segment-timeline-painter';
import { PaintScheduler } from '../display/animation';
import { onViewKeys } from '../display/keys';
import { PageUrl } from '../request/page-url';
import { showProblem } from '../display/problem';
import { SegmentTimelineLoader } from './segment-timeline-loader';
import { eventText, laneText, rangeText, summaryText } from './segment-timeline-text';
import { SnapshotClient } from '../snapshot/snapshot-client';
import { onThemeChange } from '../display/theme';
import {
  SEGMENTS_OVER_TIME,
  buildTimelineElements,
  type TimelineActions,
  type TimelineElements,
} from './timeline-elements';
import { timelineKeys } from './timeline-keys';
import { type PointerActions, TimelineRange } from './timeline-range';
import { FrameSearch } from '../snapshot/frame-search';
import { TimelineSelection } from './timeline-selection';
import { setData, setMessage, setState } from '../display/view-state';

/** Segments over time: connects loader, painters, side panel and input. */
class SegmentTimelinePage implements PointerActions {
  private readonly loader: SegmentTimelineLoader;
  private readonly selection: TimelineSelection;
  private readonly range: TimelineRange;
  private readonly search: FrameSearch;
  private readonly elements: TimelineElements;
  private readonly painter: SegmentTimelinePainter;
  private readonly minimap: MinimapPainter;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly pageUrl: PageUrl;
  private readonly actions: TimelineActions;
  private palette: Palette;
  private pointer: { x: number; y: number } | null = null;

  constructor(private readonly root: HTMLElement) {
    const client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    this.search = new FrameSearch(client, () => this.changed());
    this.range = new TimelineRange(client, root.dataset['page'] ?? '', {
      overview: () => this.loader.overview,
      plot: () => this.plot(),
      area: () => this.painter.area,
      minimapPlot: () => (this.loader.overview === null ? null : this.minimap.plotOf(this.loader.overview)),
      markStart: () => this.selection.start,
      query: () => this.query,
      jump: (change) => this.pageUrl.jump(change),
      replace: (query) => this.pageUrl.replace(query),
      changed: () => this.changed(),
    });
    this.selection = new TimelineSelection(client, links, {
      timeline: () => this.loader.detail,
      range: () => this.range.visible,
      count: () => this.range.count,
      pointerEvent: () => this.pointerEvent(),
      showRange: (range) => this.range.animator.animateTo(range),
      showEvent: (event) => this.range.animator.toEvent(event),
      jump: (change) => this.pageUrl.jump(change),
      announce: (text) => (this.elements.announcer.textContent = text),
      changed: () => this.changed(),
      repaint: () => this.paintScheduler.request(),
    });
    this.actions = {
      ...this.range.actions,
      toggleScale: () => undefined,
    };
    const { panel, eventBar } = this.selection;
    this.elements = buildTimelineElements(
      SEGMENTS_OVER_TIME,
      root,
      panel.root,
      [this.search.root, this.range.bar.root, eventBar.root],
      this.actions,
      this.range.strip.root,
    );
    this.elements.scaleButton.hidden = true;
    this.painter = new SegmentTimelinePainter(this.elements.canvas);
    this.minimap = new MinimapPainter(this.elements.minimap);
    this.palette = readPalette(root);
    this.pageUrl = new PageUrl(
      () => this.query,
      () => this.publishRange(),
    );
    this.loader = new SegmentTimelineLoader(
      client,
      () => this.opened(),
      () => this.received(),
      (error) => this.failed(error),
    );
    this.listen();
    this.search.restore(new URLSearchParams(location.search).get('text'));
    this.start();
  }

  private start(): void {
    this.painter.fit();
    this.minimap.fit();
    setState(this.root, 'loading');
    this.loader.loadOverview(this.painter.pixels.width);
  }

  private opened(): void {
    this.restore(this.root.dataset['selected'] !== undefined);
    this.elements.oomButton.hidden = (this.loader.overview?.ooms.length ?? 0) === 0;
    this.publishRange();
    this.changed();
  }

  /** Shows what the URL says; an allocation that does not exist is not pinned: the server has written a note instead. */
  private restore(isAllocation: boolean): void {
    const { range, selected, event, mark } = readTimelineView(location.search, this.range.count);
    this.range.restore(range, mark);
    this.selection.restore(isAllocation ? selected : null, event, this.loader.overview?.firstTimeMicros ?? NaN);
  }

  private received(): void {
    const { detail } = this.loader;
    if (detail === null) return;
    setState(this.root, 'ready');
    setMessage(this.elements.message, null);
    this.elements.summary.textContent = summaryText(detail);
    this.changed();
    this.refreshHover();
    this.range.early.arrived();
  }

  private failed(error: unknown): void {
    showProblem(this.root, this.elements.message, error, () => {
      setState(this.root, 'loading');
      if (this.loader.overview === null) this.start();
      else this.changed();
    });
  }

  private get query(): string {
    // The view is known when the data has arrived.
    if (this.loader.overview === null) return location.search.slice(1);
    const { pinned: selected, cursor: event } = this.selection;
    const { goal: range, mark } = this.range;
    return writeTimelineView(
      location.search,
      { range, scale: 'full', colour: 'site', selected, event, mark, text: this.search.text },
      this.range.count,
    );
  }

  /** Loads missing data and repaints; called after each change of the view. */
  private changed(): void {
    if (this.loader.overview === null) return;
    this.loader.loadDetail(this.range.visible, this.painter.pixels);
    this.pageUrl.scheduleUpdate();
    this.search.showEvent(this.selection.cursor);
    this.range.strip.show(this.range.visible);
    this.selection.eventBar.show(this.selection.cursor, this.range.count);
    this.updateStatus();
    this.paintScheduler.request();
  }

  private plot(): Plot | null {
    return this.loader.detail === null ? null : this.painter.plotOf(this.range.visible);
  }

  private pointAt(x: number, y: number): LanePoint | null {
    const plot = this.plot();
    const { detail } = this.loader;
    if (plot === null || detail === null || !contains(plot.area, x, y)) return null;
    return lanePointAt(detail, eventAt(plot, x), (y - plot.area.top) / plot.area.height);
  }

  hover(x: number, y: number): void {
    this.pointer = { x, y };
    this.selection.highlight(null);
    this.refreshHover();
    this.updateStatus();
    this.paintScheduler.request();
  }

  private refreshHover(): void {
    const { detail } = this.loader;
    if (this.pointer === null || detail === null || this.selection.isMovedByKey) return;
    const point = this.pointAt(this.pointer.x, this.pointer.y);
    const { panel, pinned } = this.selection;
    const row = point === null || point.block < 0 ? null : intAt(detail.allocation, point.block);
    this.selection.highlight(row);
    if (pinned !== null || point === null) return;
    if (row !== null) panel.show(row, false);
    else panel.showText(...laneText(detail, point));
  }

  leave(): void {
    this.pointer = null;
    this.selection.leave();
    this.updateStatus();
    this.paintScheduler.request();
  }

  private updateStatus(): void {
    const { detail } = this.loader;
    if (detail === null) return;
    const event = this.pointerEvent();
    const at = this.pointer;
    this.elements.status.textContent =
      event === null || at === null
        ? rangeText(this.range.visible, detail)
        : eventText(event, columnOfEvent(detail, event), this.pointAt(at.x, at.y), detail);
  }

  private pointerEvent(): number | null {
    return eventUnder(this.plot(), this.pointer);
  }

  private publishRange(): void {
    const { from, to } = roundedOut(this.range.visible);
    setData(this.root, { from, to, event: this.selection.cursor, selected: this.selection.pinned });
  }

  private paint(): void {
    const { overview, detail } = this.loader;
    if (overview === null || detail === null) return;
    this.painter.paint({
      palette: this.palette,
      range: this.range.visible,
      overview,
      detail: this.search.marked(detail),
      hovered: this.selection.highlighted,
      selected: this.selection.pinned,
      cursor: this.selection.cursor,
      pointerEvent: this.pointerEvent(),
      zoomRange: this.range.drawnMark,
    });
    this.minimap.paint(this.palette, overview, this.range.visible);
  }

  private listen(): void {
    const { canvas, minimap } = this.elements;
    this.range.listen(canvas, minimap, this);
    this.pageUrl.onReturn(() => {
      this.search.restore(new URLSearchParams(location.search).get('text'));
      this.restore(true);
      this.changed();
    });
    onViewKeys(canvas, this.range.early.keys(timelineKeys(this.range, this.actions, this.selection)));
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

  click(x: number, y: number): void {
    const { detail } = this.loader;
    const point = this.pointAt(x, y);
    const row = detail === null || point === null || point.block < 0 ? null : intAt(detail.allocation, point.block);
    if (row !== null || this.selection.pinned !== null) this.selection.pin(row === this.selection.pinned ? null : row);
  }
}

export function mountSegmentTimeline(root: HTMLElement): void {
  new SegmentTimelinePage(root);
}
