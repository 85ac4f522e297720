import { byteAt, numberAt, wordAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { addressText, countedText, shareTexts } from '../../base/numbers';
import {
  ALLOCATED,
  INACTIVE,
  type MemoryMap,
  PENDING,
  segmentName,
  type SnapshotMap,
  STATE_NAMES,
  totalsOf,
} from '../../model/memory-map';
import type { Order } from '../../model/map-layout';
import { paintSwatch } from '../../render/swatch';
import type { Palette } from '../../render/palette';
import { button, element, fill } from '../display/element';
import { term } from '../display/terms';

const ORDER_NAMES: Record<Order, string> = {
  pool: 'pool and stream',
  address: 'address',
  free: 'most inactive bytes first',
};

export interface MapActions {
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  order(order: Order): void;
}

/** The elements of a memory map. */
export interface MapElements {
  readonly canvas: HTMLCanvasElement;
  readonly status: HTMLElement;
  readonly summary: HTMLElement;
  readonly message: HTMLElement;
  readonly legend: HTMLElement;
  readonly order: HTMLSelectElement;
}

export function buildMapElements(
  root: HTMLElement,
  side: HTMLElement,
  lines: readonly HTMLElement[],
  colour: { readonly root: HTMLElement; readonly legend: HTMLElement },
  actions: MapActions,
): MapElements {
  const summary = element('p', { class: 'visually-hidden', id: 'map-summary', 'aria-live': 'polite' });
  const canvas = element('canvas', {
    class: 'view-canvas map-canvas',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'memory map',
    'aria-label': 'Segments and blocks, to scale',
    'aria-describedby': 'map-summary',
  });
  const message = element('div', { class: 'view-message', hidden: '' });
  const status = element('p', { class: 'view-status' });
  const legend = element('div', { class: 'view-legend' });
  const options = Object.entries(ORDER_NAMES).map(([value, name]) => element('option', { value }, name));
  const order = element('select', {}, ...options);
  order.addEventListener('change', () => actions.order(order.value as Order));
  const bar = element(
    'div',
    { class: 'view-bar', role: 'toolbar', 'aria-label': 'Memory map' },
    button('+', 'Zoom in (w)', actions.zoomIn),
    button('−', 'Zoom out (s)', actions.zoomOut),
    button('Fit', 'Show everything (f)', actions.fit),
    element('label', {}, 'Order', order),
    colour.root,
    status,
  );
  root.classList.add('view', 'memory-map');
  root.replaceChildren(
    bar,
    ...lines,
    element(
      'div',
      { class: 'view-body' },
      element('div', { class: 'view-plot' }, colour.legend, canvas, message, legend),
      side,
    ),
    summary,
  );
  return { canvas, status, summary, message, legend, order };
}

/** Fills the legend: block states with their bytes. */
export function fillLegend(legend: HTMLElement, palette: Palette, map: MemoryMap): void {
  const totals = totalsOf(map);
  const states: [state: number, name: HTMLElement, bytes: number][] = [
    [ALLOCATED, term('allocated', 'allocated'), totals.allocated],
    [PENDING, term('pending-free', 'pending free'), totals.pending],
    [INACTIVE, term('inactive', 'inactive (cached)'), totals.inactive],
  ];
  const shares = shareTexts(
    states.map(([, , bytes]) => bytes),
    map.reservedBytes,
  );
  const swatches = states.map(([state, name, bytes], nth) => {
    const canvas = element('canvas', { 'aria-hidden': 'true' });
    const text = element('span', {}, name, ` ${bytesText(bytes)} (${shares[nth]})`);
    return { canvas, state, item: element('span', {}, canvas, text) };
  });
  fill(
    legend,
    ...swatches.map(({ item }) => item),
    Number.isNaN(totals.rounding)
      ? null
      : element('span', {}, term('rounding', 'rounding'), ` ${bytesText(totals.rounding)} of the allocated bytes`),
    map.expandable.includes(1)
      ? element('span', {}, 'underlined: ', term('expandable-segment', 'expandable segment'))
      : null,
  );
  for (const { canvas, state } of swatches) paintSwatch(canvas, palette, state);
}

/** The line above the map: the block at the pointer, or else the whole. */
export function statusText(map: SnapshotMap, hovered: number | null, bytesPerLine: number): string {
  return hovered === null
    ? `${bytesText(map.reservedBytes)} reserved in ${countedText(map.address.length, segmentName(map))}, ${countedText(map.blockAddress.length, 'block')} · ${bytesText(bytesPerLine)} per line${uncertaintyText(map)}`
    : `${addressText(wordAt(map.blockAddress, hovered))} · ${bytesText(numberAt(map.blockBytes, hovered))} · ${STATE_NAMES[byteAt(map.state, hovered)]}`;
}

/** How much of a reconstructed state is not certain; empty if nothing is. */
function uncertaintyText(map: SnapshotMap): string {
  const blocks =
    map.estimatedBlockCount === 0 ? '' : ` · ${countedText(map.estimatedBlockCount, 'block')} of uncertain size`;
  return map.notes.length === 0 ? blocks : `${blocks} · ${map.notes.join(' ')}`;
}

/** A text summary of the map for screen readers. */
export function mapSummary(map: MemoryMap): string {
  const { allocated, pending, inactive } = totalsOf(map);
  return (
    `${countedText(map.address.length, segmentName(map))} with ${countedText(map.blockAddress.length, 'block')}, ${bytesText(map.reservedBytes)} reserved: ` +
    `${bytesText(allocated)} allocated, ${bytesText(pending)} pending free, ${bytesText(inactive)} inactive.`
  );
}
