/** One server-sent event. */
export interface StreamMessage {
  /** `message` where the server gave no event name. */
  readonly event: string;
  readonly data: string;
}

/** Parses a stream of server-sent events that arrives in chunks of any size. */
export class EventStreamReader {
  private buffer = '';

  /** Returns the messages completed by `text`. Comments are ignored. */
  push(text: string): StreamMessage[] {
    this.buffer += text;
    const messages: StreamMessage[] = [];
    for (let end = this.buffer.indexOf('\n\n'); end >= 0; end = this.buffer.indexOf('\n\n')) {
      const message = parse(this.buffer.slice(0, end));
      if (message !== null) messages.push(message);
      this.buffer = this.buffer.slice(end + 2);
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
