import { byteRangeOf } from '../../model/byte-range';
import { bytesAt, contains, eventAt, eventUnder, type Plot } from '../../model/plot';
import { roundedOut } from '../../model/event-range';
import { type Hit, hitAt } from '../../model/hit-testing';
import { COLOURS } from '../../model/colour-by';
import { SnapshotLinks } from '../../model/snapshot-links';
import { type ByteScale, readTimelineView, writeTimelineView } from '../../model/timeline-view';
import { MinimapPainter } from '../../render/minimap-painter';
import { type Palette, readPalette } from '../../render/palette';
import { TimelinePainter } from '../../render/timeline-painter';
import { PageUrl } from '../request/page-url';
import { element } from '../display/element';
import { PaintScheduler } from '../display/animation';
import { onViewKeys } from '../display/keys';
import { showProblem } from '../display/problem';
import { SnapshotClient } from '../snapshot/snapshot-client';
import { BandPanel } from './band-panel';
import { onThemeChange } from '../display/theme';
import { TimelineLoader } from './timeline-loader';
import { ACTIVE_MEMORY, buildTimelineElements, type TimelineActions, type TimelineElements } from './timeline-elements';
import { timelineKeys } from './timeline-keys';
import { type PointerActions, TimelineRange } from './timeline-range';
import { ColourChoice } from '../snapshot/colour-choice';
import { TimeChoice } from './time-choice';
import { FrameSearch } from '../snapshot/frame-search';
import { TimelineSelection } from './timeline-selection';
import { statusText, summaryText } from './timeline-text';
import { setData, setMessage, setState } from '../display/view-state';

/** The active-memory timeline: connects loader, painters, side panel and input. */
class TimelinePage implements PointerActions {
  private readonly loader: TimelineLoader;
  private readonly selection: TimelineSelection;
  private readonly band: BandPanel;
  private readonly range: TimelineRange;
  private readonly search: FrameSearch;
  private readonly colour = new ColourChoice(COLOURS, () => this.changed());
  private readonly time = new TimeChoice(() => this.query);
  private readonly actions: TimelineActions;
  private readonly elements: TimelineElements;
  private readonly painter: TimelinePainter;
  private readonly minimap: MinimapPainter;
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly pageUrl: PageUrl;
  private palette: Palette;
  private scale: ByteScale = 'full';
  private pointer: { x: number; y: number } | null = null;

  constructor(private readonly root: HTMLElement) {
    const client = new SnapshotClient(root.dataset['api'] ?? '', root.dataset['device'] ?? '0');
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
    const links = new SnapshotLinks(root.dataset['page'] ?? '', root.dataset['device'] ?? '0');
    this.selection = new TimelineSelection(client, links, {
      timeline: () => this.loader.detail,
      range: () => this.range.visible,
      count: () => this.range.count,
      pointerEvent: () => eventUnder(this.plot(), this.pointer),
      showRange: (range) => this.range.animator.animateTo(range),
      showEvent: (event) => this.range.animator.toEvent(event),
      jump: (change) => this.pageUrl.jump(change),
      announce: (text) => (this.elements.announcer.textContent = text),
      changed: () => this.changed(),
      repaint: () => this.paintScheduler.request(),
    });
    this.band = new BandPanel(client, this.selection.panel);
    this.actions = {
      ...this.range.actions,
      toggleScale: () => {
        this.scale = this.scale === 'full' ? 'fit' : 'full';
        this.changed();
      },
    };
    this.elements = buildTimelineElements(
      ACTIVE_MEMORY,
      root,
      this.selection.panel.root,
      [this.search.root, this.range.bar.root, this.selection.eventBar.root],
      this.actions,
      this.range.strip.root,
      [this.colour.root, this.time.root, this.colour.legend],
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
      this.time.isTime,
      (first) => this.received(first),
      (error) => this.failed(error),
    );
    this.listen();
    this.restoreChoices();
    this.start();
  }

  private start(): void {
    this.painter.fit();
    this.minimap.fit();
    setState(this.root, 'loading');
    const isWhole = !/[?&](from|event)=/.test(location.search);
    this.loader.loadOverview(this.painter.pixels, this.colour.value, isWhole);
  }

  private received(first: boolean): void {
    const { detail } = this.loader;
    if (detail === null) return;
    const hint = detail.eventCount > 0 ? null : element('p', { class: 'view-hint' }, 'This recording has no events.');
    setState(this.root, hint === null ? 'ready' : 'empty');
    setMessage(this.elements.message, hint);
    if (first) this.initialize();
    this.time.show(detail.times);
    this.elements.summary.textContent = summaryText(detail);
    this.changed();
    this.refreshHover();
    if (first) this.range.early.arrived();
  }

