import { Debounce } from '../../base/debounce';
import { type LabState, packed } from '../../model/lab/lab-link';

/** The link in the address bar follows the experiment after this time. */
const DELAY_MILLIS = 300;

/** The link that restores an experiment, in the address bar. */
export class LabAddress {
  private readonly debounce = new Debounce(DELAY_MILLIS, () => void this.write());
  /** Counts changes: packing takes time, and an older link must not replace a newer one. */
  private changes = 0;

  constructor(private readonly state: () => LabState) {}

  /** The experiment has changed. */
  changed(): void {
    this.changes++;
    this.debounce.changed();
  }

  /** Writes the link of the experiment as it is; returns it. */
  async write(): Promise<string> {
    const { changes } = this;
    const hash = `#${await packed(this.state())}`;
    if (changes === this.changes) history.replaceState(history.state, '', hash);
    return new URL(hash, location.href).href;
  }
}
