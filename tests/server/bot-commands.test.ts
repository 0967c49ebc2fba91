/** What the bot answers to commands in private and in groups. */
import { expect, test } from 'vitest';

import { commandIds, commandTable, isForPlace } from '#contract/commands/index';
import { setSetting } from '#contract/endpoints/chats';
import { startParamPath } from '#lib/paths';
import { startBotApi } from '#tests/bot-api-server';
import { signIn, giveChats } from '#tests/chats';
import { ada, administrator, groupId, left, moved, startBot, type TestBot } from '#tests/test-bot';

const publicUrl = 'https://nori.example.org';

async function startWithGroup(variables: Readonly<Record<string, string>> = {}): Promise<TestBot> {
  const bot = await startBot({ variables: { PUBLIC_URL: publicUrl, ...variables } });
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  return bot;
}

function getLastButtons({ api }: TestBot): unknown {
  const { reply_markup: markup } = api.messages.at(-1)?.body ?? {};
  return markup;
}

test('Telegram is told the commands of each scope, and a button that opens Nori', async () => {
  const { api, writes } = await startWithGroup();
  await writes('/help');

  await expect
    .poll(() => new Set(api.callsTo('setMyCommands').map(({ body }) => body['scope'])))
    .toEqual(
      new Set([
        { type: 'default' },
        { type: 'all_private_chats' },
        { type: 'all_group_chats' },
        { type: 'all_chat_administrators' },
      ]),
    );
  const forMembers = commandIds.filter((id) => {
    const { who, where, needs } = commandTable[id];
    return who === 'anyone' && where.includes('group') && needs === undefined;
  });
  expect(forMembers).toEqual(expect.arrayContaining(['status', 'rules', 'help', 'id', 'privacy']));
  expect(api.profile.commands('all_group_chats')).toEqual(
    forMembers.map((id) => {
      const command = commandTable[id].names[0];
      const description = expect.any(String);
      return commandTable[id].answer === 'quiet'
        ? { command, description, is_ephemeral: true }
        : { command, description };
    }),
  );
  // What is done to members is for all to read, so the command is, too.
  expect(api.profile.commands('all_chat_administrators')).toContainEqual({
    command: 'ban',
    description: 'Removes a member for good or for a time, until an administrator unbans them.',
  });
  const listNames = (scope: string) => api.profile.commands(scope)?.map(({ command }) => command);
  expect(listNames('all_private_chats')).toEqual(
    commandIds
      .filter((id) => isForPlace(id, 'private') && commandTable[id].needs === undefined)
      .map((id) => commandTable[id].names[0]),
  );
  expect(listNames('default')).toEqual(listNames('all_private_chats'));
  await expect
    .poll(() => api.callsTo('setChatMenuButton')[0]?.body)
    .toEqual({
      menu_button: { type: 'web_app', text: 'Nori', web_app: { url: `${publicUrl}/` } },
    });
});

test('without an HTTPS address the menu button stays as it is, and links open the Mini App', async () => {
  const bot = await startBot();
  await bot.writes('/start');

  await expect.poll(() => bot.api.callsTo('setMyCommands')).toHaveLength(4);
  expect(bot.api.callsTo('setChatMenuButton')).toEqual([]);
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [
      [{ text: 'Set up my group', url: 'https://t.me/nori_test_bot?startapp=setup' }],
      [addToGroup],
    ],
  });
});

test('without a Mini App, /settings in a group leads to the private chat, which opens the settings', async () => {
  const api = await startBotApi();
  api.bot.hasMiniApp = false;
  const bot = await startBot({ api, bot: { api }, variables: { PUBLIC_URL: publicUrl } });
  api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  await bot.writes('/settings', { chatId: groupId, topicId: 77 });

  const payload = `chat_${groupId}_77`;
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [
      [{ text: 'Open the settings', url: `https://t.me/nori_test_bot?start=${payload}` }],
    ],
  });
  await bot.writes(`/start ${payload}`);
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [
      [
        {
          text: 'Open the settings',
          web_app: { url: `${publicUrl}/dashboard?chat=${groupId}&topic=77` },
        },
      ],
    ],
  });
  expect(bot.server.said).toEqual([
    expect.stringMatching(/no main Mini App.*@BotFather.*https:\/\/nori\.example\.org/),
  ]);
});

test('without a Mini App and an HTTPS address no button promises to open Nori', async () => {
  const api = await startBotApi();
  api.bot.hasMiniApp = false;
  const bot = await startBot({ api, bot: { api } });
  await bot.writes('/start');

  expect(getLastButtons(bot)).toEqual({ inline_keyboard: [[addToGroup]] });
  expect(bot.server.said).toEqual([expect.stringContaining('Set PUBLIC_URL')]);
});

