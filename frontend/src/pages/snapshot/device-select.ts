/** Opens the current page for the selected device, without other query parameters: they refer to the previous device. */
export function mountDeviceSelect(select: HTMLSelectElement): void {
  const open = () => {
    location.search = new URLSearchParams({ device: select.value }).toString();
  };
  select.addEventListener('change', open);
  // The page of the other device was opened; Back returns to the one that the browser has kept.
  window.addEventListener('pageshow', (event) => event.persisted && select.form?.reset());
  // The user has selected it before this script was loaded.
  if (select.selectedOptions[0]?.defaultSelected === false) open();
}
