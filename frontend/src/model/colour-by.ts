/** What the colours of the timeline mean; the values are those of the REST parameter. */
export const COLOURS = {
  site: 'site',
  category: 'probable use (guess)',
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

/** Instead of a group: an allocation that is in none of the named ones. */
export const OTHER_GROUP = 255;

/** The groups that have colours of their own. */
export interface ColourGroups {
  readonly names: readonly string[];
  /** Whether they are classes of a quantity, the smallest first. */
  readonly isOrdered: boolean;
  /** The group of each rectangle, or OTHER_GROUP. */
  readonly ofRectangle: Uint8Array;
}

/** The groups that some rectangle is in, in their order; OTHER_GROUP is the last. */
export function usedGroups({ ofRectangle }: ColourGroups): number[] {
  const used = new Uint8Array(OTHER_GROUP + 1);
  for (const group of ofRectangle) used[group] = 1;
  return [...used.keys()].filter((group) => used[group] === 1);
}
