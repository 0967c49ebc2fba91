/** A page that follows a chat, without the page: it reads the stream of events and nothing else. */
import * as v from 'valibot';
import { expect } from 'vitest';

import { type ChatEvent, followChat } from '#contract/endpoints/chat-activity';

import {
  chatId as sharedChatId,
  friend,
  manage,
  owner,
  type SignedIn,
  signIn,
  startWorld,
} from './chats.ts';
import { type TestServer } from './test-server.ts';

export type FollowedChat = {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; undefined when the stream has ended. */
  readonly next: () => Promise<ChatEvent | undefined>;
  /** Everything that has come so far, word by word. */
  readonly heard: () => string;
  /** The body of a refusal. */
  readonly refusal: () => Promise<unknown>;
  readonly leave: () => Promise<void>;
};

export async function follow(
  server: TestServer,
  chatId: number,
  { token }: Pick<SignedIn, 'token'>,
): Promise<FollowedChat> {
  const response = await server.app.request(`/backend/chats/${chatId}/events`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return read(response);
}

/** Reads an answer of `followChat`, wherever it comes from. */
export function read(response: Response): FollowedChat {
  const { status, headers } = response;
  const isStream = headers.get('Content-Type') === 'text/event-stream';
  const reader = isStream ? response.body?.getReader() : undefined;
  const decoder = new TextDecoder();
  const waiting: ChatEvent[] = [];
  let heard = '';
  let unread = '';

  function take(piece: string): void {
    heard += piece;
    const blocks = (unread + piece).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks.filter((text) => !text.startsWith(':'))) {
      waiting.push(v.parse(followChat.output, JSON.parse(block.replace(/^data: /, ''))));
    }
  }

  async function next(): Promise<ChatEvent | undefined> {
    const event = waiting.shift();
    if (event !== undefined || reader === undefined) {
      return event;
    }
    const { done, value } = await reader.read();
    if (done) {
      return undefined;
    }
    take(decoder.decode(value, { stream: true }));
    return next();
  }

  return {
    status,
    headers,
    next,
    heard: () => heard,
    refusal: () => response.json(),
    leave: async () => reader?.cancel(),
  };
}

/** A world with one chat: `me` owns it, `other` is a member of it, and both manage it. */
export async function startSharedWorld() {
  const world = await startWorld();
  const [me, other] = [await signIn(world.server, owner), await signIn(world.server, friend)];
  await manage(world, me, world.chat);
  await manage(world, other, world.chat);
  return { ...world, me, other };
}
export type SharedWorld = Awaited<ReturnType<typeof startSharedWorld>>;

/** Follows the chat of the shared world, or another; the stream has to be open to be of any use. */
export async function followed(
  server: TestServer,
  person: SignedIn,
  id = sharedChatId,
): Promise<FollowedChat> {
  const stream = await follow(server, id, person);
  expect(stream.status).toBe(200);
  return stream;
}

/** Twenty seconds pass, and the server looks after its streams. */
export async function beat(server: TestServer): Promise<void> {
  server.wait(20_000);
  await server.services.chatStreams.beat();
}