test.each([
  ['a bot', { from: { id: 555, is_bot: true, first_name: 'Echo' } }],
  ['a user by an inline bot', { via_bot: { id: 555, is_bot: true, first_name: 'Echo' } }],
  [
    'a guest bot',
    {
      from: { id: 555, is_bot: true, first_name: 'Echo' },
      guest_bot_caller_user: { id: 42, is_bot: false, first_name: 'Ada' },
    },
  ],
])('a command of %s is not answered', async (_writer, fields) => {
  const bot = await startWithGroup();
  await bot.writes('/help', { chatId: groupId, fields });
  await bot.writes('/help', { chatId: groupId });

  await expect.poll(() => bot.api.messages).toHaveLength(1);
});

test('a command of an anonymous administrator is answered', async () => {
  const bot = await startWithGroup();
  const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group' };
  const fields = { from, sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' } };
  await bot.writes('/help', { chatId: groupId, fields });

  await expect.poll(() => bot.api.messages).toHaveLength(1);
});

test.each([
  ['purge', '/purge: Deletes every message from the one you reply to down to your own.\n\n'],
  ['/tban', '/tban: Removes a member for good or for a time'],
  ['BAN', '/dban as a reply deletes the message, too'],
  ['link', 'I know no command “link”.'],
  ['<b>x</b>', 'I know no command “<b>x</b>”.'],
  ['x'.repeat(40), `I know no command “${'x'.repeat(32)}”.`],
])('/help %s explains one command by any of its names', async (name, text) => {
  const { api, writes } = await startWithGroup();
  await writes(`/help ${name}`);

  expect(api.messages[0]?.text).toContain(text);
});

test('/help says what Telegram lets no bot do', async () => {
  const bot = await startWithGroup();
  await bot.writes('/help');

  expect(bot.api.messages[0]?.text).toContain('only messages of the last 48 hours');
  expect(bot.api.messages[0]?.text).toContain('longer than 24 hours');
});

test('set-up calls that fail are repeated', async () => {
  const pauses: number[] = [];
  const api = await startBotApi();
  api.fail('setMyCommands', { error_code: 500, description: 'Internal Server Error' });
  api.fail('setMyCommands', {
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  });
  await startBot({
    api,
    bot: { api, pause: (ms) => Promise.resolve(void pauses.push(ms)) },
  });

  await expect.poll(() => api.callsTo('setMyCommands')).toHaveLength(6);
  expect(pauses).toContain(1000);
  expect(pauses).toContain(7000);
});

test('a refused set-up call is logged once and not repeated', async () => {
  const pauses: number[] = [];
  const api = await startBotApi();
  api.fail(
    'setMyCommands',
    { error_code: 400, description: 'Bad Request: BOT_COMMAND_INVALID' },
    9,
  );
  const { server, writes } = await startBot({
    api,
    bot: { api, pause: (ms) => Promise.resolve(void pauses.push(ms)) },
  });
  await expect.poll(() => api.callsTo('setMyCommands')).toHaveLength(4);
  await expect.poll(() => server.said).not.toEqual([]);
  await writes('/help');

  expect(server.said).toEqual([expect.stringContaining('400 Bad Request: BOT_COMMAND_INVALID')]);
  expect(api.callsTo('setMyCommands')).toHaveLength(4);
  // A repetition would happen after a second.
  expect(pauses).not.toContain(1000);
});

/** Telegram's own list of groups, which gives the bot its right in the same step. */
const addToGroup = {
  text: 'Add me to a group',
  url: 'https://t.me/nori_test_bot?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics',
};

const firstStep = {
  inline_keyboard: [
    [{ text: 'Set up my group', web_app: { url: `${publicUrl}/dashboard?step=add` } }],
    [addToGroup],
  ],
};

test.each(['', ' chat_7_x', ' "><script>'])(
  '/start%s gives instructions and leads a user without a chat to the first step',
  async (payload) => {
    const bot = await startWithGroup();
    await bot.writes(`/start${payload}`);

    expect(bot.api.messages[0]?.text).toContain('Add me to your group as an administrator');
    expect(getLastButtons(bot)).toEqual(firstStep);
  },
);

test('/start leads a user who has added the bot on to that group, and one who manages it to Nori', async () => {
  const bot = await startWithGroup();
  await bot.hears(moved(left, administrator));
  await bot.writes('/start');
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [
      [{ text: 'Go on', web_app: { url: `${publicUrl}/dashboard?chat=${groupId}` } }],
    ],
  });

  await signIn(bot.server, ada.id);
  await giveChats(bot.server, ada.id, [{ id: groupId, isDemo: false }]);
  await bot.writes('/start');
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [[{ text: 'Open Nori', web_app: { url: `${publicUrl}/` } }]],
  });
});

