import { Debounce } from '../../base/debounce';
import { carried } from '../../model/view-parameters';
import { beforeLeaving } from './before-leaving';
import { isRepeatedInput } from './repeated-input';

/** Browsers limit history updates to a few hundred per minute. The delay also keeps drags cheap. */
const DELAY_MILLIS = 150;

/** Keeps the view state in the page's URL, so that reload, Back and a shared link restore it. */
export class PageUrl {
  private readonly debounce = new Debounce(DELAY_MILLIS, () => this.write(false));
  /** The query of the page's history entry, as far as this page knows. */
  private shown = location.search;

  /** `query` is called after the last update of a series; `written` after the URL has changed. */
  constructor(
    private readonly query: () => string,
    private readonly written: () => void = () => undefined,
  ) {
    beforeLeaving(() => this.debounce.flush());
  }

  scheduleUpdate(): void {
    this.debounce.changed();
  }

  /** Writes the URL now, without an entry of the history. */
  update(): void {
    this.write(false);
  }

  /** Replaces the parameters of the URL by others, such as one that only the server reads. */
  replace(query: string): void {
    history.replaceState(history.state, '', `?${query}${location.hash}`);
    this.write(false);
  }

  /**
   * Makes a change that Back undoes, such as a jump to another event. The query says at once where it leads, also if the
   * view takes some time to get there. A double-click is one jump, and so is a key that is held down.
   */
  jump(change: () => void): void {
    this.debounce.flush();
    change();
    if (isRepeatedInput()) this.scheduleUpdate();
    else this.write(true);
  }

  /** Calls `restored` when Back or Forward has changed the query of the URL, to show what it says. */
  onReturn(restored: () => void): void {
    window.addEventListener('popstate', () => {
      if (location.search === this.shown) return;
      this.shown = location.search;
      this.debounce.cancel();
      restored();
    });
  }

  private write(isJump: boolean): void {
    this.debounce.cancel();
    const query = this.query();
    const search = query === '' ? '' : `?${query}`;
    const url = `${location.pathname}${search}${location.hash}`;
    if (isJump && search !== location.search) history.pushState(history.state, '', url);
    else history.replaceState(history.state, '', url);
    this.shown = location.search;
    carryToTabs(query);
    this.written();
  }
}

/** Lets the tabs, which lead to the other pages of the snapshot, open them with what this page shows. */
export function carryToTabs(query: string): void {
  for (const tab of document.querySelectorAll('[data-view-tabs] a')) {
    tab.setAttribute('href', carried(tab.getAttribute('href') ?? '', query));
  }
}
