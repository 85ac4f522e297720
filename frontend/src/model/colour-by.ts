import type { Columns } from './columns';

/** What the colours of the timeline mean; the values are those of the REST parameter. */
export const COLOURS = {
  site: 'site',
  category: 'probable use',
  stream: 'stream',
  pool: 'memory pool',
  age: 'how long it is active',
  size: 'size',
} as const;

export type ColourBy = keyof typeof COLOURS;

/** The value of the URL's parameter; by site if it has none, or nonsense. */
export function readColour(text: string | null): ColourBy {
  return text !== null && Object.hasOwn(COLOURS, text) ? (text as ColourBy) : 'site';
}

/** What the colours of the segment map mean. */
export const MAP_COLOURS = { state: 'state of the block', ...COLOURS } as const;

export type MapColour = keyof typeof MAP_COLOURS;

/** The value of the URL's parameter; by state if it has none, or nonsense. */
export function readMapColour(text: string | null): MapColour {
  return text !== null && Object.hasOwn(MAP_COLOURS, text) ? (text as MapColour) : 'state';
}

/** Instead of a group: an allocation that is in none of the named ones. */
export const OTHER_GROUP = 255;

/** The groups that have colours of their own. */
export interface ColourGroups {
  readonly names: readonly string[];
  /** Whether they are classes of a quantity, the smallest first. */
  readonly isOrdered: boolean;
  /** The group of each rectangle or block, or OTHER_GROUP. */
  readonly groupOf: Uint8Array;
}

/** Throws InvalidColumnsError if the groups of `count` rectangles or blocks are malformed; null if there are none. */
export function groupsOf(columns: Columns, count: number): ColourGroups | null {
  if (!columns.has('group')) return null;
  columns.requireLength(count, ['group']);
  return {
    names: columns.list('groups').map(String),
    isOrdered: columns.header['isOrdered'] === true,
    groupOf: columns.bytes('group'),
  };
}

/** The groups that some rectangle or block is in, in their order; OTHER_GROUP is the last. */
export function usedGroups({ groupOf }: ColourGroups): number[] {
  const used = new Uint8Array(OTHER_GROUP + 1);
  for (const group of groupOf) used[group] = 1;
  return [...used.keys()].filter((group) => used[group] === 1);
}