test.each([
  ['chat_-1001234567890', 'Open the settings', '/dashboard?chat=-1001234567890'],
  ['chat_-1001234567890_7', 'Open the settings', '/dashboard?chat=-1001234567890&topic=7'],
  ['link', 'Link services', '/dashboard'],
  ['verify', 'Open Nori', '/'],
])('the payload %s of /start leads to “%s”', async (payload, text, path) => {
  const bot = await startWithGroup();
  await bot.writes(`/start ${payload}`);

  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [[{ text, web_app: { url: `${publicUrl}${path}` } }]],
  });
});

test.each([
  ['a group without topics', undefined, `chat_${groupId}`],
  ['a topic', 77, `chat_${groupId}_77`],
])('/settings in %s leads to its settings', async (_, topicId, startParam) => {
  const bot = await startWithGroup();
  const asked = await bot.writes('/settings', { chatId: groupId, topicId });

  const { body } = bot.api.messages[0] ?? {};
  expect(getLastButtons(bot)).toEqual({
    inline_keyboard: [
      [{ text: 'Open the settings', url: `https://t.me/nori_test_bot?startapp=${startParam}` }],
    ],
  });
  expect(body?.['message_thread_id']).toBe(topicId);
  expect(body?.['reply_parameters']).toEqual({
    message_id: asked,
    allow_sending_without_reply: true,
  });
  expect(startParamPath(startParam)).toContain(`chat=${groupId}`);
});

test('outside of a topic, such as in a reply in General, the link contains no topic', async () => {
  const bot = await startWithGroup();
  await bot.writes('/settings', { chatId: groupId, fields: { message_thread_id: 5 } });

  expect(bot.api.messages[0]?.body).not.toHaveProperty('message_thread_id');
  expect(getLastButtons(bot)).toMatchObject({
    inline_keyboard: [[{ url: `https://t.me/nori_test_bot?startapp=chat_${groupId}` }]],
  });
});

test('/settings in private explains where settings are', async () => {
  const bot = await startWithGroup();
  await bot.writes('/settings');

  expect(bot.api.messages[0]?.text).toContain('Write /settings in the group');
  expect(getLastButtons(bot)).toMatchObject({
    inline_keyboard: [[{ web_app: { url: `${publicUrl}/dashboard` } }]],
  });
});

test('/status in private shows for how long the bot has been running', async () => {
  const { api, server, writes } = await startWithGroup();
  await writes('/help');
  server.wait(3 * 60 * 60_000);
  await writes('/status');

  expect(api.messages.at(-1)?.text).toBe('I am well, and have been running for 3 hours.');
});

test.each([
  [true, 'may delete messages here'],
  [false, 'may not delete messages'],
])('/status in a group where the bot may delete (%s)', async (botMayDelete, text) => {
  const { api, writes } = await startWithGroup();
  api.addChat({ id: groupId, botMayDelete });
  await writes('/status', { chatId: groupId });

  expect(api.messages[0]?.text).toContain(text);
  expect(api.messages[0]?.text).toMatch(/Telegram answered in \d+ ms\./);
  expect(api.messages[0]?.text).not.toContain('further rights');
});

test('/status lists all that is missing, also where the bot may delete nothing', async () => {
  const { api, writes } = await startWithGroup();
  api.addChat({ id: groupId, botRights: ['invite', 'pin', 'tags', 'info'] });
  await writes('/status', { chatId: groupId });
  await writes('/status', { chatId: groupId, topicId: 7 });

  expect(api.messages[0]?.text).toContain('may not delete messages');
  // There are no topics in this group.
  expect(api.messages[0]?.text).toContain('I need further rights: Ban users. Give them to me');
  expect(api.messages[1]?.text).toContain('I need further rights: Ban users, Manage topics.');
});

test('the time that /status tells is that of one call', async () => {
  const { api, writes } = await startWithGroup();
  await writes('/help', { chatId: groupId });
  api.forgetCalls();
  await writes('/status', { chatId: groupId });

  expect(
    api.calls.map(({ method }) => method).filter((method) => /^get(?!Updates)/.test(method)),
  ).toEqual(['getChatMember']);
});

