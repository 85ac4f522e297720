import { valueAt } from '../../base/at';
import { commonSequence } from '../../base/common-sequence';

/** Attributes that tell apart what is otherwise the same kind of element. */
const IDENTITY = ['id', 'action', 'href', 'name', 'type', 'role'] as const;

/**
 * Makes the content of `container` equal to that of `fresh`, whose nodes it takes over. What is in both stays the same
 * element, so that nothing is lost of what the user is doing there: the focus, a text that is entered, a click that has
 * begun, opened details.
 */
export function updateContent(container: HTMLElement, fresh: Node): void {
  const focused = container.contains(document.activeElement) ? document.activeElement : null;
  updateChildren(container, fresh);
  if (focused === null || focused.isConnected) return;
  // The keyboard continues where the element was.
  container.tabIndex = -1;
  container.focus({ preventScroll: true });
}

function updateChildren(parent: Node, fresh: Node): void {
  const [old, wanted] = [[...parent.childNodes], [...fresh.childNodes]];
  const kept = commonSequence(old.map(identityOf), wanted.map(identityOf));
  const stays = new Set(kept);
  for (const [index, node] of old.entries()) if (!stays.has(index)) node.remove();
  let next = parent.firstChild;
  for (const [index, node] of wanted.entries()) {
    const same = old[valueAt(kept, index)];
    if (same === undefined) parent.insertBefore(node, next);
    else {
      next = same.nextSibling;
      if (!same.isEqualNode(node)) update(same, node);
    }
  }
}

/** Two nodes with the same identity are two states of one. */
function identityOf(node: Node): string {
  return node instanceof Element
    ? [node.nodeName, ...IDENTITY.map((name) => node.getAttribute(name) ?? '')].join('\n')
    : node.nodeName;
}

function update(node: Node, wanted: Node): void {
  if (node instanceof Element && wanted instanceof Element) {
    updateAttributes(node, wanted);
    updateChildren(node, wanted);
  } else node.nodeValue = wanted.nodeValue;
}

function updateAttributes(node: Element, wanted: Element): void {
  const names = new Set([...node.getAttributeNames(), ...wanted.getAttributeNames()]);
  // Details are opened and closed by the user.
  if (node instanceof HTMLDetailsElement) names.delete('open');
  for (const name of names) {
    const value = wanted.getAttribute(name);
    if (value === null) node.removeAttribute(name);
    else if (value !== node.getAttribute(name)) node.setAttribute(name, value);
  }
}
