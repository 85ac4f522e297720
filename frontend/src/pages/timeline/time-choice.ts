import type { TimeOrder } from '../../model/timeline';
import { button, element } from '../display/element';

const REASONS: Readonly<Record<Exclude<TimeOrder, 'ascending'>, string>> = {
  'goes-back': 'The times of the events go back, so the axis shows events.',
  'not-recorded': 'Not every event has a time, so the axis shows events.',
};

/** Whether the horizontal axis is of time instead of events. The page is loaded again: Back undoes the choice. */
export class TimeChoice {
  readonly root: HTMLElement;
  readonly isTime = new URLSearchParams(location.search).get('x') === 'time';
  private readonly button: HTMLButtonElement;
  private readonly note = element('span', { class: 'small muted', role: 'status' });

  /** `query`: that of the view as it is. */
  constructor(query: () => string) {
    this.button = button('Time', 'Horizontal axis by time instead of by event', () => {
      const parameters = new URLSearchParams(query());
      if (this.isTime) parameters.delete('x');
      else parameters.set('x', 'time');
      location.assign(`?${parameters}`);
    });
    this.button.setAttribute('aria-pressed', String(this.isTime));
    this.root = element('span', {}, this.button, this.note);
  }

  /** The choice is possible if times are ascending. */
  show(times: TimeOrder): void {
    if (times === 'ascending') return;
    this.button.disabled = !this.isTime;
    this.button.title = REASONS[times];
    if (this.isTime) this.note.textContent = ` ${REASONS[times]}`;
  }
}
