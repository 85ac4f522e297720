/** One message of a stream of server-sent events. */
export interface StreamMessage {
  /** `message` where the server named none. */
  readonly event: string;
  readonly data: string;
}

/** Cuts the text of a stream of server-sent events into messages, however it arrives. */
export class EventStreamReader {
  private rest = '';

  /** The messages that `text` completes; comments are left out. */
  push(text: string): StreamMessage[] {
    this.rest += text;
    const messages: StreamMessage[] = [];
    let end: number;
    while ((end = this.rest.indexOf('\n\n')) >= 0) {
      const message = parse(this.rest.slice(0, end));
      if (message !== null) messages.push(message);
      this.rest = this.rest.slice(end + 2);
    }
    return messages;
  }
}

function parse(block: string): StreamMessage | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
    else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}
