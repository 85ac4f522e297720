import { sideName, type LabSide } from '../../model/lab/lab';
import { packed } from '../../model/lab/lab-link';
import { LabScript } from '../../model/lab/lab-script';
import { button, element, fill } from '../display/element';
import { LabClient } from './lab-client';
import { LabDeviceBar } from './lab-device-bar';
import { LabStrip } from './lab-strip';
import { Problem, problemBox } from '../display/problem';
import { setData, setState } from '../display/view-state';

/** `data-lab="picture"`: a script to step through, beside a text. The same allocators as in the lab. */
export class LabPicture {
  private readonly client: LabClient;
  private readonly views: { strip: LabStrip; bar: LabDeviceBar; kernels: HTMLElement; reasons: HTMLElement }[];
  private readonly label = element('p', { class: 'lab-label', 'aria-live': 'polite' });
  private readonly message = element('div', { hidden: '' });
  private readonly open = element('a', { href: '/lab/strip' }, 'Open in the lab');
  private readonly position = element('output', { class: 'lab-position' });

  constructor(private readonly root: HTMLElement) {
    const sides = JSON.parse(root.dataset['sides'] ?? '[]') as LabSide[];
    const script = LabScript.of(root.dataset['script'] ?? '');
    const shown = Number(root.dataset['shown'] ?? '-1');
    this.client = new LabClient(sides, script);
    this.client.done = shown < 0 ? script.length : Math.min(shown, script.length);
    this.views = sides.map((side) => ({
      strip: new LabStrip(sideName(side), null),
      bar: new LabDeviceBar(),
      kernels: element('ul', { class: 'lab-chips', 'aria-label': 'Running kernels' }),
      reasons: element('ol', { class: 'lab-reasons' }),
    }));
    fill(
      root,
      element(
        'div',
        { class: 'lab-player', role: 'group', 'aria-label': 'Steps' },
        button('Start', 'To the start', () => this.go(0)),
        button('◀ Back', 'One step back', () => this.go(script.previousStep(this.client.done))),
        button('Step ▶', 'One step forward', () => this.go(script.nextStep(this.client.done))),
        button('End', 'To the end', () => this.go(script.length)),
        this.position,
        this.open,
      ),
      this.label,
      this.message,
      ...this.views.map((view, index) =>
        element(
          'div',
          { class: 'lab-picture-side' },
          element('h3', {}, sideName(sides[index] as LabSide)),
          view.bar.root,
          view.strip.root,
          view.kernels,
          view.reasons,
        ),
      ),
    );
    setState(root, 'loading');
    void this.show();
  }

  private go(position: number): void {
    this.client.done = position;
    void this.show();
  }

  private async show(): Promise<void> {
    const { client } = this;
    try {
      await client.load(client.done);
    } catch (error) {
      fill(
        this.message,
        problemBox(Problem.of(error), () => void this.show()),
      );
      this.message.hidden = false;
      setState(this.root, 'error');
      return;
    }
    this.message.hidden = true;
    client.moments()?.forEach((moment, index) => {
      const view = this.views[index];
      view?.strip.show(moment, null);
      view?.bar.show(moment.step.totals);
      if (view !== undefined) {
        fill(
          view.kernels,
          ...moment.step.kernels.map((kernel) =>
            element('li', { class: 'lab-chip kernel' }, `kernel on stream ${kernel.stream} uses block ${kernel.id}`),
          ),
        );
        fill(
          view.reasons,
          ...moment.step.reasons.map((reason) => element('li', { class: `lab-reason ${reason.kind}` }, reason.text)),
        );
      }
    });
    this.label.textContent = client.script.labelAt(client.done);
    this.position.textContent = `${client.done} of ${client.script.length}`;
    setState(this.root, 'ready');
    setData(this.root, { done: client.done, length: client.script.length });
    const state = { sides: client.sides, script: client.script.text(), done: client.done };
    this.open.href = `/lab/${this.root.dataset['exercise'] ?? 'strip'}#${await packed(state)}`;
  }
}
