const ALLOCATED: readonly string[] = ['live-requested', 'rounding', 'live-request-unknown', 'live-earlier'];
const PENDING: readonly string[] = ['pending-free'];
const OUTER: readonly string[] = ['outside-allocator', 'other-processes', 'device-free'];

/** The reserved bytes of a ledger by item, grouped as on the map: allocated, pending free, and inactive. */
export function reservedParts(
  ledger: ReadonlyMap<string, number>,
): [allocated: number[], pending: number[], inactive: number[]] {
  const items = [...ledger].filter(([item]) => !OUTER.includes(item));
  const bytesOf = (condition: (item: string) => boolean) =>
    items.filter(([item]) => condition(item)).map(([, bytes]) => bytes);
  return [
    bytesOf((item) => ALLOCATED.includes(item)),
    bytesOf((item) => PENDING.includes(item)),
    bytesOf((item) => !ALLOCATED.includes(item) && !PENDING.includes(item)),
  ];
}
