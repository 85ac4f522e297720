import { describe, expect, it } from 'vitest';
import { EarlyInput } from '../src/pages/request/early-input';

describe('input before the data has arrived', () => {
  const record = () => {
    const done: string[] = [];
    return { done, add: (what: string) => () => void done.push(what) };
  };

  it('waits and is done in order when the data arrives', () => {
    const { done, add } = record();
    const early = new EarlyInput();
    early.do(add('a'));
    early.do(add('b'));
    expect(done).toEqual([]);
    early.arrived();
    early.do(add('c'));
    early.arrived();
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('is done once although an action makes the data arrive again', () => {
    const { done, add } = record();
    const early = new EarlyInput();
    early.do(() => early.arrived());
    early.do(add('a'));
    early.arrived();
    expect(done).toEqual(['a']);
  });

  it('handles keys that waited, and says at once whether it handles later ones', () => {
    const { done, add } = record();
    const early = new EarlyInput();
    const keys = early.keys((key) => {
      add(key)();
      return key === 'w';
    });
    expect(keys('w')).toBe(false);
    early.arrived();
    expect(keys('w')).toBe(true);
    expect(keys('x')).toBe(false);
    expect(done).toEqual(['w', 'w', 'x']);
  });

  it('forgets what a key that is held down repeats', () => {
    const { done, add } = record();
    const early = new EarlyInput();
    for (let i = 0; i < 1000; i++) early.do(add('w'));
    early.arrived();
    expect(done.length).toBe(20);
  });
});
