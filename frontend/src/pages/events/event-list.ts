import { LatestRequest } from '../../base/latest-request';
import { countedText, countText } from '../../base/numbers';
import { StepQueue } from '../../base/step-queue';
import { completed, visibleRange, withCursor } from '../../model/view-parameters';
import { LongList } from '../../model/long-list';
import { RowPages } from '../../model/row-pages';
import { SnapshotLinks } from '../../model/snapshot-links';
import { PaintScheduler } from '../display/animation';
import { element } from '../display/element';
import { EventBar } from '../snapshot/event-bar';
import { listenToEventFilter, readEventFilter, showReset, withFilter } from './event-filter';
import { EventListClient, type EventPart, type EventRow } from '../snapshot/event-list-client';
import { type EventListActions, eventListKeys } from './event-list-keys';
import { EventTable, ROW_HEIGHT } from './event-table';
import { isInputOrShortcut } from '../display/keys';
import { PageUrl } from '../request/page-url';
import { showProblem } from '../display/problem';
import { isRepeatedInput } from '../request/repeated-input';
import { SelectedEvents } from './selected-events';
import { SnapshotClient } from '../snapshot/snapshot-client';
import { setData, setMessage, setState } from '../display/view-state';

const PAGE_ROWS = 100;
const KEPT_PAGES = 40;

/** The list of all events: scrolls over any number of rows, and loads those that are visible. */
class EventListPage {
  private readonly client: EventListClient;
  private readonly table = new EventTable();
  private readonly bar: EventBar;
  private readonly allocation: SelectedEvents;
  private readonly status = element('p', { class: 'view-status', role: 'status' });
  private readonly message = element('div', { class: 'view-message', hidden: '' });
  private readonly pages = new RowPages<EventRow>(PAGE_ROWS, KEPT_PAGES);
  private readonly paintScheduler = new PaintScheduler(() => this.paint());
  private readonly requests: LatestRequest<Query, EventPart>;
  private readonly pageUrl = new PageUrl(() => this.query());
  private readonly jumps = new StepQueue<number | null>(
    () => this.selected,
    (error) => this.failed(error),
  );
  private readonly eventCount: number;
  private filter: URLSearchParams;
  private matchCount: number;
  private firstRow = 0;
  /** Whether it is not known yet at which row the list will be: the rows that are visible now are not loaded. */
  private isSeeking = false;
  private selected: number | null;

  constructor(private readonly root: HTMLElement) {
    const { api = '', device = '0', page = '', count, event } = root.dataset;
    this.client = new EventListClient(api, device);
    this.filter = readEventFilter();
    this.eventCount = this.matchCount = Number(count);
    this.selected = event === undefined ? null : Number(event);
    const links = new SnapshotLinks(page, device);
    const snapshot = new SnapshotClient(api, device);
    this.bar = new EventBar(snapshot, links, {
      step: (by) => this.moveBy(by),
      selectAllocation: (row) => location.assign(completed(links.allocation(row), location.search)),
      clear: () => this.select(null),
    });
    this.allocation = new SelectedEvents(snapshot, links, {
      changed: () => {
        this.pageUrl.scheduleUpdate();
        this.paintScheduler.request();
      },
      showEvent: (found) => this.goTo(found),
    });
    this.requests = new LatestRequest(
      (query, signal) => this.send(query, signal),
      (query, part) => this.received(query, part),
      (_query, error) => this.failed(error),
      (running, next) => running.filter === next.filter,
    );
    this.build();
    this.listen();
    this.load();
    if (root.dataset['selected'] !== undefined) this.allocation.select(Number(root.dataset['selected']));
  }

  private build(): void {
    const plot = element('div', { class: 'view-plot' }, this.table.root, this.message);
    this.root.replaceChildren(
      element('div', { class: 'view-bar' }, this.status),
      this.bar.root,
      this.allocation.root,
      plot,
    );
  }

  private listen(): void {
    const { root: view } = this.table;
    view.addEventListener('scroll', () => {
      // Not a position that this page has set: the user moves the scroll bar.
      if (Math.abs(view.scrollTop - this.scrolledTop) < 1) return;
      this.scrolledTop = view.scrollTop;
      this.firstRow = this.list.firstRow(view.scrollTop);
      this.paintScheduler.request();
    });
    view.addEventListener(
      'wheel',
      (event) => {
        if (event.ctrlKey || event.deltaX !== 0) return;
        const rows = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaY / ROW_HEIGHT;
        const moved = this.list.clamped(this.firstRow + rows);
        if (moved === this.firstRow) return;
        event.preventDefault();
        this.scrollTo(moved);
      },
      { passive: false },
    );
    view.addEventListener('click', (event) => {
      const row = (event.target as Element).closest<HTMLElement>('.event-row[data-event]');
      if (row !== null && row.dataset['event'] !== '') this.select(Number(row.dataset['event']));
    });
    const onKey = eventListKeys(this.keyActions());
    document.addEventListener('keydown', (event) => {
      if (isInputOrShortcut(event) || event.defaultPrevented) return;
      if (onKey(event.key, event.target === view)) event.preventDefault();
    });
    new ResizeObserver(() => this.scrollTo(this.firstRow)).observe(view);
    this.pageUrl.onReturn(() => location.reload());
    listenToEventFilter(
      () => this.refilter(),
      (event) => this.goTo(Math.min(event, this.eventCount - 1)),
    );
  }

  private keyActions(): EventListActions {
    const { peak } = this.root.dataset;
    return {
      toFailure: () => this.jump(new URLSearchParams({ action: 'oom' }), (selected) => (selected ?? -1) + 1),
      toPeak: () => peak !== undefined && this.goTo(Number(peak)),
      clear: () => this.select(null),
      step: (by) => this.moveBy(by),
      page: (screens) => {
        const rows = Math.max(1, Math.floor(this.table.viewHeight / ROW_HEIGHT) - 1);
        this.scrollTo(this.firstRow + screens * rows);
      },
      toStart: () => this.scrollTo(0),
      toEnd: () => this.scrollTo(this.matchCount),
    };
  }

