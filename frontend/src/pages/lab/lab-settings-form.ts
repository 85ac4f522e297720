import type { LabSide } from '../../model/lab/lab';
import { LabSettings } from '../../model/lab/lab-settings';
import { element, fill } from '../display/element';

interface Field {
  readonly key: string;
  readonly label: string;
  /** The values of a choice; a field without them is typed. */
  readonly options?: readonly string[];
  readonly placeholder?: string;
}

const CACHING: readonly Field[] = [
  { key: 'expandable_segments', label: 'expandable_segments', options: ['', 'True', 'False'] },
  { key: 'max_split_size_mb', label: 'max_split_size_mb', placeholder: 'unlimited' },
  { key: 'roundup_power2_divisions', label: 'roundup_power2_divisions', placeholder: 'off' },
  { key: 'garbage_collection_threshold', label: 'garbage_collection_threshold', placeholder: 'off' },
  { key: 'large_segment_size_mb', label: 'large_segment_size_mb', placeholder: '20' },
  { key: 'per_process_memory_fraction', label: 'per_process_memory_fraction', placeholder: '1.0' },
];

const BFC: readonly Field[] = [
  { key: 'memory_limit', label: 'memory_limit', placeholder: '75 % of the device' },
  { key: 'preallocate', label: 'preallocate', options: ['', 'true', 'false'] },
  { key: 'garbage_collection', label: 'garbage_collection', options: ['', 'true', 'false'] },
  { key: 'fragmentation_fraction', label: 'fragmentation_fraction', placeholder: '0' },
  { key: 'enable_spatial_partitioning', label: 'enable_spatial_partitioning', options: ['', 'true', 'false'] },
];

/** By allocator; the driver has no settings. */
const FIELDS: Readonly<Record<string, readonly Field[]>> = { caching: CACHING, bfc: BFC };

/** The settings of a side: fields and a settings string, in step with each other. */
export class LabSettingsForm {
  readonly root: HTMLFormElement;
  private readonly text = element('input', {
    type: 'text',
    name: 'settings',
    spellcheck: 'false',
    autocomplete: 'off',
    maxlength: '2000',
  });
  private readonly device = element('input', { type: 'text', name: 'deviceBytes', size: '8', autocomplete: 'off' });
  private readonly fields = element('div', { class: 'lab-fields' });
  private readonly problem = element('p', { class: 'field-problem', role: 'alert', hidden: '' });
  private inputs: (readonly [Field, HTMLInputElement | HTMLSelectElement])[] = [];
  private side: LabSide;

  constructor(
    side: LabSide,
    isAllocatorChosen: boolean,
    private readonly changed: (side: LabSide) => void,
  ) {
    this.side = side;
    const allocator = element(
      'select',
      { name: 'allocator' },
      element('option', { value: 'caching' }, 'caching: PyTorch’s'),
      element('option', { value: 'bfc' }, 'bfc: XLA’s'),
      element('option', { value: 'direct' }, 'platform: the driver for each request'),
    );
    allocator.value = side.allocator;
    allocator.addEventListener('change', () =>
      this.apply({ ...this.side, allocator: allocator.value, settings: defaults(allocator.value, this.device.value) }),
    );
    this.text.addEventListener('change', () => this.apply({ ...this.side, settings: this.text.value.trim() }));
    this.device.addEventListener('change', () => this.resize(this.device.value.trim()));
    this.root = element(
      'form',
      { class: 'lab-settings' },
      isAllocatorChosen ? element('label', { class: 'field' }, 'Allocator ', allocator) : null,
      element('label', { class: 'field' }, 'Device ', this.device),
      element('label', { class: 'field grow' }, element('span', { 'data-settings-name': '' }), this.text),
      this.fields,
      this.problem,
    );
    this.root.addEventListener('submit', (event) => event.preventDefault());
    this.show(side);
  }

  /** Shows the settings of a side, such as those of a link. */
  show(side: LabSide): void {
    const isOther = side.allocator !== this.side.allocator || this.inputs.length === 0;
    this.side = side;
    this.device.value = side.deviceBytes;
    this.text.value = side.settings;
    const allocator = this.root.querySelector<HTMLSelectElement>('select[name="allocator"]');
    if (allocator !== null) allocator.value = side.allocator;
    const name = this.root.querySelector('[data-settings-name]');
    if (name !== null) name.textContent = side.allocator === 'bfc' ? 'Settings of BFC ' : 'PYTORCH_CUDA_ALLOC_CONF ';
    name?.parentElement?.toggleAttribute('hidden', FIELDS[side.allocator] === undefined);
    if (isOther) this.build();
    const parsed = LabSettings.parse(side.settings, side.allocator);
    for (const [field, input] of this.inputs) input.value = valueFor(field, parsed);
  }

  /** Shows why the server does not accept the settings; null removes the message. */
  refuse(message: string | null): void {
    this.problem.hidden = message === null;
    this.problem.textContent = message ?? '';
    this.text.setAttribute('aria-invalid', String(message !== null));
  }

  private build(): void {
    this.inputs = (FIELDS[this.side.allocator] ?? []).map((field) => {
      const input =
        field.options === undefined
          ? element('input', { type: 'text', size: '9', autocomplete: 'off', placeholder: field.placeholder ?? '' })
          : element(
              'select',
              {},
              ...field.options.map((value) => element('option', { value }, value === '' ? 'default' : value)),
            );
      input.dataset['key'] = field.key;
      input.addEventListener('change', () => {
        const settings = LabSettings.parse(this.text.value, this.side.allocator).with(field.key, input.value.trim());
        this.apply({ ...this.side, settings: settings.text() });
      });
      return [field, input] as const;
    });
    fill(
      this.fields,
      ...this.inputs.map(([field, input]) =>
        element('label', { class: 'field' }, element('code', {}, field.label), input),
      ),
    );
  }

  /** A BFC pool that had the whole device has the whole of the new one. */
  private resize(deviceBytes: string): void {
    const settings = LabSettings.parse(this.side.settings, this.side.allocator);
    const isWhole = this.side.allocator === 'bfc' && settings.get('memory_limit') === this.side.deviceBytes;
    this.apply({
      ...this.side,
      deviceBytes,
      settings: isWhole ? settings.with('memory_limit', deviceBytes).text() : this.side.settings,
    });
  }

  private apply(side: LabSide): void {
    this.show(side);
    this.changed(side);
  }
}

function valueFor(field: Field, settings: LabSettings): string {
  const value = settings.get(field.key);
  if (field.options === undefined || field.options.includes(value)) return value;
  return field.options.find((option) => option.toLowerCase() === value.toLowerCase()) ?? '';
}

/** A whole device of one region, in the low end of which BFC allocates: what the exercises explain. */
function defaults(allocator: string, deviceBytes: string): string {
  return allocator === 'bfc' ? `memory_limit=${deviceBytes},enable_spatial_partitioning=false` : '';
}
