import { carried } from '../model/carried-view';

/** Browsers limit history updates to a few hundred per minute. The delay also keeps drags cheap. */
const DELAY_MILLIS = 150;

/** Keeps the view state in the page's URL, so that reload, Back and a shared link restore it. */
export class PageUrl {
  private timer = 0;
  /** Whether the next update is a jump. */
  private isJump = false;

  /** `query` is called after the last update of a series; `written` after the URL has changed. */
  constructor(
    private readonly query: () => string,
    private readonly written: () => void = () => undefined,
  ) {}

  scheduleUpdate(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), DELAY_MILLIS);
  }

  /** Called before a change that Back is to undo, such as a jump to another event; Back returns to what is shown now. */
  jump(): void {
    // Two jumps at once, such as a double-click, are one.
    if (this.isJump) return;
    this.write();
    this.isJump = true;
    this.scheduleUpdate();
  }

  /** Calls `restored` when Back or Forward has changed the URL, to show what it says. */
  onReturn(restored: () => void): void {
    window.addEventListener('popstate', () => {
      window.clearTimeout(this.timer);
      this.isJump = false;
      restored();
    });
  }

  private write(): void {
    const query = this.query();
    writeUrl(query, this.isJump && `?${query}` !== location.search && query !== location.search);
    this.isJump = false;
    this.written();
  }
}

/** Writes what the page shows to its URL and to the tabs; with `isJump`, Back returns to the URL before. */
export function writeUrl(query: string, isJump: boolean): void {
  const url = `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`;
  if (isJump) history.pushState(history.state, '', url);
  else history.replaceState(history.state, '', url);
  carryToTabs(query);
}

/** Lets the tabs, which lead to the other pages of the snapshot, open them with what this page shows. */
export function carryToTabs(query: string): void {
  for (const tab of document.querySelectorAll('[data-view-tabs] a')) {
    tab.setAttribute('href', carried(tab.getAttribute('href') ?? '', query));
  }
}
