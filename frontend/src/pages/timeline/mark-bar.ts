import { countedText, countText } from '../../base/numbers';
import { sizeOf } from '../../model/event-range';
import { eventsOf, type MarkedRange } from '../../model/marked-range';
import { button, element, fill } from '../display/element';

/** What can be done with the marked events. */
export interface MarkActions {
  zoomTo(): void;
  listSites(): void;
  clear(): void;
}

/** The line below the toolbar that names the marked events. */
export class MarkBar {
  readonly root = element('div', { class: 'view-mark', hidden: '' });
  private readonly text = element('p', { role: 'status' });

  constructor(actions: MarkActions) {
    this.root.append(
      this.text,
      button('Zoom', 'Zoom to the marked events (z)', actions.zoomTo),
      button('Sites', 'List what the marked events allocate and free, by site (m)', actions.listSites),
      button('✕', 'Remove the mark (Esc)', actions.clear),
    );
  }

  show(mark: MarkedRange | null): void {
    this.root.hidden = mark === null;
    if (mark === null) return;
    const events = eventsOf(mark);
    fill(
      this.text,
      element('b', {}, 'Marked:'),
      ` events ${countText(events.from)} to ${countText(events.to - 1)} · ${countedText(sizeOf(events), 'event')}`,
    );
  }
}
