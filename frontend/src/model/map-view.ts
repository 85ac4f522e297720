import { integer, withCursor } from './view-parameters';
import { MIN_LINE_BYTES, type Order, ORDERS } from './map-layout';

/** The view state kept in the page's URL. */
export interface MapView {
  readonly order: Order;
  /** A power of two, or null to fit the whole map. */
  readonly bytesPerLine: number | null;
  /** The row at the top of the canvas; fractional while scrolling. */
  readonly topRow: number;
  /** The address of the pinned block. */
  readonly selected: bigint | null;
  /** Instead of an address: the row of the allocation whose block is pinned. */
  readonly allocation: number | null;
  /** The event after which the memory is shown; null for the end of the recording. */
  readonly event: number | null;
}

/** Reads `?order=…&line=…&row=…&event=…&sel=0x…` or `&sel=7`; missing or invalid values fall back to the whole map without a pinned block. */
export function readMapView(query: string): MapView {
  const parameters = new URLSearchParams(query);
  const order = ORDERS.find((each) => each === parameters.get('order')) ?? 'pool';
  const line = Number(parameters.get('line') ?? NaN);
  const valid = Number.isInteger(Math.log2(line)) && line >= MIN_LINE_BYTES && line <= 2 ** 50;
  const row = Number(parameters.get('row') ?? 0);
  const selected = parameters.get('sel') ?? '';
  return {
    order,
    bytesPerLine: valid ? line : null,
    topRow: Number.isFinite(row) && row > 0 ? row : 0,
    event: /^\d{1,10}$/.test(parameters.get('event') ?? '') ? Number(parameters.get('event')) : null,
    allocation: integer(selected),
    selected: /^0x[0-9a-f]{1,16}$/i.test(selected) ? BigInt(selected) : null,
  };
}

/** Returns `query` with this view's parameters; all others are kept, but the visible range contains the event. */
export function writeMapView(query: string, view: MapView, eventCount: number): string {
  const parameters = new URLSearchParams(withCursor(query, view.event, eventCount));
  set(parameters, 'order', view.order === 'pool' ? null : view.order);
  set(parameters, 'line', view.bytesPerLine);
  set(parameters, 'row', view.topRow > 0 ? Math.round(view.topRow * 10) / 10 : null);
  set(parameters, 'sel', view.selected === null ? view.allocation : `0x${view.selected.toString(16)}`);
  return parameters.toString();
}

function set(parameters: URLSearchParams, name: string, value: number | string | null): void {
  if (value === null) parameters.delete(name);
  else parameters.set(name, String(value));
}

/** The largest line of `fittingBytes` or less in which a block is at least `minPixels` of `width` wide. */
export function visibleLineBytes(blockBytes: number, fittingBytes: number, width: number, minPixels: number): number {
  let bytes = fittingBytes;
  while (bytes > MIN_LINE_BYTES && (blockBytes / bytes) * width < minPixels) bytes /= 2;
  return bytes;
}
