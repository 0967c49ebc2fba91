/** Streams of server-sent events: split anywhere, broken, refused or silent, on hidden pages and after logging out. */
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { followChat } from '#contract/endpoints/chat-activity';
import { createEventReader, followEvents } from '#lib/event-stream';
import { endSession, startSession } from '#lib/session';
import { abortable } from '#tests/app-server';

const encoder = new TextEncoder();
const health = { kind: 'health' };
const topics = { kind: 'topics' };
const line = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`;

describe('an event stream that arrives in pieces', () => {
  const story = [
    ': hello\r\n\r\n',
    'event: change\ndata: {"who":\ndata: "Märä 🍙"}\n\n',
    'data: [1]\r\n\r\n',
    'data: no JSON\n\n',
    'id: 7\rdata:2\r\r',
    'data: "never ended"\n',
  ].join('');
  const expected = [{ who: 'Märä 🍙' }, [1], 2];

  test.each([1, 2, 3, 5, 7, 1000])('is parsed into whole events, %i bytes at a time', (size) => {
    const taken: unknown[] = [];
    const read = createEventReader((event) => taken.push(event));
    const bytes = encoder.encode(story);
    for (let at = 0; at < bytes.length; at += size) {
      read(bytes.subarray(at, at + size));
    }

    expect(taken).toEqual(expected);
  });

  test('throws when an event is too long', () => {
    const read = createEventReader(() => undefined);
    const much = encoder.encode(`data: ${'x'.repeat(1_000_000)}\n`);

    expect(() => Array.from({ length: 5 }, () => read(much))).toThrow('too long');
  });
});

const limit = { timeout: 25_000 };

describe('following', () => {
  /** The server's side of one connection. */
  type Line = {
    readonly url: string;
    readonly token: string | null;
    readonly say: (text: string) => void;
    readonly hangUp: () => void;
    readonly isOpen: () => boolean;
  };
  let lines: Line[] = [];
  let refusals: Response[] = [];
  let stop: () => void = () => undefined;
  const seen = { opened: 0, events: [] as unknown[], refused: [] as string[] };

  beforeEach(() => {
    lines = [];
    refusals = [];
    Object.assign(seen, { opened: 0, events: [], refused: [] });
    startSession({ token: 'secret-token', telegramId: '7' });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      const refusal = refusals.shift();
      return refusal ?? connected(request, input instanceof Request ? input.signal : init?.signal);
    });
  });
  afterEach(() => {
    stop();
    endSession();
    vi.useRealTimers();
  });

  function connected({ url, headers }: Request, signal: AbortSignal | null | undefined): Response {
    let isOpen = true;
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
      cancel: () => {
        isOpen = false;
      },
    });
    lines.push({
      url,
      token: headers.get('Authorization'),
      say: (text) => controller?.enqueue(encoder.encode(text)),
      hangUp: () => {
        isOpen = false;
        controller?.error(new TypeError('network error'));
      },
      isOpen: () => isOpen,
    });
    return new Response(abortable(body, signal), {
      headers: { 'Content-Type': 'text/event-stream' },
    });
  }

  function follow(): void {
    stop = followEvents(
      followChat,
      { chat_id: '-100' },
      {
        onOpen: () => {
          seen.opened += 1;
        },
        onEvent: (event) => void seen.events.push(event),
        onRefused: ({ code }) => void seen.refused.push(code),
      },
    );
  }

  const line1 = () => waitFor(() => lineAt(0));
  function lineAt(index: number): Line {
    const found = lines[index];
    if (!found) {
      throw new Error(`There is no connection ${index + 1}`);
    }
    return found;
  }

  /** Advances the clock, and runs everything that is due. */
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }

  function hide(isHidden: boolean): void {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
    document.dispatchEvent(new Event('visibilitychange'));
  }

  test('reports every event, and skips unknown ones', async () => {
    follow();
    const server = await line1();
    server.say(line(health) + line({ kind: 'from the future' }));
    server.say(`: still here\n\n${line(topics).slice(0, 9)}`);
    server.say(line(topics).slice(9));

    await waitFor(() => expect(seen.events).toEqual([health, topics]));
    expect(seen.opened).toBe(1);
  });

  test('sends the token as a header, and never in the address', async () => {
    follow();
    const { url, token } = await line1();

    expect(token).toBe('Bearer secret-token');
    expect(url).not.toContain('secret');
    expect(new URL(url).pathname).toBe('/backend/chats/-100/events');
  });

  test('connects again when the connection breaks in the middle of an event', async () => {
    follow();
    const server = await line1();
    server.say('data: {"kind":"hea');
    server.hangUp();

    await waitFor(() => expect(lines).toHaveLength(2));
    lineAt(1).say(line(topics));
    await waitFor(() => expect(seen.events).toEqual([topics]));
    expect(seen.opened).toBe(2);
  });

  test('waits longer after each failure, and at least as long as the server requires', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    refusals = [
      new Response('{}', { status: 503 }),
      new Response('{}', { status: 503 }),
      new Response('{}', { status: 429, headers: { 'Retry-After': '40' } }),
    ];
    follow();
    const begun = performance.now();
    const triedAt = new Map<number, number>();
    while (seen.opened === 0) {
      await pass(10);
      if (!triedAt.has(refusals.length)) {
        triedAt.set(refusals.length, performance.now() - begun);
      }
    }
    const connectedAt = performance.now() - begun;
    const [first = 0, second = 0, third = 0] = [2, 1, 0].map((left) => triedAt.get(left));

    expect(second - first).toBeCloseTo(1000, -2);
    expect(third - second).toBeCloseTo(2000, -2);
    expect(connectedAt - third).toBeCloseTo(40_000, -2);
    expect(seen.refused).toEqual([]);
  });

  test('opens a new connection after a minute without data', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    follow();
    await vi.waitFor(() => expect(seen.opened).toBe(1), limit);
    await vi.advanceTimersByTimeAsync(50_000);
    lineAt(0).say(': still here\n\n');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(lines).toHaveLength(1);

    await vi.advanceTimersByTimeAsync(3000);

    await vi.waitFor(() => expect(lines).toHaveLength(2), limit);
    expect(lineAt(0).isOpen()).toBe(false);
  });

  test('ends after a final refusal, and reports its code', async () => {
    refusals = [new Response('{"detail":"Not yours","code":"chat_not_verified"}', { status: 403 })];
    follow();

    await waitFor(() => expect(seen.refused).toEqual(['chat_not_verified']));
    expect(lines).toHaveLength(0);
    expect(seen.opened).toBe(0);
  });

  test('pauses while the page is hidden, and continues at once', async () => {
    follow();
    const server = await line1();
    await waitFor(() => expect(seen.opened).toBe(1));

    hide(true);
    await waitFor(() => expect(server.isOpen()).toBe(false));
    expect(lines).toHaveLength(1);
    hide(false);

    await waitFor(() => expect(seen.opened).toBe(2));
  });

  test('ends with the session', async () => {
    follow();
    const server = await line1();
    await waitFor(() => expect(seen.opened).toBe(1));

    endSession();

    await waitFor(() => expect(server.isOpen()).toBe(false));
    hide(false);
    expect(lines).toHaveLength(1);
  });

  test('ends when it is no longer followed', async () => {
    follow();
    const server = await line1();
    await waitFor(() => expect(seen.opened).toBe(1));

    stop();

    expect(server.isOpen()).toBe(false);
    expect(lines).toHaveLength(1);
  });

  test('ends also before there is an answer', async () => {
    const asked: Request[] = [];
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      asked.push(new Request(input, init));
      return new Promise(() => undefined);
    });
    follow();
    await waitFor(() => expect(asked).toHaveLength(1));

    stop();

    expect(asked[0]?.signal.aborted).toBe(true);
  });
});
