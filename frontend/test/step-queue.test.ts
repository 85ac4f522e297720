import { itemAt } from '../src/base/at';
import { describe, expect, it } from 'vitest';
import { StepQueue } from '../src/base/step-queue';

/** A queue of steps to the next number, each found when the test says so. */
function harness() {
  const state = { place: 0 };
  const found: { from: number; complete: (isFound: boolean) => void; fail: (error: Error) => void }[] = [];
  const failures: string[] = [];
  const queue = new StepQueue<number>(
    () => state.place,
    (error) => failures.push((error as Error).message),
  );
  const add = () =>
    queue.add(
      (from) =>
        new Promise((done, fail) => {
          const move = () => {
            state.place = from + 1;
          };
          found.push({ from, complete: (isFound) => done(isFound ? move : null), fail });
        }),
    );
  return { state, found, failures, queue, add };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('StepQueue', () => {
  it('begins each step where the one before has led', async () => {
    const { state, found, queue, add } = harness();
    add();
    add();
    add();
    expect(found.map(({ from }) => from)).toEqual([0]);
    for (let step = 0; step < 3; step++) {
      expect(queue.isBusy).toBe(true);
      itemAt(found, step).complete(true);
      await settled();
    }
    expect(found.map(({ from }) => from)).toEqual([0, 1, 2]);
    expect(state.place).toBe(3);
    expect(queue.isBusy).toBe(false);
  });

  it('goes on after a step that finds nothing', async () => {
    const { state, found, add } = harness();
    add();
    add();
    itemAt(found, 0).complete(false);
    await settled();
    itemAt(found, 1).complete(true);
    await settled();
    expect(state.place).toBe(1);
  });

  it('drops steps that were asked for before the user went elsewhere', async () => {
    const { state, found, queue, add } = harness();
    add();
    add();
    state.place = 100;
    itemAt(found, 0).complete(true);
    await settled();
    expect(found).toHaveLength(1);
    expect(state.place).toBe(100);
    expect(queue.isBusy).toBe(false);
  });

  it('keeps steps that are asked for after the user went elsewhere', async () => {
    const { state, found, add } = harness();
    add();
    add();
    state.place = 100;
    add();
    itemAt(found, 0).complete(true);
    await settled();
    expect(found.map(({ from }) => from)).toEqual([0, 100]);
    itemAt(found, 1).complete(true);
    await settled();
    expect(state.place).toBe(101);
  });

  it('reports a failure, drops what depends on it, and works again', async () => {
    const { state, found, failures, queue, add } = harness();
    add();
    add();
    itemAt(found, 0).fail(new Error('503'));
    await settled();
    expect(failures).toEqual(['503']);
    expect(found).toHaveLength(1);
    expect(queue.isBusy).toBe(false);
    add();
    itemAt(found, 1).complete(true);
    await settled();
    expect(state.place).toBe(1);
  });

  it('is silent about the failure of a step that is not wanted any more', async () => {
    const { state, found, failures, add } = harness();
    add();
    state.place = 100;
    add();
    itemAt(found, 0).fail(new Error('503'));
    await settled();
    expect(failures).toEqual([]);
    itemAt(found, 1).complete(true);
    await settled();
    expect(state.place).toBe(101);
  });
});