test('a member of a group is told who may use /settings', async () => {
  const bot = await startWithGroup();
  bot.api.addPerson({ id: 555, first_name: 'Dan' });
  await bot.writes('/settings', { chatId: groupId, from: 555 });

  expect(bot.api.messages.map(({ text }) => text)).toEqual([
    'Only administrators with the right “Change group info” can do this.',
  ]);
  expect(bot.api.messages[0]?.body).not.toHaveProperty('reply_markup');
});

test('/ping, another name of /status, names the rights that commands need', async () => {
  const { api, writes } = await startWithGroup();
  api.addChat({ id: groupId, botRights: ['delete', 'invite', 'topics', 'info'] });
  await writes('/ping', { chatId: groupId });

  expect(api.messages[0]?.text).toContain(
    'For some commands I need further rights: Ban users, Pin messages, Edit member tags. Give them to me in the list of administrators.',
  );
});

test('/status lists what is blocked in its topic', async () => {
  const { api, server, writes } = await startWithGroup();
  const me = await signIn(server, ada.id);
  await giveChats(server, ada.id, [{ id: groupId, topics: [0, 7], isDemo: false }]);
  for (const setting_name of ['video_note_blocked', 'photo_blocked']) {
    await server.call(setSetting, { chat_id: groupId, topic_id: 7, setting_name, value: true }, me);
  }
  await writes('/status', { chatId: groupId, topicId: 7 });
  await writes('/status', { chatId: groupId });

  expect(api.messages[0]?.text).toContain('Blocked here: photo, video note.');
  expect(api.messages[1]?.text).toContain('Nothing is blocked here.');
});

test('/status reports that Telegram does not answer', async () => {
  const { api, writes } = await startWithGroup();
  api.fail('getChatMember', { error_code: 500, description: 'Internal Server Error' });
  await writes('/status', { chatId: groupId });

  expect(api.messages[0]?.text).toContain('Telegram does not tell me right now');
});

test('where no service is connected, /link is neither listed nor answered', async () => {
  const bot = await startWithGroup();
  await bot.writes('/link');
  await bot.writes('/help');

  await expect.poll(() => bot.api.messages).toHaveLength(1);
  expect(bot.api.messages[0]?.text).not.toContain('/link');
});

test('/link opens Nori in private, and opens the private chat from a group', async () => {
  const bot = await startWithGroup({ SPOTIFY_CLIENT_ID: 'a-client-of-tests' });
  await bot.writes('/link');
  expect(getLastButtons(bot)).toMatchObject({
    inline_keyboard: [[{ web_app: { url: `${publicUrl}/dashboard` } }]],
  });

  await bot.writes('/link', { chatId: groupId });
  expect(getLastButtons(bot)).toMatchObject({
    inline_keyboard: [[{ url: 'https://t.me/nori_test_bot?start=link' }]],
  });
});

test('/help lists the commands; in a group its buttons are plain links, as Telegram requires', async () => {
  const bot = await startWithGroup();
  await bot.writes('/help', { chatId: groupId });

  expect(bot.api.messages[0]?.text).toContain(
    '/settings – Posts a button that opens the settings of this very chat.',
  );
  expect(bot.api.messages[0]?.text).not.toContain('/start');
  expect(JSON.stringify(getLastButtons(bot))).not.toContain('web_app');
});

test('only commands for this bot are answered', async () => {
  const { api, writes } = await startWithGroup();
  await writes('/help@other_bot', { chatId: groupId });
  await writes('Hello', { chatId: groupId });
  await writes('/unknown', { chatId: groupId });
  await writes('/help@NORI_test_bot', { chatId: groupId });

  expect(api.messages).toHaveLength(1);
});

test('answered commands are counted, whichever of their names was typed', async () => {
  const { api, server, writes } = await startWithGroup();
  await writes('/help');
  await writes('/help');
  await writes('/locktypes', { chatId: groupId });
  api.setReach(ada.id, 'blocked');
  await writes('/status');

  expect(await server.services.usage.totals()).toEqual([
    { _id: 'help', count: 2, today: 2 },
    { _id: 'lock', count: 1, today: 1 },
  ]);
  expect(server.logLines.join('\n')).not.toContain('could not handle an update');
});

test('a chat gets at most ten answers a minute', async () => {
  const { api, server, writes } = await startWithGroup();
  for (let asked = 0; asked < 12; asked += 1) {
    await writes('/help', { chatId: groupId });
  }
  expect(api.messages).toHaveLength(10);

  server.wait(60_000);
  await writes('/help', { chatId: groupId });
  expect(api.messages).toHaveLength(11);
});
