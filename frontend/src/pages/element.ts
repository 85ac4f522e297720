export type Child = Node | string | null;

/** An element with attributes (null: left out) and children (null: left out); strings become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  fill(made, ...children);
  return made;
}

/** Puts `children` (null: left out) in the place of what was inside. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== null));
}

/** A button that does `action`; `label` is what a screen reader says and what hovering shows. */
export function button(text: string, label: string, action: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', 'aria-label': label, title: label }, text);
  made.addEventListener('click', action);
  return made;
}

/** Terms and their descriptions; a null description leaves its row out. */
export function facts(rows: readonly (readonly [term: string, description: Child])[]): HTMLDListElement {
  const shown = rows.filter(([, description]) => description !== null);
  return element(
    'dl',
    { class: 'facts' },
    ...shown.flatMap(([term, description]) => [element('dt', {}, term), element('dd', {}, description)]),
  );
}
