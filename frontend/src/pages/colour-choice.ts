import { bytesText } from '../base/bytes';
import { cssOf, type Rgb } from '../base/colour';
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

  /** Shows the groups and the private pools of a chart; colours by site are too many for a legend. */
  show({ groups, pools, width }: Timeline, palette: Palette): void {
    this.legend.hidden = groups === null && pools === null;
    const colours =
      groups === null
        ? []
        : usedGroups(groups).map((group) =>
            item(
              palette.tints[groupTint(palette, group, groups.isOrdered)],
              group === OTHER_GROUP ? 'other or unknown' : (groups.names[group] ?? '?'),
            ),
          );
    const outlines = (pools?.names ?? []).map((name, pool) => {
      const most = pools?.reserved.subarray(pool * width, (pool + 1) * width).reduce((a, b) => Math.max(a, b), 0) ?? 0;
      return item(palette.tints[pool], `${name}: up to ${bytesText(most)} reserved`);
    });
    if (!this.legend.hidden) fill(this.legend, ...colours, ...outlines);
  }
}

function item(colour: Rgb, name: string): HTMLElement {
  const swatch = element('i', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = cssOf(colour);
  return element('span', {}, swatch, name);
}
