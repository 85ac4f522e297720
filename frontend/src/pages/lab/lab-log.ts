import { bytesText } from '../../base/bytes';
import type { LabMoment } from '../../model/lab/lab';
import { element, fill } from '../display/element';

/** Steps whose events are shown. */
export const LOGGED_STEPS = 40;

/** The events of the allocator in the latest steps, newest first, by their names in PyTorch's traces. */
export function showLog(
  container: HTMLElement,
  steps: readonly { readonly done: number; readonly sides: readonly LabMoment[] }[],
  side: number,
): void {
  const rows = steps.flatMap(({ done, sides }) =>
    [...(sides[side]?.step.events ?? [])]
      .reverse()
      .map((event) =>
        element(
          'tr',
          {},
          element('td', { class: 'n' }, String(done)),
          element('td', {}, element('code', {}, event.action)),
          element('td', { class: 'n' }, bytesText(event.bytes)),
          element('td', { class: 'n' }, event.action === 'oom' ? '' : event.address),
          element('td', { class: 'n' }, String(event.stream)),
        ),
      ),
  );
  fill(
    container,
    element('h3', {}, 'Event log'),
    rows.length === 0
      ? element('p', { class: 'small muted' }, 'No event yet.')
      : element(
          'div',
          { class: 'lab-log scroll', tabindex: '0' },
          element(
            'table',
            {},
            element(
              'thead',
              {},
              element(
                'tr',
                {},
                ...['Step', 'Event', 'Bytes', 'Address', 'Stream'].map((name) =>
                  element('th', { scope: 'col', class: name === 'Event' ? null : 'n' }, name),
                ),
              ),
            ),
            element('tbody', {}, ...rows),
          ),
        ),
  );
}
