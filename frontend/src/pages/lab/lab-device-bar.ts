import { bytesText } from '../../base/bytes';
import type { LabNumbers } from '../../model/lab/lab';
import { element } from '../display/element';

const PARTS = [
  ['allocated', 'allocated', (n: LabNumbers) => n.allocatedBytes],
  ['pending-free', 'pending free', (n: LabNumbers) => n.activeBytes - n.allocatedBytes],
  ['inactive', 'free in the cache', (n: LabNumbers) => n.freeBytes],
  ['external', 'held by other programs', (n: LabNumbers) => n.externalBytes],
] as const;

/** The whole device as a bar: what the allocator holds, what others hold, and the rest. */
export class LabDeviceBar {
  readonly root = element('div', { class: 'lab-device' });
  private readonly bar = element('div', { class: 'lab-device-bar', role: 'img' });
  private readonly parts = PARTS.map(([name]) => element('span', { class: name }));
  private readonly caption = element('p', { class: 'small muted' });

  constructor() {
    this.bar.append(...this.parts);
    this.root.append(this.bar, this.caption);
  }

  show(numbers: LabNumbers): void {
    const texts: string[] = [];
    PARTS.forEach(([, label, value], index) => {
      const bytes = value(numbers);
      const part = this.parts[index] as HTMLElement;
      part.style.width = `${(100 * bytes) / numbers.deviceBytes}%`;
      part.title = `${bytesText(bytes)} ${label}`;
      if (bytes > 0) texts.push(`${bytesText(bytes)} ${label}`);
    });
    texts[0] = `${texts[0] ?? '0 B allocated'} (${bytesText(numbers.reservedBytes)} reserved)`;
    const text = `The device has ${bytesText(numbers.deviceBytes)}: ${[...texts, `${bytesText(numbers.deviceFreeBytes)} free`].join(', ')}.`;
    this.bar.setAttribute('aria-label', text);
    this.caption.textContent = text;
  }
}
