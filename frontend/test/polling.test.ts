import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Polling } from '../src/base/polling';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A polling whose updates are completed by the test. */
function harness() {
  const updates: ((millis: number | null) => void)[] = [];
  const polling = new Polling(() => new Promise((done) => updates.push(done)));
  const complete = async (number: number, millis: number | null) => {
    updates[number]?.(millis);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { updates, polling, complete };
}

describe('Polling', () => {
  it('has one update at a time, and the next one some time after its end', async () => {
    const { updates, polling, complete } = harness();
    polling.start(100);
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(updates).toHaveLength(1);
    await complete(0, 300);
    await vi.advanceTimersByTimeAsync(299);
    expect(updates).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(updates).toHaveLength(2);
  });

  it('updates at once when asked, and goes on from there', async () => {
    const { updates, polling, complete } = harness();
    polling.start(100);
    polling.now();
    expect(updates).toHaveLength(1);
    await complete(0, 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(updates).toHaveLength(2);
  });

  it('updates again after an update that had begun before it was asked', async () => {
    const { updates, polling, complete } = harness();
    polling.now();
    polling.now();
    polling.now();
    expect(updates).toHaveLength(1);
    await complete(0, 1000);
    expect(updates).toHaveLength(2);
    await complete(1, 1000);
    expect(updates).toHaveLength(2);
  });

  it('ends when an update says so, also while one is under way', async () => {
    const { updates, polling, complete } = harness();
    polling.now();
    await complete(0, null);
    polling.now();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(updates).toHaveLength(1);
    expect(polling.isEnded).toBe(true);

    const other = harness();
    other.polling.now();
    other.polling.end();
    await other.complete(0, 100);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(other.updates).toHaveLength(1);
  });
});
