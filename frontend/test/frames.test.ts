import { describe, expect, it } from 'vitest';
import { type Frame, placeText, runsOf } from '../src/model/frames';

const frame = (name: string, kind: Frame['kind']): Frame => ({ name, file: `/src/${name}.py`, line: 7, kind });

describe('a stack', () => {
  it('folds neighbours that are not the user’s, and loses nothing', () => {
    const frames = [
      frame('malloc', 'runtime'),
      frame('linear', 'package'),
      frame('attention', 'user'),
      frame('block', 'user'),
      frame('module', 'package'),
      frame('train', 'user'),
    ];
    const runs = runsOf(frames);
    expect(runs.map((run) => [run.user, run.frames.length])).toEqual([
      [false, 2],
      [true, 2],
      [false, 1],
      [true, 1],
    ]);
    expect(runs.flatMap((run) => run.frames)).toEqual(frames);
    expect(runsOf([])).toEqual([]);
  });

  it('names places by file and line', () => {
    expect(placeText(frame('train', 'user'))).toBe('train.py:7');
    expect(placeText({ file: '??', line: 0 })).toBe('');
  });
});
