import { LabScript } from '../../model/lab/lab-script';
import { button, element, fill } from '../display/element';

/** Lines around the present one that are shown. */
const AROUND = 60;

/** The script: a list to step through, and a text to edit. */
export class LabScriptPanel {
  readonly root: HTMLElement;
  private readonly list = element('ol', { class: 'lab-script', tabindex: '0', 'aria-label': 'Operations' });
  private readonly editor = element('textarea', { rows: '14', spellcheck: 'false', 'aria-label': 'Script' });
  private readonly problem = element('p', { class: 'field-problem', role: 'alert', hidden: '' });
  private readonly edit: HTMLDetailsElement;
  private shown: LabScript | null = null;
  private position = 0;

  /** What the editor had when it was last in step with the script. */
  private synced = '';

  constructor(
    syntax: string,
    private readonly go: (done: number) => void,
    private readonly replace: (script: LabScript) => void,
  ) {
    this.edit = element(
      'details',
      { class: 'lab-edit' },
      element('summary', {}, 'Edit the script'),
      this.editor,
      this.problem,
      element(
        'div',
        { class: 'actions' },
        button('Run', 'Run the edited script (Ctrl-Enter)', () => this.run()),
        element('span', { class: 'small muted' }, 'One operation per line; sizes such as 64MiB.'),
      ),
      element('pre', { class: 'small muted', tabindex: '0' }, syntax),
    );
    this.root = element('div', { class: 'lab-script-panel' }, this.list, this.edit);
    this.editor.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.run();
    });
    this.list.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      this.go(Math.max(0, Math.min(this.shown?.length ?? 0, this.position + by)));
    });
  }

  /** Without empty lines, so that the number of a line in a message is that of the editor. */
  private run(): void {
    const script = LabScript.of(this.editor.value);
    this.editor.value = script.text();
    this.synced = this.editor.value;
    this.replace(script);
  }

  show(script: LabScript, done: number): void {
    // An edited text that was not run yet stays.
    if (script !== this.shown && this.editor.value === this.synced) this.editor.value = this.synced = script.text();
    this.shown = script;
    this.position = done;
    const from = Math.max(0, done - AROUND);
    const lines = script.lines.slice(from, done + AROUND);
    this.list.setAttribute('start', String(from + 1));
    fill(
      this.list,
      ...lines.map((line, index) => {
        const position = from + index + 1;
        const classes = [position <= done ? 'done' : 'next', line.startsWith('#') ? 'label' : ''];
        const item = element(
          'li',
          { class: classes.join(' '), 'aria-current': position === done ? 'step' : null },
          line.startsWith('#') ? line.slice(1).trim() : line,
        );
        item.addEventListener('click', () => this.go(position));
        return item;
      }),
    );
    const current = this.list.querySelector<HTMLElement>('[aria-current]') ?? this.list.firstElementChild;
    if (current instanceof HTMLElement) {
      this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    }
  }

  /** Opens the editor with a message; null removes it. */
  refuse(message: string | null): void {
    this.problem.hidden = message === null;
    this.problem.textContent = message ?? '';
    if (message !== null) this.edit.open = true;
  }
}
