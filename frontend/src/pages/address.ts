/** Browsers refuse hundreds of rewrites a minute; a pause also keeps a drag from costing anything. */
const PAUSE_MILLIS = 150;

/** Writes the present view into the address of the page, so that reload, back and a sent link restore it. */
export class Address {
  private timer = 0;

  /** `query` is asked for when the hand has come to rest. `written` is called after. */
  constructor(
    private readonly query: () => string,
    private readonly written: () => void = () => undefined,
  ) {}

  changed(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const query = this.query();
      history.replaceState(history.state, '', `${location.pathname}${query === '' ? '' : `?${query}`}${location.hash}`);
      this.written();
    }, PAUSE_MILLIS);
  }
}
