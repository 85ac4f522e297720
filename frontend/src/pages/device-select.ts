/** Opens the current page for the selected device, without other query parameters: they refer to the previous device. */
export function mountDeviceSelect(select: HTMLSelectElement): void {
  select.addEventListener('change', () => {
    const query = new URLSearchParams({ device: select.value });
    location.search = query.toString();
  });
}
