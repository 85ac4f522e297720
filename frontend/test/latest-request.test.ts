import { itemAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { LatestRequest } from '../src/base/latest-request';

/** A LatestRequest whose requests are completed by the test. */
function harness(intervalMillis = 0) {
  const sent: { query: number; signal: AbortSignal; complete: (text: string) => void; fail: (error: Error) => void }[] =
    [];
  const succeeded: string[] = [];
  const failed: string[] = [];
  const latest = new LatestRequest<number, string>(
    (query, signal) => new Promise((complete, fail) => sent.push({ query, signal, complete, fail })),
    (query, text) => succeeded.push(`${query} ${text}`),
    (query, error) => failed.push(`${query} ${(error as Error).message}`),
    (running, query) => Math.abs(running - query) < 100,
    intervalMillis,
  );
  return { latest, sent, succeeded, failed };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('LatestRequest', () => {
  it('keeps one request in flight and skips intermediate queries', async () => {
    const { latest, sent, succeeded } = harness();
    for (const query of [1, 2, 3]) latest.request(query);
    expect(sent.map(({ query }) => query)).toEqual([1]);
    itemAt(sent, 0).complete('a');
    await settled();
    expect(sent.map(({ query }) => query)).toEqual([1, 3]);
    itemAt(sent, 1).complete('b');
    await settled();
    expect(succeeded).toEqual(['1 a', '3 b']);
    expect(sent).toHaveLength(2);
  });

  it('aborts a request whose result would not be useful', async () => {
    const { latest, sent, succeeded, failed } = harness();
    latest.request(1);
    latest.request(500);
    expect(itemAt(sent, 0).signal.aborted).toBe(true);
    itemAt(sent, 0).fail(new Error('aborted'));
    await settled();
    itemAt(sent, 1).complete('b');
    await settled();
    expect(succeeded).toEqual(['500 b']);
    expect(failed).toEqual([]);
  });

  it('continues after a failure', async () => {
    const { latest, sent, succeeded, failed } = harness();
    latest.request(1);
    latest.request(2);
    itemAt(sent, 0).fail(new Error('503'));
    await settled();
    itemAt(sent, 1).complete('b');
    await settled();
    expect(failed).toEqual(['1 503']);
    expect(succeeded).toEqual(['2 b']);
  });

  it('continues after a result that cannot be shown', async () => {
    const sent: ((text: string) => void)[] = [];
    const shown: string[] = [];
    const unhandled: unknown[] = [];
    process.once('unhandledRejection', (error) => unhandled.push(error));
    const latest = new LatestRequest<number, string>(
      () => new Promise((complete) => sent.push(complete)),
      (_query, text) => {
        if (text === 'broken') throw new Error('broken');
        shown.push(text);
      },
      (_query, error) => {
        throw error;
      },
    );
    latest.request(1);
    latest.request(2);
    itemAt(sent, 0)('broken');
    await settled();
    itemAt(sent, 1)('good');
    await settled();
    expect(shown).toEqual(['good']);
    expect(unhandled).toHaveLength(1);
  });

  it('waits between the starts of requests, and sends the newest query then', async () => {
    const { latest, sent } = harness(50);
    const start = performance.now();
    latest.request(1);
    itemAt(sent, 0).complete('a');
    await settled();
    latest.request(2);
    latest.request(3);
    expect(sent).toHaveLength(1);
    await expect.poll(() => sent.length).toBe(2);
    expect(performance.now() - start).toBeGreaterThan(45);
    expect(itemAt(sent, 1).query).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 60));
    itemAt(sent, 1).complete('b');
    await settled();
    latest.request(4);
    expect(sent).toHaveLength(3);
  });
});
