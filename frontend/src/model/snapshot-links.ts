/** The URLs at which parts of a snapshot can be seen, the same as the server's. */
export class SnapshotLinks {
  /** `page` is the snapshot's page: /snapshots/ID. */
  constructor(
    private readonly page: string,
    private readonly device: string,
  ) {}

  /** The timeline with the cursor on an event. */
  event(event: number): string {
    return this.url('timeline', { event });
  }

  /** The timeline with an allocation selected. */
  allocation(row: number): string {
    return this.url('timeline', { sel: row });
  }

  /** The page of an allocation. */
  allocationPage(row: number): string {
    return `${this.page}/allocations/${row}?${new URLSearchParams({ device: this.device })}`;
  }

  /** The events about an address. */
  address(address: string): string {
    return this.url('events', { address });
  }

  /** The segment map with the block at an address selected. */
  block(address: string): string {
    return this.url('segments', { sel: address });
  }

  /** The segment map after an event. */
  state(event: number): string {
    return this.url('segments', { event });
  }

  /** The event list with an event selected. */
  listedEvent(event: number): string {
    return this.url('events', { event });
  }

  /** The row of a stack's site, with its blocks. */
  site(stack: number): string {
    return `${this.url('sites', { site: stack })}#site`;
  }

  /** The post-mortem of a failed request. */
  failure(number: number): string {
    return this.url('oom', { n: number });
  }

  private url(page: string, parameters: Readonly<Record<string, number | string>>): string {
    const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
    return `${this.page}/${page}?${new URLSearchParams({ device: this.device, ...Object.fromEntries(texts) })}`;
  }
}