  private initialize(): void {
    this.restoreEvents(this.root.dataset['selected'] !== undefined);
    this.elements.oomButton.hidden = (this.loader.overview?.ooms.length ?? 0) === 0;
    this.publishRange();
    this.range.table.arrive();
  }

  /** Takes over from the URL what the user can change before the data has arrived. */
  private restoreChoices(): void {
    const { scale, colour, text } = readTimelineView(location.search, this.range.count);
    this.scale = scale;
    this.colour.value = colour;
    this.search.restore(text);
  }

  /** Shows what the URL says; an allocation that does not exist is not pinned: the server has written a note instead. */
  private restoreEvents(isAllocation: boolean): void {
    const { range, selected, event, mark } = readTimelineView(location.search, this.range.count);
    this.range.restore(range, mark);
    this.selection.restore(isAllocation ? selected : null, event, this.loader.overview?.firstTimeMicros ?? NaN);
  }

  private failed(error: unknown): void {
    showProblem(this.root, this.elements.message, error, () => {
      setState(this.root, 'loading');
      if (this.loader.overview === null) this.start();
      else this.changed();
    });
  }

  /** Loads missing data and repaints; called after each change of the view. */
  private changed(): void {
    if (this.loader.overview === null) return;
    const { value: colour } = this.colour;
    this.loader.loadDetail({ range: this.range.visible, scale: this.scale, colour }, this.painter.pixels);
    this.elements.scaleButton.setAttribute('aria-pressed', String(this.scale === 'fit'));
    this.pageUrl.scheduleUpdate();
    this.search.showEvent(this.selection.cursor);
    this.range.strip.show(this.range.visible, this.loader.scale);
    this.selection.eventBar.show(this.selection.cursor, this.range.count);
    this.updateStatus();
    this.paintScheduler.request();
  }

  private plot(): Plot | null {
    const { overview, detail } = this.loader;
    if (overview === null || detail === null || overview.eventCount === 0) return null;
    return this.painter.plotOf(
      this.range.visible,
      byteRangeOf(overview, detail, this.range.visible, this.scale),
      this.loader.scale,
    );
  }

  private hitAt(x: number, y: number): Hit {
    const plot = this.plot();
    const { detail } = this.loader;
    if (plot === null || detail === null || !contains(plot.area, x, y)) return { kind: 'none' };
    return hitAt(detail, eventAt(plot, x), bytesAt(plot, y));
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
    const hit = this.hitAt(this.pointer.x, this.pointer.y);
    const { panel, pinned } = this.selection;
    this.selection.highlight(hit.kind === 'allocation' ? hit.allocation : null);
    if (pinned !== null) return;
    if (hit.kind === 'allocation') panel.show(hit.allocation, false);
    else if (hit.kind !== 'none') this.band.show(hit, detail);
  }

  leave(): void {
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
    this.elements.status.textContent = statusText(eventUnder(plot, this.pointer), this.range.visible, detail);
  }

  private publishRange(): void {
    setData(this.root, { ...roundedOut(this.range.visible), ...this.selection.shown });
    this.range.table.follow();
  }

  private get query(): string {
    // The view is known when the data has arrived.
    if (this.loader.overview === null) return location.search.slice(1);
    const { goal: range, mark } = this.range;
    return writeTimelineView(
      location.search,
      { range, scale: this.scale, colour: this.colour.value, ...this.selection.shown, mark, text: this.search.text },
      this.range.count,
    );
  }

  private paint(): void {
    const plot = this.plot();
    const { overview, detail } = this.loader;
    if (plot === null || overview === null || detail === null) return;
    this.painter.paint({
      palette: this.palette,
      range: this.range.visible,
      scale: this.loader.scale,
      byteRange: { low: plot.low, high: plot.high },
      overview,
      detail: this.search.marked(detail),
      hovered: this.selection.highlighted,
      selected: this.selection.pinned,
      cursor: this.selection.cursor,
      pointerEvent: eventUnder(plot, this.pointer),
      zoomRange: this.range.drawnMark,
    });
    this.minimap.paint(this.palette, overview, this.range.visible);
    this.colour.show(detail, this.palette);
  }

  private listen(): void {
    const { canvas, minimap } = this.elements;
    this.range.listen(canvas, minimap, this);
    this.pageUrl.onReturn(() => {
      this.restoreChoices();
      this.restoreEvents(true);
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
    const hit = this.hitAt(x, y);
    if (hit.kind !== 'allocation' && this.selection.pinned === null) return;
    this.selection.pin(hit.kind === 'allocation' && hit.allocation !== this.selection.pinned ? hit.allocation : null);
  }
}

export function mountTimeline(root: HTMLElement): void {
  new TimelinePage(root);
}
