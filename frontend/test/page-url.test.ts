import { itemAt } from '../src/base/at';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PageUrl } from '../src/pages/request/page-url';

type Listener = (event: { type: string; detail?: number; repeat?: boolean }) => void;

/** A window with a history of queries and fragments. */
class FakeWindow {
  readonly entries: string[];
  at = 0;
  private readonly listeners: { type: string; listener: Listener; capture: boolean }[] = [];
  readonly location: { readonly pathname: string; readonly search: string; readonly hash: string };
  readonly history = {
    state: null,
    pushState: (_state: unknown, _title: string, url: string) => {
      this.entries.splice(++this.at, Infinity, this.relative(url));
    },
    replaceState: (_state: unknown, _title: string, url: string) => (this.entries[this.at] = this.relative(url)),
  };

  constructor(query: string) {
    this.entries = [query];
    const part = (pattern: RegExp) => pattern.exec(itemAt(this.entries, this.at))?.[0] ?? '';
    this.location = {
      pathname: '/page',
      get search() {
        return part(/^\?[^#]*/);
      },
      get hash() {
        return part(/#.*$/);
      },
    };
  }

  private relative(url: string): string {
    return url.replace(/^\/page/, '');
  }

  addEventListener(type: string, listener: Listener, options?: { capture?: boolean }): void {
    this.listeners.push({ type, listener, capture: options?.capture === true });
  }

  dispatch(type: string, event: { detail?: number; repeat?: boolean } = {}): void {
    for (const each of this.listeners) if (each.type === type) each.listener({ type, ...event });
  }

  go(by: number): void {
    this.at += by;
    this.dispatch('popstate');
  }
}

let fake: FakeWindow;
let view: { position: number };
let url: PageUrl;
let written: number;

async function open(query: string): Promise<void> {
  vi.resetModules();
  fake = new FakeWindow(query);
  vi.stubGlobal('window', fake);
  vi.stubGlobal('location', fake.location);
  vi.stubGlobal('history', fake.history);
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  const { PageUrl } = await import('../src/pages/request/page-url');
  written = 0;
  view = { position: 0 };
  const restore = () => (view.position = Number(new URLSearchParams(fake.location.search).get('at') ?? 0));
  restore();
  url = new PageUrl(
    () => (view.position === 0 ? '' : `at=${view.position}`),
    () => written++,
  );
  url.onReturn(restore);
}

const change = (position: number) => {
  view.position = position;
  url.scheduleUpdate();
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('PageUrl', () => {
  it('writes a series of changes once, without an entry of the history', async () => {
    await open('');
    for (const position of [1, 2, 3]) change(position);
    expect(fake.entries).toEqual(['']);
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=3']);
    expect(written).toBe(1);
  });

  it('makes an entry of a jump at once, however late what follows it comes', async () => {
    await open('?at=1');
    url.jump(() => change(5));
    expect(fake.entries).toEqual(['?at=1', '?at=5']);
    vi.runAllTimers();
    change(6); // the view moves into place
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=1', '?at=6']);
    fake.go(-1);
    expect(view.position).toBe(1);
  });

  it('returns to what was shown before a jump, also if that was not written yet', async () => {
    await open('?at=1');
    change(2);
    url.jump(() => change(5));
    expect(fake.entries).toEqual(['?at=2', '?at=5']);
  });

  it('makes no entry of a jump that leads nowhere, nor of the change after it', async () => {
    await open('?at=1');
    url.jump(() => undefined);
    vi.runAllTimers();
    change(2);
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=2']);
  });

  it('undoes each of two jumps in quick succession', async () => {
    await open('?at=1');
    url.jump(() => change(2));
    url.jump(() => change(3));
    fake.go(-1);
    expect(view.position).toBe(2);
    fake.go(-1);
    expect(view.position).toBe(1);
  });

  it('undoes a double-click as a whole, and a key that was held down', async () => {
    await open('?at=1');
    fake.dispatch('mousedown', { detail: 1 });
    url.jump(() => change(2));
    fake.dispatch('mousedown', { detail: 2 });
    url.jump(() => change(1));
    url.jump(() => change(7));
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=1', '?at=7']);

    fake.dispatch('keydown', { repeat: false });
    url.jump(() => change(8));
    fake.dispatch('keydown', { repeat: true });
    for (let position = 9; position < 30; position++) url.jump(() => change(position));
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=1', '?at=7', '?at=29']);

    fake.dispatch('pointerdown');
    url.jump(() => change(30));
    expect(fake.entries).toHaveLength(4);
  });

  it('writes what was changed before a link is followed or a form is submitted', async () => {
    for (const type of ['click', 'auxclick', 'submit']) {
      await open('?at=1');
      change(2);
      fake.dispatch(type);
      expect(fake.entries).toEqual(['?at=2']);
      vi.runAllTimers();
      expect(written).toBe(1);
    }
  });

  it('does not write over the entry that Back returns to', async () => {
    await open('?at=1');
    url.jump(() => change(5));
    change(6);
    fake.go(-1);
    vi.runAllTimers();
    expect(fake.entries).toEqual(['?at=1', '?at=5']);
    expect(view.position).toBe(1);
  });

  it('keeps what was just changed when only the fragment changes', async () => {
    await open('?at=1');
    change(2);
    fake.history.pushState(null, '', '?at=1#range');
    fake.dispatch('popstate');
    expect(view.position).toBe(2);
    vi.runAllTimers();
    expect(fake.entries.at(-1)).toBe('?at=2#range');
  });
});
