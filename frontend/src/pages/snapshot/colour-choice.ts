import { itemAt } from '../../base/at';
import { bytesText } from '../../base/bytes';
import { cssOf, type Rgb } from '../../base/colour';
import { OTHER_GROUP, usedGroups } from '../../model/colour-by';
import type { Timeline } from '../../model/timeline';
import { groupTint, type Palette } from '../../render/palette';
import { element, fill } from '../display/element';

/** The choice of what colours mean, and the legend of those that are visible. */
export class ColourChoice<Colour extends string> {
  readonly root: HTMLElement;
  readonly legend = element('p', { class: 'view-legend colour-legend', hidden: '' });
  private readonly select: HTMLSelectElement;

  /** `texts` describes each colour. */
  constructor(texts: Readonly<Record<Colour, string>>, changed: () => void) {
    const options = Object.entries<string>(texts).map(([value, text]) => element('option', { value }, text));
    this.select = element('select', {}, ...options);
    this.root = element('label', {}, 'Colour', this.select);
    this.select.addEventListener('change', changed);
  }

  get value(): Colour {
    return this.select.value as Colour;
  }

  set value(value: Colour) {
    this.select.value = value;
  }

  /** Shows the groups and the private pools of a chart; colours by site are too many for a legend. */
  show({ groups, pools, width }: Pick<Timeline, 'groups' | 'pools' | 'width'>, palette: Palette): void {
    this.legend.hidden = groups === null && pools === null;
    const colours =
      groups === null
        ? []
        : usedGroups(groups).map((group) =>
            item(
              itemAt(palette.tints, groupTint(palette, group, groups.isOrdered)),
              group === OTHER_GROUP ? 'other or unknown' : (groups.names[group] ?? '?'),
            ),
          );
    const outlines = (pools?.names ?? []).map((name, pool) => {
      const most = pools?.reserved.subarray(pool * width, (pool + 1) * width).reduce((a, b) => Math.max(a, b), 0) ?? 0;
      return item(itemAt(palette.tints, pool % palette.tints.length), `${name}: up to ${bytesText(most)} reserved`);
    });
    if (!this.legend.hidden) fill(this.legend, ...colours, ...outlines);
  }
}

function item(colour: Rgb, name: string): HTMLElement {
  const swatch = element('i', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = cssOf(colour);
  return element('span', {}, swatch, name);
}
