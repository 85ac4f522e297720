import { describe, expect, it } from 'vitest';
import { additionText, patchThatAdds, type StoredTags } from '../src/pages/uploads/tags';

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

describe('additionText', () => {
  const textOf = (...tags: [string, string][]) => additionText(new Map(tags), patchThatAdds(STORED, new Map(tags)));

  it('names the tags that were added and those that were kept', () => {
    expect(textOf(['rank', '3'])).toBe('Added rank.');
    expect(textOf(['job', 'x'], ['rank', '3'], ['labels', 'b'])).toBe(
      'Added rank and labels. job is already set and was kept.',
    );
  });

  it('reports no addition if nothing was added', () => {
    expect(textOf(['job', 'x'], ['step', '9'])).toBe('job and step are already set and were kept.');
    expect(textOf(['labels', 'nightly'])).toBe('labels are already set and were kept.');
  });
});
