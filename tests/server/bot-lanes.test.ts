/** Which updates wait for each other, and when an update counts as handled. */
import { assert, expect, onTestFinished, test, vi } from 'vitest';

import { createUpdateQueue, readChatId, readLane } from '#server/bot/update-queue';
import { createSharedSave } from '#server/lib/shared-save';
import { isUpdate } from '#server/upstream/telegram/bot';
import { ada, groupId, startBot, type TestBot } from '#tests/test-bot';

const here = { id: groupId, type: 'supergroup', title: 'Otters' };
const channel = { id: -1_009_000_000_001, type: 'channel', title: 'Log' };
const written = { message_id: 1, date: 0, chat: here, from: ada };
const typed = { id: '1', from: ada, query: 'calc 1+1', offset: '' };
const query = { id: '1', from: ada, chat_instance: '1', data: 'v1:undo:1' };

function toUpdate(update_id: number, content: object) {
  const update: unknown = { update_id, ...content };
  assert(isUpdate(update));
  return update;
}

test.each<[string, object, number]>([
  ['a message', { message: written }, groupId],
  ['an edited message', { edited_message: written }, groupId],
  ['a press', { callback_query: { ...query, message: written } }, groupId],
  [
    'a press under a message that is no longer accessible',
    { callback_query: { ...query, message: { message_id: 1, date: 0, chat: here } } },
    groupId,
  ],
  ['a press in a chat that the bot does not see, by its person', { callback_query: query }, 42],
  ['a question in any chat, by its person', { inline_query: typed }, 42],
  ['what is chosen of it, by its person', { chosen_inline_result: typed }, 42],
  ['a mention in a chat that the bot is not in, by its person', { guest_message: written }, 42],
  ['a post', { channel_post: { ...written, chat: channel } }, channel.id],
  ['a change of the bot', { my_chat_member: { chat: here } }, groupId],
  ['a change of a member', { chat_member: { chat: here } }, groupId],
  ['a malformed update', { message: { chat: { id: 'x' } } }, 0],
])('%s is in the lane of its chat', (_what, content, expected) => {
  expect(readChatId(toUpdate(1, content))).toBe(expected);
});

test('what someone asks in any chat waits for none of their messages to the bot', () => {
  const question = readLane(toUpdate(1, { inline_query: typed }));
  const message = { ...written, chat: { id: ada.id, type: 'private', first_name: 'Ada' } };

  expect(question).toBe(readLane(toUpdate(2, { chosen_inline_result: typed })));
  expect(question).not.toBe(readLane(toUpdate(3, { message })));
});

test('a press waits for the message before it in the same chat, a post in a channel does not', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: number[] = [];
  const queue = createUpdateQueue({
    handle: async ({ update_id }) => {
      begun.push(update_id);
      if (update_id === 1) {
        await gate.promise;
      }
    },
    onFailure: () => undefined,
  });

  void queue.handle(toUpdate(1, { message: written }));
  void queue.handle(toUpdate(2, { callback_query: { ...query, message: written } }));
  void queue.handle(toUpdate(3, { channel_post: { ...written, chat: channel } }));

  await expect.poll(() => begun).toEqual([1, 3]);
  gate.resolve();
  await queue.settled();
  expect(begun).toEqual([1, 3, 2]);
});

