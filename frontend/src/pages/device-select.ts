/** Choosing a device opens the same page for it; what was selected on the other device does not come along. */
export function mountDeviceSelect(select: HTMLSelectElement): void {
  select.addEventListener('change', () => {
    const query = new URLSearchParams({ device: select.value });
    location.search = query.toString();
  });
}
