/**
 * `form[data-selection]`: the checkboxes of a list that belong to the form. Counts the selected rows, disables the form's
 * buttons while there are none, or not two for `button[data-two]`, and connects the checkbox that selects all.
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
    for (const button of buttons) button.disabled = 'two' in button.dataset ? selected !== 2 : selected === 0;
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
