import { describe, expect, it } from 'vitest';
import { OTHER_GROUP, readColour, usedGroups } from '../src/model/colour-by';

describe('colours of the timeline', () => {
  it('are by site where the URL has nonsense', () => {
    expect(readColour('age')).toBe('age');
    for (const text of [null, '', 'toString', 'AGE', '<b>']) expect(readColour(text)).toBe('site');
  });

  it('have a legend of the groups that occur', () => {
    const groupOf = new Uint8Array([3, OTHER_GROUP, 0, 3, 3]);
    expect(usedGroups({ names: ['a', 'b', 'c', 'd'], isOrdered: false, groupOf })).toEqual([0, 3, OTHER_GROUP]);
    expect(usedGroups({ names: [], isOrdered: true, groupOf: new Uint8Array() })).toEqual([]);
  });
});
