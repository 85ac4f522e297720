import { describe, expect, it } from 'vitest';
import { type Frame, locationText, runsOf } from '../src/model/frames';

const frame = (name: string, kind: Frame['kind']): Frame => ({ name, file: `/src/${name}.py`, line: 7, kind });

describe('a call stack', () => {
  it('is split into runs of user and other frames', () => {
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

  it('formats locations as file and line', () => {
    expect(locationText(frame('train', 'user'))).toBe('train.py:7');
    expect(locationText({ file: '??', line: 0 })).toBe('');
  });
});
