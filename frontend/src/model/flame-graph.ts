import { valueAt } from '../base/at';
import type { FlameFrame, FlameView } from './rest-types';

export type { FlameFrame };

/** The nodes that bars are drawn of, the root first. */
export interface FlameNodes {
  /** Index of the parent; -1 for the root. */
  readonly parent: readonly number[];
  readonly amount: readonly number[];
}

/** The server's answer; `nodes` has one entry for each node in every column, the root first. */
export type FlameGraph = FlameView;

/** Instead of a frame: the root of all stacks. */
export const ROOT = -1;
/** Instead of a frame: the siblings that are left out. */
export const OTHERS = -2;

/** Where a node is drawn: shares of the width, and its row from 0. */
export interface FlameBar {
  readonly node: number;
  readonly left: number;
  readonly width: number;
  readonly depth: number;
  /** Whether it stands for all siblings from this one on, which are too narrow. */
  readonly isRest: boolean;
}

/**
 * The bars of some nodes, parents before children. Siblings that are narrower than `least` (a share of the whole width) are
 * one bar; siblings are in order of their amounts, so they are the last.
 */
export function barsOf({ parent, amount }: FlameNodes, least: number): FlameBar[] {
  const whole = valueAt(amount, 0);
  if (!(whole > 0)) return [];
  const root: FlameBar = { node: 0, left: 0, width: 1, depth: 0, isRest: false };
  const bars = [root];
  const barOf = new Map([[0, root]]);
  /** Where the next child of a node begins, and its children that are too narrow. */
  const next = new Map<number, number>([[0, 0]]);
  const rest = new Map<number, { node: number; width: number }>();
  for (const [node, outer] of parent.entries()) {
    const above = barOf.get(outer);
    if (above === undefined) continue;
    const width = valueAt(amount, node) / whole;
    const narrow = rest.get(outer);
    if (width < least || narrow !== undefined) {
      rest.set(outer, { node: narrow?.node ?? node, width: (narrow?.width ?? 0) + width });
      continue;
    }
    const left = next.get(outer) ?? above.left;
    next.set(outer, left + width);
    const bar = { node, left, width, depth: above.depth + 1, isRest: false };
    bars.push(bar);
    barOf.set(node, bar);
    next.set(node, left);
  }
  for (const [above, { node, width }] of rest) {
    const { depth, left } = barOf.get(above) ?? root;
    if (width >= least) bars.push({ node, left: next.get(above) ?? left, width, depth: depth + 1, isRest: true });
  }
  return bars;
}

/** The numbers of the frames from below the root to a node. */
export function pathOf(graph: Pick<FlameGraph, 'frames' | 'nodes'>, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at > 0; at = valueAt(graph.nodes.parent, at)) {
    const frame = graph.frames[valueAt(graph.nodes.frame, at)];
    if (frame !== undefined) path.unshift(frame.number);
  }
  return path;
}

/** Whether all words are in the frame's name, its file, or `file:line`; the same rule as StackSearch on the server. */
export function isMatch(frame: FlameFrame, words: readonly string[]): boolean {
  const name = frame.name.toLowerCase();
  const file = frame.file.toLowerCase();
  return words.every(
    (word) =>
      name.includes(word) || file.includes(word) || (word.indexOf(':') > 0 && `${file}:${frame.line}`.includes(word)),
  );
}

/** The words of a search in lower case. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
