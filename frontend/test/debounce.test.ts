import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Debounce } from '../src/base/debounce';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Debounce', () => {
  const create = () => {
    const action = vi.fn();
    return { action, debounce: new Debounce(100, action) };
  };

  it('acts once, some time after the last change', () => {
    const { action, debounce } = create();
    debounce.changed();
    vi.advanceTimersByTime(99);
    debounce.changed();
    vi.advanceTimersByTime(99);
    expect(action).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    expect(action).toHaveBeenCalledOnce();
  });

  it('acts early, but only if there was a change', () => {
    const { action, debounce } = create();
    debounce.flush();
    expect(action).not.toHaveBeenCalled();
    debounce.changed();
    expect(debounce.isPending).toBe(true);
    debounce.flush();
    expect(action).toHaveBeenCalledOnce();
    expect(debounce.isPending).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(action).toHaveBeenCalledOnce();
  });

  it('forgets a change', () => {
    const { action, debounce } = create();
    debounce.changed();
    debounce.cancel();
    debounce.flush();
    vi.advanceTimersByTime(1000);
    expect(action).not.toHaveBeenCalled();
  });

  it('takes a change that the action makes as a new one', () => {
    const action = vi.fn(() => action.mock.calls.length < 3 && debounce.changed());
    const debounce = new Debounce(100, action);
    debounce.changed();
    vi.advanceTimersByTime(1000);
    expect(action).toHaveBeenCalledTimes(3);
  });
});
