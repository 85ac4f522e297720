/** `data-confirm="text"`: asks for confirmation before an irreversible form is submitted. */
export function mountConfirmations(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset['confirm'])) event.preventDefault();
  });
}
