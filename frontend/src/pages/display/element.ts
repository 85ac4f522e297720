export type Child = Node | string | null;

/** Creates an element. Null attributes and children are omitted; strings become text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | null>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) created.setAttribute(name, value);
  fill(created, ...children);
  return created;
}

/** Replaces the content of `parent` by `children`; null children are omitted. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== null));
}

/** Creates a button; `label` is its accessible name and its tooltip. */
export function button(text: string, label: string, action: () => void): HTMLButtonElement {
  const created = element('button', { type: 'button', 'aria-label': label, title: label }, text);
  created.addEventListener('click', action);
  return created;
}

/** Creates a description list; rows with a null description are omitted. */
export function descriptionList(rows: readonly (readonly [term: string, description: Child])[]): HTMLDListElement {
  const shown = rows.filter(([, description]) => description !== null);
  return element(
    'dl',
    { class: 'facts' },
    ...shown.flatMap(([term, description]) => [element('dt', {}, term), element('dd', {}, description)]),
  );
}
