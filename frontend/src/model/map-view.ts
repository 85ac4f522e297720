import { LEAST_LINE_BYTES, type Order, ORDERS } from './map-layout';

/** What the address of the page restores. */
export interface MapView {
  readonly order: Order;
  /** A power of two, or null: as it fits. */
  readonly bytesPerLine: number | null;
  /** The row at the top of the canvas, a fraction while scrolling. */
  readonly topRow: number;
  /** The address of the pinned block. */
  readonly selected: bigint | null;
}

/** Reads `?order=…&line=…&row=…&sel=0x…`; what is missing or senseless falls back to the whole map, nothing pinned. */
export function readMapView(query: string): MapView {
  const parameters = new URLSearchParams(query);
  const order = ORDERS.find((each) => each === parameters.get('order')) ?? 'pool';
  const line = Number(parameters.get('line') ?? NaN);
  const valid = Number.isInteger(Math.log2(line)) && line >= LEAST_LINE_BYTES && line <= 2 ** 50;
  const row = Number(parameters.get('row') ?? 0);
  const selected = parameters.get('sel') ?? '';
  return {
    order,
    bytesPerLine: valid ? line : null,
    topRow: Number.isFinite(row) && row > 0 ? row : 0,
    selected: /^0x[0-9a-f]{1,16}$/i.test(selected) ? BigInt(selected) : null,
  };
}

/** The query with this view in it; what other code keeps there stays. */
export function writeMapView(query: string, view: MapView): string {
  const parameters = new URLSearchParams(query);
  set(parameters, 'order', view.order === 'pool' ? null : view.order);
  set(parameters, 'line', view.bytesPerLine);
  set(parameters, 'row', view.topRow > 0 ? Math.round(view.topRow * 10) / 10 : null);
  set(parameters, 'sel', view.selected === null ? null : `0x${view.selected.toString(16)}`);
  return parameters.toString();
}

function set(parameters: URLSearchParams, name: string, value: number | string | null): void {
  if (value === null) parameters.delete(name);
  else parameters.set(name, String(value));
}
