export function mountMemoryMap(root: HTMLElement): void {
  root.textContent = '';
}
