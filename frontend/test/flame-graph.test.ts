import { itemAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { barsOf, type FlameGraph, isMatch, OTHERS, pathOf, ROOT, wordsOf } from '../src/model/flame-graph';

const FRAMES = ['main', 'forward', 'backward', 'attend'].map((name, number) => ({
  number: 10 + number,
  name,
  file: '/me/train.py',
  line: 40 + number,
  kind: 'user' as const,
}));

/** main 100 { forward 60 { attend 50 }, backward 30 { others 20 }, attend 4, main 3, forward 3 } */
const GRAPH: FlameGraph = {
  device: 0,
  measure: 'live',
  unit: 'bytes',
  event: 5,
  total: 100,
  matched: null,
  frames: FRAMES,
  nodes: {
    parent: [-1, 0, 0, 0, 0, 0, 1, 2],
    frame: [ROOT, 1, 2, 3, 0, 1, 3, OTHERS],
    amount: [100, 60, 30, 4, 3, 3, 50, 20],
    selfAmount: [0, 10, 10, 4, 3, 3, 50, 0],
    count: [9, 1, 1, 1, 1, 1, 1, 1],
    isCut: [false, false, false, false, false, false, false, true],
  },
};

describe('barsOf', () => {
  it('places children below their parent from left to right', () => {
    const bars = barsOf(GRAPH.nodes, 0);
    expect(bars.map((bar) => bar.depth)).toEqual([0, 1, 1, 1, 1, 1, 2, 2]);
    expect(bars.map((bar) => Math.round(bar.left * 100))).toEqual([0, 0, 60, 90, 94, 97, 0, 60]);
    expect(bars.some((bar) => bar.isRest)).toBe(false);
  });

  it('draws siblings that are too narrow as one', () => {
    const bars = barsOf(GRAPH.nodes, 0.045);
    const rest = bars.filter((bar) => bar.isRest);
    expect(rest).toHaveLength(1);
    expect(itemAt(rest, 0).left).toBeCloseTo(0.9);
    expect(itemAt(rest, 0).width).toBeCloseTo(0.1);
    expect(bars).toHaveLength(6);
    expect(barsOf(GRAPH.nodes, 0.2).filter((bar) => bar.isRest)).toHaveLength(0);
  });

  it('draws nothing of an empty graph', () => {
    expect(barsOf({ ...GRAPH.nodes, amount: GRAPH.nodes.amount.map(() => 0) }, 0)).toEqual([]);
  });
});

describe('search', () => {
  it('finds words in one frame', () => {
    const found = (text: string) => FRAMES.filter((frame) => isMatch(frame, wordsOf(text))).map((frame) => frame.name);
    expect(found('ward')).toEqual(['forward', 'backward']);
    expect(found('ward Train.py:41')).toEqual(['forward']);
    expect(found('nothing')).toEqual([]);
  });
});

it('a path has the frames from the root to a node', () => {
  expect(pathOf(GRAPH, 6)).toEqual([11, 13]);
  expect(pathOf(GRAPH, 0)).toEqual([]);
});