test('of those who join at once none waits for another, or for messages; the moves of each come in order', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: number[] = [];
  const queue = createUpdateQueue({
    handle: async ({ update_id }) => {
      begun.push(update_id);
      if (update_id === 1 || update_id === 2) {
        await gate.promise;
      }
    },
    onFailure: () => undefined,
  });
  const moved = (id: number) => ({
    chat_member: { chat: here, from: { id }, new_chat_member: { user: { id } } },
  });
  const asked = { chat_join_request: { chat: here, from: { id: 8 } } };

  void queue.handle(toUpdate(1, { message: written }));
  void queue.handle(toUpdate(2, moved(7)));
  void queue.handle(toUpdate(3, moved(7)));
  void queue.handle(toUpdate(4, moved(8)));
  void queue.handle(toUpdate(5, asked));
  void queue.handle(toUpdate(6, { message_reaction: { chat: here, user: { id: 8 } } }));

  await expect.poll(() => begun).toEqual([1, 2, 4, 5]);
  gate.resolve();
  await queue.settled();
  expect(new Set(begun)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

test('all that happens in a chat is left to the same process', () => {
  const asked = { chat_join_request: { chat: here, from: { id: 8 } } };

  expect(readChatId(toUpdate(1, asked))).toBe(groupId);
  expect(readChatId(toUpdate(1, { message_reaction: { chat: here } }))).toBe(groupId);
  expect(readLane(toUpdate(1, asked))).toBe(`${groupId}:8`);
});

const countOpen = async ({ server }: Pick<TestBot, 'server'>) =>
  (
    await server.db
      .selectFrom('bot_inbox')
      .select('update_id')
      .where('handled_at', 'is', null)
      .execute()
  ).length;

test.each(['seenPeople', 'seenMessages'] as const)(
  'a message counts as handled only when it is saved for later commands, and is answered before: %s',
  async (part) => {
    const bot = await startBot();
    bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
    const saved = Promise.withResolvers<void>();
    const learn = vi
      .spyOn(bot.server.services.memberCommands[part], 'learn')
      .mockReturnValueOnce(saved.promise);

    const handled = bot.writes('/help', { chatId: groupId });
    await expect.poll(() => learn.mock.calls).toHaveLength(1);
    // The next one of the chat does not wait for it.
    bot.api.updates.push({ message: { ...written, message_id: 2, text: 'Hello' } });
    await expect.poll(() => learn.mock.calls).toHaveLength(2);
    await expect.poll(() => countOpen(bot)).toBe(1);
    await expect.poll(() => bot.api.messages).toHaveLength(1);
    expect(await countOpen(bot)).toBe(1);
    saved.resolve();
    await handled;

    expect(bot.api.messages).toHaveLength(1);
    expect(await countOpen(bot)).toBe(0);
  },
);

test('what comes at about the same time is saved together, the newest of a key, and a failure is that of its save alone', async () => {
  const writes: string[][] = [];
  const first = Promise.withResolvers<void>();
  const save = createSharedSave<string>({
    key: (item) => item.slice(0, 1),
    write: async (items) => {
      writes.push([...items]);
      if (writes.length === 1) {
        await first.promise;
      } else if (items.includes('broken')) {
        throw new Error('broken');
      }
    },
  });

  const one = save.add(['a1']);
  await expect.poll(() => writes).toHaveLength(1);
  const others = [save.add(['a2', 'x']), save.add(['a3', 'broken'])];
  first.resolve();

  await one;
  const outcomes = await Promise.allSettled(others);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await save.add([]);
  await save.add(['c']);
  await save.settled();
  expect(writes).toEqual([['a1'], ['a3', 'x', 'broken'], ['c']]);
});

test('who is about to read what waits has it written without the pause, and further items wait again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const writes: string[][] = [];
  const save = createSharedSave<string>({
    key: (item) => item,
    write: async (items) => void writes.push([...items]),
    everyMs: 60_000,
  });
  await save.flushed();
  await save.add(['a']);

  const saved = save.add(['b']);
  await save.flushed();
  expect(writes).toEqual([['a'], ['b']]);
  await saved;

  void save.add(['c']);
  await save.flushed();
  expect(writes).toHaveLength(3);
  const last = save.add(['d']);
  await save.flushed();
  await last;
  expect(writes).toEqual([['a'], ['b'], ['c'], ['d']]);

  const isSaved = vi.fn<() => void>();
  const paused = save.add(['e']).then(isSaved);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  expect(isSaved).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  await paused;
  expect(writes.at(-1)).toEqual(['e']);
});
