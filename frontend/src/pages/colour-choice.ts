import { cssOf } from '../base/colour';
import { type ColourBy, COLOURS, OTHER_GROUP, readColour, usedGroups } from '../model/colour-by';
import type { Timeline } from '../model/timeline';
import { groupTint, type Palette } from '../render/palette';
import { element, fill } from './element';

/** The choice of what colours mean, and the legend of those that are visible. */
export class ColourChoice {
  readonly root: HTMLElement;
  readonly legend = element('p', { class: 'view-legend colour-legend', hidden: '' });
  private readonly select = element(
    'select',
    {},
    ...Object.entries(COLOURS).map(([value, text]) => element('option', { value }, text)),
  );

  constructor(changed: () => void) {
    this.root = element('label', {}, 'Colour', this.select);
    this.select.addEventListener('change', changed);
  }

  get value(): ColourBy {
    return readColour(this.select.value);
  }

  set value(value: ColourBy) {
    this.select.value = value;
  }

  /** Shows the groups of a chart; colours by site are too many for a legend. */
  show({ groups }: Timeline, palette: Palette): void {
    this.legend.hidden = groups === null;
    if (groups === null) return;
    const items = usedGroups(groups).map((group) => {
      const swatch = element('i', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = cssOf(palette.tints[groupTint(palette, group, groups.isOrdered)]);
      return element('span', {}, swatch, group === OTHER_GROUP ? 'other or unknown' : (groups.names[group] ?? '?'));
    });
    fill(this.legend, ...items);
  }
}
