/** More than this is a key that is held down. */
const MAX_WAITING = 20;

/** What a user does with a view before its data has arrived. It waits for the data and is done then, in order. */
export class EarlyInput {
  private waiting: (() => void)[] | null = [];

  /** Does something: now or, if the data has not arrived yet, when it has. */
  readonly do = (action: () => void): void => {
    if (this.waiting === null) action();
    else if (this.waiting.length < MAX_WAITING) this.waiting.push(action);
  };

  /** A key handler whose keys wait, too. A key that waits also has its usual effect on the page. */
  keys(handle: (key: string) => boolean): (key: string) => boolean {
    return (key) => {
      if (this.waiting === null) return handle(key);
      this.do(() => handle(key));
      return false;
    };
  }

  /** The view shows its data. */
  arrived(): void {
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const action of waiting) action();
  }
}
