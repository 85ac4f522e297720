/** Browsers limit history updates to a few hundred per minute. The delay also keeps drags cheap. */
const DELAY_MILLIS = 150;

/** Keeps the view state in the page's URL, so that reload, back and a shared link restore it. */
export class PageUrl {
  private timer = 0;

  /** `query` is called after the last update of a series; `written` after the URL has changed. */
  constructor(
    private readonly query: () => string,
    private readonly written: () => void = () => undefined,
  ) {}

  scheduleUpdate(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const query = this.query();
      history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`);
      this.written();
    }, DELAY_MILLIS);
  }
}
