/** Why verifying a chat can be refused, and the sentence for each reason. */
import { expect, test } from 'vitest';

import { addChat, listChats, readChat, verifyChat } from '#contract/endpoints/chats';
import { errorTexts } from '#contract/endpoints/error-texts';
import { blockPhotos, chatId, friend, owner, signIn, startWorld } from '#tests/chats';

/** Missing conditions and the sentence for each. No message may be sent in any of these cases. */
type World = Awaited<ReturnType<typeof startWorld>>;
const missing: [
  string,
  (world: World) => void,
  { status: number; code: string; detail: string },
][] = [
  [
    'the bot is not in the chat',
    ({ chat }) => void (chat.bot = 'absent'),
    { status: 404, code: 'bot_not_in_chat', detail: errorTexts.bot_not_in_chat },
  ],
  [
    'the bot was removed',
    ({ chat }) => void (chat.bot = 'kicked'),
    { status: 404, code: 'bot_not_in_chat', detail: errorTexts.bot_not_in_chat },
  ],
  [
    'the bot left a public chat, which it still sees',
    ({ chat }) => void (chat.bot = 'left'),
    { status: 404, code: 'bot_not_in_chat', detail: errorTexts.bot_not_in_chat },
  ],
  [
    'the bot is only a member',
    ({ chat }) => void (chat.bot = 'member'),
    { status: 403, code: 'bot_cannot_delete', detail: errorTexts.bot_cannot_delete },
  ],
  [
    'the bot may not delete messages',
    ({ chat }) => void (chat.botMayDelete = false),
    { status: 403, code: 'bot_cannot_delete', detail: errorTexts.bot_cannot_delete },
  ],
  [
    'Telegram shows no creator',
    ({ chat }) => void (chat.creator = undefined),
    { status: 403, code: 'owner_unknown', detail: errorTexts.owner_unknown },
  ],
  [
    'the id is a private chat with the bot',
    ({ chat }) => void (chat.type = 'private'),
    { status: 404, code: 'bot_not_in_chat', detail: errorTexts.bot_not_in_chat },
  ],
  [
    'the person who asks is not in the chat',
    ({ chat }) => void (chat.members = []),
    {
      status: 403,
      code: 'chat_not_verified',
      detail: 'You are not in this chat. Only its members can ask its owner for a code.',
    },
  ],
  [
    'Telegram is away',
    ({ bot }) => bot.failAll({ error_code: 502, description: 'Bad Gateway' }),
    { status: 503, code: 'telegram_unavailable', detail: errorTexts.telegram_unavailable },
  ],
];

test.each(missing)(
  'when %s, the answer says so and no message is sent',
  async (_name, spoil, answer) => {
    const world = await startWorld();
    const me = await signIn(world.server, friend);
    spoil(world);

    const reply = await world.server.call(addChat, { chat_id: chatId }, me);

    expect(reply).toMatchObject({
      status: answer.status,
      body: { code: answer.code, detail: answer.detail },
    });
    expect(world.bot.callsTo('sendMessage')).toEqual([]);
  },
);

test.each(['never started', 'blocked', 'unknown'] as const)(
  'an owner who cannot receive messages (%s) gets a link, and may retry at once after pressing Start',
  async (reach) => {
    const { server, bot } = await startWorld();
    const me = await signIn(server, friend);
    bot.setReach(owner, reach);

    const refused = await server.call(addChat, { chat_id: chatId }, me);
    bot.setReach(owner, 'started');
    const again = await server.call(addChat, { chat_id: chatId }, me);

    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'owner_unreachable',
        detail: `${errorTexts.owner_unreachable} https://t.me/nori_test_bot?start=verify`,
      },
    });
    expect(again.status).toBe(202);
  },
);

test('after a flood error the answer says when to retry', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  bot.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 9',
    parameters: { retry_after: 9 },
  });

  const reply = await server.call(addChat, { chat_id: chatId }, me);

  expect(reply).toMatchObject({ status: 503, body: { code: 'telegram_unavailable' } });
  expect(reply.headers.get('Retry-After')).toBe('9');
  expect((await server.call(addChat, { chat_id: chatId }, me)).status).toBe(202);
});

test('a failure of Telegram while the code is entered does not use up the code', async () => {
  const { server, bot } = await startWorld();
  const me = await signIn(server, owner);
  await server.call(addChat, { chat_id: chatId }, me);
  const otp = bot.lastCode(owner);
  bot.fail('getChatAdministrators', 'html');

  const during = await server.call(verifyChat, { chat_id: chatId, otp }, me);
  const after = await server.call(verifyChat, { chat_id: chatId, otp }, me);

  expect([during.status, after.status]).toEqual([503, 200]);
});

test('chats need a session', async () => {
  const { server } = await startWorld();

  const replies = await Promise.all([
    server.call(addChat, { chat_id: chatId }),
    server.call(verifyChat, { chat_id: chatId, otp: '123456' }),
    server.call(listChats, {}),
    server.call(readChat, { chat_id: chatId }),
    blockPhotos(server, { telegramId: owner, token: '' }),
  ]);

  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(401));
});

test.each([
  ['', 'Please enter a Chat ID'],
  ['cats', 'A Telegram chat ID is a number, such as -1001234567890'],
  ['12.5', 'A Telegram chat ID is a number, such as -1001234567890'],
  ['-9999999999999999', 'A Telegram chat ID is a number, such as -1001234567890'],
])('the chat ID "%s" is refused with a hint', async (chat_id, detail) => {
  const { server } = await startWorld();
  const me = await signIn(server, owner);

  const reply = await server.call(addChat, { chat_id }, me);

  expect(reply).toMatchObject({ status: 422, body: { detail } });
});
