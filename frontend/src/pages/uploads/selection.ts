/**
 * `form[data-selection]`: the checkboxes of a list that belong to the form. Counts the selected rows, disables the form's
 * buttons while there are none, not two for `button[data-two]`, or fewer than two for `button[data-several]`,
 * and connects the checkbox that selects all.
 */
export function mountSelection(form: HTMLFormElement): void {
  // Not form.id: the boxes are named id, and a form's named elements hide its properties.
  const id = form.getAttribute('id') ?? '';
  const boxes = () => [...document.querySelectorAll<HTMLInputElement>(`input[form="${id}"]`)];
  const all = document.querySelector<HTMLInputElement>('input[data-select-all]');
  const count = form.querySelector('[data-selected]');
  const buttons = [...form.querySelectorAll('button')];
  const show = () => {
    const selected = boxes().filter((box) => box.checked).length;
    if (count !== null) count.textContent = selected === 0 ? '' : `${selected} selected`;
    for (const button of buttons) {
      const isTwo = 'two' in button.dataset;
      button.disabled = isTwo ? selected !== 2 : selected < ('several' in button.dataset ? 2 : 1);
    }
    if (all !== null) {
      all.checked = selected > 0 && selected === boxes().length;
      all.indeterminate = selected > 0 && selected < boxes().length;
    }
  };
  if (all !== null) {
    all.hidden = false;
    all.addEventListener('change', () => {
      for (const box of boxes()) box.checked = all.checked;
      show();
    });
  }
  for (const box of boxes()) box.addEventListener('change', show);
  window.addEventListener('pageshow', show); // The browser restores the boxes after Back.
  show();
}
