import { sideName, type LabMoment, type LabSide } from '../../model/lab/lab';
import { element, fill } from '../display/element';
import { keepFocus } from '../display/keep-focus';
import { LabDeviceBar } from './lab-device-bar';
import { showLadder } from './lab-ladder';
import { showSearch } from './lab-search';
import { LabSettingsForm } from './lab-settings-form';
import { showStreams } from './lab-streams';
import { LabStrip, type StripActions } from './lab-strip';

/** What a side shows besides its strip and its reasons. */
export interface SideParts {
  readonly hasStreams: boolean;
  readonly hasLadder: boolean;
  readonly hasSettings: boolean;
  readonly isAllocatorChosen: boolean;
}

export interface SideActions extends StripActions {
  /** Appends an operation to the script at the present position. */
  run(operation: string): void;
  settings(side: LabSide): void;
  postMortem(): void;
}

/** One allocator of an experiment. */
export class LabSideView {
  readonly root: HTMLElement;
  readonly form: LabSettingsForm | null;
  private readonly title = element('h2');
  private readonly bar = new LabDeviceBar();
  private readonly strip: LabStrip;
  private readonly reasons = element('ol', { class: 'lab-reasons' });
  private readonly search = element('div');
  private readonly streams = element('div');
  private readonly ladder = element('div');
  readonly log = element('div');
  private readonly failure = element('div', { class: 'problem', role: 'alert', hidden: '' });

  constructor(
    private side: LabSide,
    parts: SideParts,
    private readonly actions: SideActions,
  ) {
    this.strip = new LabStrip(`Segments and blocks of the ${side.allocator} allocator`, actions);
    this.form = parts.hasSettings
      ? new LabSettingsForm(side, parts.isAllocatorChosen, (changed) => actions.settings(changed))
      : null;
    this.root = element(
      'section',
      { class: 'lab-side', 'aria-label': sideName(side) },
      element('header', {}, this.title),
      this.form === null ? null : element('details', {}, element('summary', {}, 'Settings'), this.form.root),
      this.bar.root,
      this.strip.root,
      this.failure,
      element('h3', {}, 'What this step did'),
      this.reasons,
      parts.hasStreams ? this.streams : null,
      parts.hasStreams ? this.log : null,
      parts.hasLadder ? this.ladder : null,
      this.search,
    );
    this.rename(side);
  }

  rename(side: LabSide): void {
    this.side = side;
    this.title.textContent = sideName(side);
    this.form?.show(side);
  }

  /** Opens the settings, and gives the focus to the choice of the allocator, which has rebuilt them. */
  openSettings(): void {
    const details = this.root.querySelector('details');
    if (details === null) return;
    details.open = true;
    details.querySelector<HTMLElement>('select, input')?.focus();
  }

  /** `before` is the state that the latest request searched, if it is known. */
  show(moment: LabMoment, before: LabMoment | null, selected: number | null): void {
    this.strip.show(moment, selected);
    this.bar.show(moment.step.totals);
    fill(
      this.reasons,
      ...moment.step.reasons.map((reason) => element('li', { class: `lab-reason ${reason.kind}` }, reason.text)),
    );
    if (moment.step.reasons.length === 0) {
      fill(this.reasons, element('li', { class: 'lab-reason note muted' }, 'Nothing yet.'));
    }
    this.failure.hidden = !moment.step.failed;
    if (moment.step.failed) {
      const open = element('button', { type: 'button', class: 'primary' }, 'Open the post-mortem');
      open.addEventListener('click', () => this.actions.postMortem());
      fill(
        this.failure,
        element('p', { class: 'title' }, 'The request failed: out of memory.'),
        element('p', {}, 'The post-mortem of this state is that of any uploaded snapshot: cause, proof, remedies.'),
        open,
      );
    }
    showSearch(this.search, moment, before, this.side.allocator);
    keepFocus(this.streams, () => showStreams(this.streams, moment, (operation) => this.actions.run(operation)));
    showLadder(this.ladder, moment.step);
  }

  setFast(isFast: boolean): void {
    this.root.toggleAttribute('data-fast', isFast);
  }
}
