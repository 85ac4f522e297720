import { describe, expect, it } from 'vitest';
import { Latest } from '../src/base/latest';

/** A source whose answers arrive when the test says so. */
function source() {
  const asked: { wish: number; signal: AbortSignal; answer: (text: string) => void; fail: (error: Error) => void }[] =
    [];
  const answered: string[] = [];
  const failed: string[] = [];
  const latest = new Latest<number, string>(
    (wish, signal) => new Promise((answer, fail) => asked.push({ wish, signal, answer, fail })),
    (wish, text) => answered.push(`${wish} ${text}`),
    (wish, error) => failed.push(`${wish} ${(error as Error).message}`),
    (running, wish) => Math.abs(running - wish) < 100,
  );
  return { latest, asked, answered, failed };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('the latest wish', () => {
  it('waits for the one on its way, and skips those between', async () => {
    const { latest, asked, answered } = source();
    for (const wish of [1, 2, 3]) latest.want(wish);
    expect(asked.map(({ wish }) => wish)).toEqual([1]);
    asked[0].answer('a');
    await settled();
    expect(asked.map(({ wish }) => wish)).toEqual([1, 3]);
    asked[1].answer('b');
    await settled();
    expect(answered).toEqual(['1 a', '3 b']);
    expect(asked).toHaveLength(2);
  });

  it('cuts off an answer that nobody would look at', async () => {
    const { latest, asked, answered, failed } = source();
    latest.want(1);
    latest.want(500);
    expect(asked[0].signal.aborted).toBe(true);
    asked[0].fail(new Error('aborted'));
    await settled();
    asked[1].answer('b');
    await settled();
    expect(answered).toEqual(['500 b']);
    expect(failed).toEqual([]);
  });

  it('goes on after a failure', async () => {
    const { latest, asked, answered, failed } = source();
    latest.want(1);
    latest.want(2);
    asked[0].fail(new Error('503'));
    await settled();
    asked[1].answer('b');
    await settled();
    expect(failed).toEqual(['1 503']);
    expect(answered).toEqual(['2 b']);
  });
});
