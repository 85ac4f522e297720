/** What the keys of the event list do. */
export interface EventListActions {
  toFailure(): void;
  toPeak(): void;
  clear(): void;
  /** Selects the previous (-1) or next (1) row. */
  step(by: -1 | 1): void;
  /** Scrolls by screens. */
  page(screens: number): void;
  toStart(): void;
  toEnd(): void;
}

/** The key handler of the event list; returns whether it handled the key. Keys that scroll do so in the table only. */
export function eventListKeys(actions: EventListActions): (key: string, isInTable: boolean) => boolean {
  const anywhere: Readonly<Record<string, () => void>> = {
    o: () => actions.toFailure(),
    p: () => actions.toPeak(),
    Escape: () => actions.clear(),
  };
  const inTable: Readonly<Record<string, () => void>> = {
    ArrowDown: () => actions.step(1),
    ArrowUp: () => actions.step(-1),
    PageDown: () => actions.page(1),
    PageUp: () => actions.page(-1),
    Home: () => actions.toStart(),
    End: () => actions.toEnd(),
  };
  return (key, isInTable) => {
    const action = anywhere[key] ?? (isInTable ? inTable[key] : undefined);
    action?.();
    return action !== undefined;
  };
}
