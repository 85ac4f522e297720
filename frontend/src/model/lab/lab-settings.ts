/**
 * The keys of a settings string that a form shows: `key:value,…` of PYTORCH_CUDA_ALLOC_CONF, or `key=value,…` of BFC.
 * Keys that the form does not have, and their order, are kept.
 */
export class LabSettings {
  private constructor(
    private readonly separator: ':' | '=',
    private readonly entries: readonly (readonly [key: string, value: string])[],
  ) {}

  static parse(text: string, allocator: string): LabSettings {
    const separator = allocator === 'bfc' ? '=' : ':';
    const entries = splitOutside(text).map((part): [string, string] => {
      const at = part.indexOf(separator);
      return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
    return new LabSettings(
      separator,
      entries.filter(([key]) => key !== ''),
    );
  }

  /** The value of a key; empty if it is not set. */
  get(key: string): string {
    return this.entries.find(([name]) => name === key)?.[1] ?? '';
  }

  /** With another value; an empty one removes the key. */
  with(key: string, value: string): LabSettings {
    const others = this.entries.filter(([name]) => name !== key);
    if (value === '') return new LabSettings(this.separator, others);
    return this.get(key) === ''
      ? new LabSettings(this.separator, [...others, [key, value]])
      : new LabSettings(
          this.separator,
          this.entries.map(([name, old]): [string, string] => (name === key ? [name, value] : [name, old])),
        );
  }

  text(): string {
    return this.entries.map(([key, value]) => (value === '' ? key : `${key}${this.separator}${value}`)).join(',');
  }
}

/** Splits at commas outside brackets: `roundup_power2_divisions:[256:1,512:2]` is one part. */
function splitOutside(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '[') depth++;
    else if (character === ']') depth--;
    else if (character === ',' && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.filter((part) => part.trim() !== '');
}
