import { button, element, fill } from '../display/element';
import { keepFocus } from '../display/keep-focus';

const SIZES = ['1MiB', '4MiB', '16MiB', '64MiB'] as const;

/** Streams that an exercise with streams offers. */
const STREAMS = [0, 1, 2] as const;

export interface LabCommands {
  allocate(bytes: string, stream: string): void;
  freeRandom(): void;
  run(operation: string): void;
  selected(): number | null;
  copyLink(): Promise<void>;
  /** Returns the allocator's name for the command `replay`; null if the download failed. */
  download(side: number): Promise<string | null>;
  store(side: number): Promise<void>;
  sides(): readonly string[];
}

/** The buttons that add operations, and those that hand the experiment on. */
export class LabActions {
  readonly root = element('div', { class: 'lab-actions', role: 'group', 'aria-label': 'Operations' });
  readonly hand = element('div', { class: 'lab-hand actions' });
  private readonly command = element('code', { class: 'small' });
  private readonly size = element('input', {
    type: 'text',
    size: '8',
    value: '20MiB',
    'aria-label': 'Size',
    autocomplete: 'off',
  });
  private readonly stream = element(
    'select',
    { 'aria-label': 'Stream' },
    ...STREAMS.map((stream) => element('option', { value: String(stream) }, `stream ${stream}`)),
  );
  private readonly block = element('div', { class: 'lab-block-actions actions' });

  constructor(
    private readonly hasStreams: boolean,
    private readonly commands: LabCommands,
  ) {
    const sizes = SIZES.map((size, index) =>
      button(`+ ${size.replace('MiB', ' MiB')}`, `Allocate ${size} (${index + 1})`, () => this.allocate(index)),
    );
    const other = button('Allocate', 'Allocate this size', () => this.allocateTyped());
    this.size.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.allocateTyped();
    });
    this.root.append(
      element('div', { class: 'actions' }, ...sizes, this.size, ...(hasStreams ? [this.stream] : []), other),
      element(
        'div',
        { class: 'actions' },
        button('Free one at random', 'Free a block at random (r)', () => commands.freeRandom()),
        button('Empty the cache', 'torch.cuda.empty_cache() (e)', () => commands.run('empty_cache')),
        ...(hasStreams
          ? [button('Finish all kernels', 'Finish the kernels of all streams', () => commands.run('sync_all'))]
          : []),
      ),
      this.block,
    );
    const side = element('select', { 'aria-label': 'Side' });
    side.append(...commands.sides().map((name, index) => element('option', { value: String(index) }, name)));
    const copy = button('Copy link', 'Copy a link that restores this experiment', () => {
      void commands.copyLink().then(
        () => (copy.textContent = 'Copied'),
        () => (copy.textContent = 'The link is in the address bar'),
      );
    });
    this.hand.append(
      copy,
      ...(commands.sides().length > 1 ? [side] : []),
      button('Download trace', 'A trace and its configuration for the command replay', () => {
        const chosen = Number(side.value || '0');
        void commands.download(chosen).then((allocator) => {
          this.command.textContent =
            allocator === null
              ? ''
              : `java -jar vramscope.jar replay lab-trace.txt --config lab-config.txt --allocator ${allocator}`;
        });
      }),
      this.command,
      button('Store as a snapshot', 'Store this state; all pages of a snapshot show it', () => {
        void commands.store(Number(side.value || '0'));
      }),
    );
    this.show(null);
  }

  /** Allocates one of the sizes of the buttons. */
  allocate(index: number): void {
    const size = SIZES[index];
    if (size !== undefined) this.commands.allocate(size, this.stream.value);
  }

  private allocateTyped(): void {
    const size = this.size.value.replaceAll(' ', '');
    if (size !== '') this.commands.allocate(size, this.stream.value);
  }

  /** Offers what can be done with a block. */
  show(selected: number | null): void {
    if (this.hasStreams) keepFocus(this.block, () => this.offer(selected));
  }

  private offer(selected: number | null): void {
    if (selected === null) {
      fill(
        this.block,
        element('p', { class: 'small muted' }, 'Select a block to launch a kernel on it, or to free it.'),
      );
      return;
    }
    const run = (operation: string) => () => this.commands.run(operation);
    fill(
      this.block,
      element('b', {}, `Block ${selected}:`),
      button('Free', `Free block ${selected}`, run(`free ${selected}`)),
      ...STREAMS.flatMap((stream) => [
        button(
          `Kernel on ${stream}`,
          `Launch a kernel on stream ${stream} that uses block ${selected}`,
          run(`launch ${selected} ${stream}`),
        ),
      ]),
      ...STREAMS.map((stream) =>
        button(
          `record_stream ${stream}`,
          `Tell the allocator that stream ${stream} uses block ${selected}`,
          run(`record_stream ${selected} ${stream}`),
        ),
      ),
    );
  }
}