  private get list(): LongList {
    return new LongList(this.matchCount, ROW_HEIGHT, this.table.viewHeight);
  }

  private scrolledTop = 0;

  private scrollTo(firstRow: number): void {
    const { list } = this;
    this.firstRow = list.clamped(firstRow);
    this.table.setHeight(list.height);
    this.table.root.scrollTop = this.scrolledTop = Math.round(list.scrollTop(this.firstRow));
    this.paintScheduler.request();
  }

  private paint(): void {
    const { root } = this.table;
    const shown = this.table.show(
      this.firstRow,
      root.scrollTop,
      this.matchCount,
      (index) => this.pages.row(index),
      this.selected,
      this.allocation.events,
    );
    setData(this.root, { first: shown.from, last: shown.to - 1 });
    this.status.textContent =
      this.matchCount === this.eventCount
        ? countedText(this.eventCount, 'event')
        : `${countedText(this.matchCount, 'event')} of ${countText(this.eventCount)}`;
    const missing = this.pages.missing(shown.from, shown.to);
    if (missing !== null && !this.isSeeking) this.requests.request({ filter: this.filter, offset: missing });
  }

  /** Loads the rows around the selected event, or from the first visible event of the other pages on. */
  private load(): void {
    setState(this.root, 'loading');
    const first = visibleRange(new URLSearchParams(location.search), this.eventCount)?.from;
    const around = this.selected ?? first;
    this.isSeeking = around !== undefined;
    if (around === undefined) this.requests.request({ filter: this.filter, offset: 0 });
    else this.requests.request({ filter: this.filter, around });
  }

  private send(query: Query, signal: AbortSignal): Promise<EventPart> {
    if ('offset' in query) return this.client.part(query.filter, query.offset, PAGE_ROWS, signal);
    return this.client.around(query.filter, query.around, 1, signal);
  }

  private received(query: Query, part: EventPart): void {
    if (query.filter !== this.filter) return;
    setState(this.root, part.matchCount === 0 ? 'empty' : 'ready');
    setMessage(
      this.message,
      part.matchCount === 0 ? element('p', { class: 'view-hint' }, 'No event has all of these properties.') : null,
    );
    this.matchCount = part.matchCount;
    if ('offset' in query) {
      this.pages.put(part.offset, part.rows);
      this.scrollTo(this.firstRow);
    } else {
      const index = part.around ?? 0;
      this.isSeeking = false;
      this.scrollTo(this.selected === null ? index : this.list.centred(index));
    }
    this.bar.show(this.selected, this.eventCount);
  }

  private failed(error: unknown): void {
    this.isSeeking = false;
    showProblem(this.root, this.message, error, () => this.load());
  }

  private refilter(): void {
    this.filter = readEventFilter();
    showReset(this.filter);
    this.pages.clear();
    this.firstRow = 0;
    this.pageUrl.update();
    this.load();
  }

  private select(event: number | null): void {
    this.selected = event;
    setData(this.root, { event });
    this.bar.show(event, this.eventCount);
    this.pageUrl.scheduleUpdate();
    this.paintScheduler.request();
  }

  /** Selects the next or the previous row. Without a selection, the first visible one. */
  private moveBy(by: -1 | 1): void {
    const current = this.indexOfSelected();
    const index = current === null ? Math.ceil(this.firstRow) : current + by;
    if (index < 0 || index >= this.matchCount) return;
    this.scrollTo(this.list.showing(index, this.firstRow));
    const row = this.pages.row(index);
    if (row !== null) this.select(row.event);
  }

  private indexOfSelected(): number | null {
    const from = Math.max(0, Math.floor(this.firstRow) - PAGE_ROWS);
    const to = Math.min(this.matchCount, Math.floor(this.firstRow) + 2 * PAGE_ROWS);
    for (let index = from; index < to; index++) {
      if (this.pages.row(index)?.event === this.selected) return index;
    }
    return null;
  }

  /** Selects an event or, if the filter does not select it, the next one that it selects. */
  private goTo(event: number): void {
    this.jump(this.filter, () => event);
  }

  /**
   * Selects the first event from `first` on that `wanted` selects, given the one that is selected; Back returns to the view
   * before. A key that is held down does not make more jumps than the server can find.
   */
  private jump(wanted: URLSearchParams, first: (selected: number | null) => number): void {
    if (this.jumps.isBusy && isRepeatedInput()) return;
    this.jumps.add(async (selected) => {
      const event = first(selected);
      const { rows, around } = await this.client.around(wanted, event, 1, new AbortController().signal);
      const [row] = rows;
      return row === undefined || around === null || row.event < event ? null : () => this.jumpTo(row.event);
    });
  }

  private jumpTo(event: number): void {
    this.pageUrl.jump(() => this.select(event));
    this.load();
    this.root.scrollIntoView({ block: 'nearest' });
  }

  private query(): string {
    const query = new URLSearchParams(withFilter(location.search, this.filter));
    if (this.allocation.row === null) query.delete('sel');
    else query.set('sel', String(this.allocation.row));
    return withCursor(query.toString(), this.selected, this.eventCount);
  }
}

/** Rows from an index, or the index of an event. Queries of one filter have the same `filter` object. */
type Query = { readonly filter: URLSearchParams } & ({ readonly offset: number } | { readonly around: number });

/** Shows the event list in `root`. */
export function mountEventList(root: HTMLElement): void {
  new EventListPage(root);
}
