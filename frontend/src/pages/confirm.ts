/** `data-confirm="text"`: asks before a form is sent that cannot be taken back. */
export function mountConfirmations(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset['confirm'])) event.preventDefault();
  });
}
