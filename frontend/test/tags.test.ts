import { describe, expect, it } from 'vitest';
import { patchThatAdds, type StoredTags } from '../src/pages/tags';

const STORED: StoredTags = { job: 'llama', rank: null, host: null, step: 7, labels: ['nightly'] };

describe('patchThatAdds', () => {
  it('sets tags that are not set and keeps those that are', () => {
    const tags = new Map([
      ['job', 'other'],
      ['rank', '3'],
      ['step', '9'],
    ]);
    expect(patchThatAdds(STORED, tags)).toEqual({ rank: '3' });
  });

  it('unites labels without duplicates', () => {
    expect(patchThatAdds(STORED, new Map([['labels', 'nightly, a, ,b,a']]))).toEqual({ labels: ['nightly', 'a', 'b'] });
  });

  it('changes nothing if every tag is stored', () => {
    expect(patchThatAdds(STORED, new Map([['labels', 'nightly']]))).toEqual({});
  });

  it('sends the step as a number', () => {
    expect(patchThatAdds({ ...STORED, step: null }, new Map([['step', '12']]))).toEqual({ step: 12 });
  });
});
