/** Events of a chat reach the pages that follow it while their users have access. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { readChatHealth } from '#contract/endpoints/chat-activity';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { addTopic, readChat } from '#contract/endpoints/chats';
import { beat, follow, followed, type SharedWorld, startSharedWorld } from '#tests/chat-stream';
import {
  blockPhotos,
  chatId,
  friend,
  owner,
  type SignedIn,
  signIn,
  stranger,
  giveChats,
} from '#tests/chats';

const second = 1000;
const minute = 60 * second;

let server: SharedWorld['server'];
let bot: SharedWorld['bot'];
let chat: SharedWorld['chat'];
let me: SignedIn;
let other: SignedIn;

beforeEach(async () => {
  ({ server, bot, chat, me, other } = await startSharedWorld());
});
afterEach(() => server.services.chatStreams.stop());

describe('which events are sent', () => {
  test('a change by one owner reaches another at once, with only the changed settings', async () => {
    const stream = await followed(server, me);
    await blockPhotos(server, other);
    const topics = { '0': { photo_blocked: true, poll_blocked: true, url_blocked: false } };
    await server.call(changeSettings, { chat_id: chatId, kind: 'bulk', topics }, other);

    const by = { telegram_id: String(friend), name: '' };
    expect(await stream.next()).toEqual({
      kind: 'settings',
      by,
      topics: { '0': { photo_blocked: true } },
    });
    expect(await stream.next()).toEqual({
      kind: 'settings',
      by,
      topics: { '0': { poll_blocked: true } },
    });
  });

  test('a user is named by their first name, otherwise by their @username', async () => {
    const stream = await followed(server, me);
    const people = server.db.updateTable('people').where('telegram_id', '=', friend);

    await people.set({ username: 'farid' }).execute();
    await blockPhotos(server, other);
    await people.set({ first_name: 'Farid' }).execute();
    await blockPhotos(server, other, false);

    expect(await stream.next()).toMatchObject({ by: { name: '@farid' } });
    expect(await stream.next()).toMatchObject({ by: { name: 'Farid' } });
  });

  test('a user also receives their own changes, for other pages that they have open', async () => {
    const stream = await followed(server, me);

    await blockPhotos(server, me);

    expect(await stream.next()).toMatchObject({ by: { telegram_id: String(owner) } });
  });

  test('a change without effect sends no event; a new topic does', async () => {
    const stream = await followed(server, me);

    await blockPhotos(server, other, false);
    await server.call(addTopic, { chat_id: chatId, topic_id: 0 }, other);
    await server.call(addTopic, { chat_id: chatId, topic_id: 5 }, other);

    expect(await stream.next()).toEqual({ kind: 'topics' });
  });

  test('changes of other chats are not sent', async () => {
    const dogs = -1005550000000;
    await giveChats(server, friend, [{ id: dogs, isDemo: false }]);
    const stream = await followed(server, me);

    await server.call(addTopic, { chat_id: dogs, topic_id: 5 }, other);
    await blockPhotos(server, other);

    expect(await stream.next()).toMatchObject({ kind: 'settings' });
  });

  test('a lost right of the bot is sent as soon as any page detects it', async () => {
    await server.call(readChatHealth, { chat_id: chatId }, me);
    const stream = await followed(server, me);
    chat.botMayDelete = false;
    server.wait(15 * second);

    await server.call(readChatHealth, { chat_id: chatId }, other);

    expect(await stream.next()).toEqual({ kind: 'health' });
  });

  test('a group that becomes a supergroup is followed by its new ID', async () => {
    const stream = await followed(server, me);
    bot.upgrade(chatId, -1004321);
    server.wait(minute);

    await server.call(readChat, { chat_id: chatId }, other);
    await blockPhotos(server, other);

    expect(await stream.next()).toEqual({ kind: 'upgraded', chat_id: '-1004321' });
    expect(await stream.next()).toMatchObject({ kind: 'settings' });
  });

  test('proxies may not cache, buffer or compress the stream, and it is never silent for long', async () => {
    const stream = await followed(server, me);

    await beat(server);
    await blockPhotos(server, other);
    await stream.next();

    expect(stream.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.headers.get('Cache-Control')).toBe('no-store, no-transform');
    expect(stream.headers.get('X-Accel-Buffering')).toBe('no');
    expect(stream.heard()).toMatch(/^:\n\n:\n\ndata: /);
  });

  test('the server sends a heartbeat every 20 s while a page follows, and none otherwise', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      expect(vi.getTimerCount()).toBe(0);
      const stream = await followed(server, me);
      vi.advanceTimersByTime(20 * second);
      await blockPhotos(server, other);
      await stream.next();
      expect(stream.heard()).toMatch(/^:\n\n:\n\ndata: /);

      await stream.leave();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('limits', () => {
  test('a user may have twelve streams open; closing one makes room', async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => followed(server, me)));

    const refused = await follow(server, chatId, me);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('20');
    expect(await refused.refusal()).toMatchObject({ code: 'rate_limited' });
    await followed(server, other);

    await streams[0]?.leave();
    await followed(server, me);
  });

  test('refused requests take no room', async () => {
    const visitor = await signIn(server, stranger);
    await Promise.all(Array.from({ length: 13 }, () => follow(server, chatId, visitor)));
    await giveChats(server, stranger, [{ id: -77, isDemo: false }]);

    expect((await follow(server, -77, visitor)).status).toBe(200);
  });

  test('a page that does not read is disconnected before much data waits for it', async () => {
    const stream = await followed(server, me);
    const settings = Object.fromEntries(
      Array.from({ length: 27 }, (_, index) => [
        `some_rather_long_name_${'abcdefghijklmnopqrstuvwxyz_'.charAt(index)}_blocked`,
        true,
      ]),
    );
    const topics = Object.fromEntries(Array.from({ length: 500 }, (_, id) => [id, settings]));

    for (let times = 0; times < 8; times += 1) {
      server.services.chatEvents.publish(chatId, {
        kind: 'settings',
        by: { telegram_id: '1', name: '' },
        topics,
      });
    }

    expect(await stream.next()).toBeUndefined();
    expect(stream.heard()).not.toContain('settings');
    await Promise.all(Array.from({ length: 12 }, () => followed(server, me)));
  });

  test('a HEAD request opens no stream', async () => {
    const requestHead = () =>
      server.app.request(`/backend/chats/${chatId}/events`, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${me.token}` },
      });

    for (let times = 0; times < 13; times += 1) {
      expect((await requestHead()).status).toBe(200);
    }
  });

  test('a server that stops ends all streams and opens none', async () => {
    const stream = await followed(server, me);

    await server.services.chatStreams.stop();

    expect(await stream.next()).toBeUndefined();
    expect((await follow(server, chatId, me)).status).toBe(503);
  });
});
