/** Reads server-sent events out of bytes that come in pieces of any size, cut anywhere. */

/** Longer than any event of ours; a stream that goes on without an end of line is not one. */
const longestEvent = 4_000_000;

/**
 * Returns what to call with each piece. `take` gets the data of every event, parsed as JSON; what is
 * not JSON is left out, as are comments, which only keep a connection alive. Throws for a stream
 * that is no stream of events.
 */
export function createEventReader(take: (event: unknown) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let isAfterReturn = false;

  function endEvent(): void {
    const text = data.join('\n');
    data = [];
    if (text === '') {
      return;
    }
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      return;
    }
    take(event);
  }

  function takeLine(line: string): void {
    if (line === '') {
      endEvent();
    } else if (line === 'data' || line.startsWith('data:')) {
      data.push(line.slice('data:'.length).replace(/^ /, ''));
    }
  }

  return (piece) => {
    let text = decoder.decode(piece, { stream: true });
    // A line may end with both, and the cut may be between them.
    if (isAfterReturn && text.startsWith('\n')) {
      text = text.slice(1);
    }
    isAfterReturn = text === '' ? isAfterReturn : text.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    lines.forEach(takeLine);
    const held = data.reduce((sum, line) => sum + line.length, rest.length);
    if (held > longestEvent) {
      throw new Error('The event is too long');
    }
  };
}
