import { element } from './element';

const GAP = 6;
const MARGIN = 8;

/**
 * Tooltips with definitions of allocator terms. The server renders `<a class="term" title="definition"
 * href="…">`, which works without JavaScript. This script replaces the titles by one shared tooltip: it
 * opens on hover, on focus and on the first tap; Escape closes it. A mouse click, Enter or a second tap follows the link
 * to the page that explains the term, or to the glossary.
 */
export function mountTerms(): void {
  const tooltip = element('div', { class: 'term-tooltip', role: 'tooltip', popover: 'manual', 'aria-hidden': 'true' });
  document.body.append(tooltip);
  let shown: HTMLElement | null = null;
  let wasOpen = false;

  const hide = () => {
    shown = null;
    if (tooltip.matches(':popover-open')) tooltip.hidePopover();
  };
  const show = (term: HTMLElement) => {
    shown = term;
    tooltip.textContent = definitionOf(term);
    if (!tooltip.matches(':popover-open')) tooltip.showPopover();
    place(tooltip, term);
  };

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const term = termAt(event.target);
    if (term !== null) show(term);
    else if (shown !== null && event.target !== tooltip) hide();
  });
  document.addEventListener('focusin', (event) => {
    const target = event.target as Element;
    const term = termAt(target) ?? target.querySelector<HTMLElement>(':scope > .term');
    if (term !== null && target.matches(':focus-visible')) show(term);
    else hide();
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('pointerdown', (event) => {
    const term = termAt(event.target);
    wasOpen = term !== null && term === shown;
    if (event.pointerType !== 'touch') return;
    if (term === null) hide();
    else show(term);
  });
  document.addEventListener('click', (event) => {
    const term = termAt(event.target);
    if (term?.tagName !== 'A' || wasOpen || (event as PointerEvent).pointerType !== 'touch') return;
    event.preventDefault(); // the first tap only shows the definition
    show(term);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
  document.addEventListener('scroll', hide, { capture: true, passive: true });
}

/** Creates a term. Its definition is taken from the page's `data-definitions`; without one it is plain text. */
export function term(id: string, text: string): HTMLElement {
  const defined = document.querySelector<HTMLElement>(`[data-definitions] [data-term='${id}']`);
  if (defined === null) return element('span', {}, text);
  return element(
    'a',
    {
      class: 'term',
      href: defined.dataset['href'] ?? `/about#term-${id}`,
      'aria-description': defined.textContent.trim(),
    },
    text,
  );
}

function termAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.term') : null;
}

/** Returns the definition. Moves it from the title, which would open a second tooltip, to `aria-description`. */
function definitionOf(term: HTMLElement): string {
  const title = term.getAttribute('title');
  if (title !== null) {
    term.removeAttribute('title');
    term.setAttribute('aria-description', title);
  }
  return term.getAttribute('aria-description') ?? '';
}

/** Positions the tooltip below the term, or above it if there is no space, and within the window. */
function place(tooltip: HTMLElement, term: HTMLElement): void {
  const at = term.getClientRects()[0] ?? term.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const left = Math.min(Math.max(MARGIN, at.left), document.documentElement.clientWidth - width - MARGIN);
  const below = at.bottom + GAP;
  const top = below + height > window.innerHeight - MARGIN ? at.top - GAP - height : below;
  tooltip.style.left = `${Math.max(MARGIN, left)}px`;
  tooltip.style.top = `${Math.max(MARGIN, top)}px`;
}
