import { bytesText } from '../../base/bytes';
import { sharesOf } from '../../base/numbers';
import { reservedParts } from '../../model/ledger-parts';
import type { LiveLevels } from '../../model/live/live-state';
import type { LiveView } from '../../model/live/live-view';
import { LOG_FILTERS, type LogFilter } from '../../model/live/live-log';
import { ALLOCATED, INACTIVE, PENDING, totalsOf } from '../../model/memory-map';
import { paintSwatch } from '../../render/swatch';
import type { Palette } from '../../render/palette';
import { button, element, fill } from '../display/element';
import { term } from '../display/terms';

export interface LiveActions {
  freeze(): void;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  pauseLog(): void;
  filter(filter: LogFilter): void;
}

/** The elements of a live allocator's view. */
export interface LiveElements {
  readonly curves: HTMLCanvasElement;
  /** Shown instead of the curves while nothing is reserved. */
  readonly empty: HTMLElement;
  readonly map: HTMLCanvasElement;
  readonly freeze: HTMLButtonElement;
  readonly connection: HTMLElement;
  readonly counts: HTMLElement;
  readonly message: HTMLElement;
  readonly legend: HTMLElement;
  readonly status: HTMLElement;
  readonly summary: HTMLElement;
  readonly log: HTMLElement;
  readonly pauseLog: HTMLButtonElement;
  readonly filter: HTMLSelectElement;
}

const FILTER_NAMES: Record<LogFilter, string> = {
  all: 'all events',
  blocks: 'blocks',
  segments: 'segments',
  failures: 'out of memory',
};

export function buildLiveElements(
  root: HTMLElement,
  side: HTMLElement,
  curveLegend: HTMLElement,
  actions: LiveActions,
): LiveElements {
  const summary = element('p', { class: 'visually-hidden', id: 'live-summary', 'aria-live': 'off' });
  const curves = element('canvas', { class: 'live-curves', role: 'img', 'aria-labelledby': 'live-summary' });
  const empty = element('p', { class: 'live-empty', hidden: '' }, 'Nothing reserved yet. Start a workload below.');
  const map = element('canvas', {
    class: 'view-canvas live-map',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'memory map',
    'aria-label': 'Segments and blocks of each pool and stream, to scale, updated live',
    'aria-describedby': 'live-summary',
  });
  const freeze = button('Freeze', 'Freeze the view (Space)', actions.freeze);
  const connection = element('span', { class: 'live-connection', role: 'status' });
  const counts = element('p', { class: 'view-status' });
  const message = element('div', { class: 'view-message', hidden: '' });
  const legend = element('div', { class: 'view-legend' });
  const status = element('p', { class: 'view-status live-hover' });
  const log = element('ol', { class: 'live-log', 'aria-label': 'Events, newest first', tabindex: '0' });
  const pauseLog = button('Pause', 'Pause the event list', actions.pauseLog);
  const filter = element(
    'select',
    { 'aria-label': 'Events to list' },
    ...LOG_FILTERS.map((value) => element('option', { value }, FILTER_NAMES[value])),
  );
  filter.addEventListener('change', () => actions.filter(filter.value as LogFilter));
  root.classList.add('view');
  fill(
    root,
    element(
      'div',
      { class: 'view-bar', role: 'toolbar', 'aria-label': 'Live view' },
      connection,
      freeze,
      button('+', 'Zoom in (w)', actions.zoomIn),
      button('−', 'Zoom out (s)', actions.zoomOut),
      button('Fit', 'Show everything (f)', actions.fit),
      counts,
    ),
    element(
      'div',
      { class: 'view-body' },
      element('div', { class: 'view-plot' }, curveLegend, curves, empty, map, message, status, legend),
      element(
        'div',
        { class: 'live-side' },
        side,
        element(
          'section',
          { class: 'live-events', 'aria-label': 'Event log' },
          element('div', { class: 'view-side-head' }, element('h3', {}, 'Events'), filter, pauseLog),
          log,
        ),
      ),
    ),
    summary,
  );
  return { curves, empty, map, freeze, connection, counts, message, legend, status, summary, log, pauseLog, filter };
}

/** The legend of the curves, with the current values. */
export class CurveLegend {
  readonly root = element('div', { class: 'view-legend live-curve-legend' });
  private readonly reserved = element('span', {});
  private readonly active = element('span', {});
  private readonly allocated = element('span', {});

  constructor() {
    const sample = (kind: string) => element('span', { class: kind, 'aria-hidden': 'true' });
    fill(
      this.root,
      element('span', {}, sample('line-sample'), element('span', {}, term('reserved', 'reserved'), this.reserved)),
      element('span', {}, sample('line-sample active'), element('span', {}, term('active', 'active'), this.active)),
      element('span', {}, sample('area-sample'), element('span', {}, term('allocated', 'allocated'), this.allocated)),
    );
  }

  update({ reserved, active, allocated }: LiveLevels): void {
    this.reserved.textContent = ` ${bytesText(reserved)}`;
    this.active.textContent = ` ${bytesText(active)}`;
    this.allocated.textContent = ` ${bytesText(allocated)} (light: maximum between samples)`;
  }
}

/** The legend of the map: block states with their bytes, and highlighted changes. */
export class LiveLegend {
  private readonly texts = new Map<number, HTMLElement>();
  private readonly swatches: [canvas: HTMLCanvasElement, state: number][] = [];
  private readonly expandable = element('span', {});

  constructor(container: HTMLElement, flashes: boolean) {
    const names: [state: number, name: HTMLElement][] = [
      [ALLOCATED, term('allocated', 'allocated')],
      [PENDING, term('pending-free', 'pending free (→ stream)')],
      [INACTIVE, term('inactive', 'inactive (cached)')],
    ];
    for (const [state, name] of names) {
      const canvas = element('canvas', { 'aria-hidden': 'true' });
      const text = element('span', {});
      this.swatches.push([canvas, state]);
      this.texts.set(state, text);
      container.append(element('span', {}, canvas, element('span', {}, name, text)));
    }
    container.append(this.expandable);
    if (!flashes) return;
    const allocated = element('span', { class: 'flash-sample allocated', 'aria-hidden': 'true' });
    const freed = element('span', { class: 'flash-sample freed', 'aria-hidden': 'true' });
    container.append(
      element('span', {}, allocated, 'just allocated (with edges: split)'),
      element('span', {}, freed, 'just freed (with a line: coalesced)'),
    );
  }

  paint(palette: Palette): void {
    for (const [canvas, state] of this.swatches) paintSwatch(canvas, palette, state);
  }

  /** The shares are those of the ledger's rows, so that both add up to 100 %. */
  update({ map: { map }, ledger }: LiveView): void {
    const totals = totalsOf(map);
    const levels: [state: number, bytes: number][] = [
      [ALLOCATED, totals.allocated],
      [PENDING, totals.pending],
      [INACTIVE, totals.inactive],
    ];
    const shares = sharesOf(reservedParts(ledger), map.reservedBytes);
    for (const [nth, [state, bytes]] of levels.entries()) {
      const text = ` ${bytesText(bytes)} (${shares[nth]})`;
      const element = this.texts.get(state);
      if (element !== undefined && element.textContent !== text) element.textContent = text;
    }
    const expandable = map.expandable.includes(1) ? 'underlined: expandable segment' : '';
    if (this.expandable.textContent !== expandable) this.expandable.textContent = expandable;
  }
}

/** A text summary of the map for screen readers. */
export function liveSummary({ map: { map }, levels, deviceTotal }: LiveView): string {
  const { allocated, pending, inactive } = totalsOf(map);
  return (
    `${bytesText(levels.reserved)} reserved of ${bytesText(deviceTotal)} in ${map.address.length} ${map.address.length === 1 ? 'segment' : 'segments'}: ` +
    `${bytesText(allocated)} allocated, ${bytesText(pending)} pending free, ${bytesText(inactive)} inactive.`
  );
}
