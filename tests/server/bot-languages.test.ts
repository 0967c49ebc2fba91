/** The bot writes to each user in their language, and to each group in the group's. */
import { expect, test } from 'vitest';

import { listChanges } from '#contract/endpoints/chat-changes';
import { addChat, readChat, setChatLanguage, setSetting } from '#contract/endpoints/chats';
import { loginWithTelegram } from '#contract/endpoints/session';
import { type Language } from '#contract/languages';
import { botTexts } from '#server/bot/texts';
import { openDatabase } from '#server/db/client';
import { hintRules } from '#server/lib/limits';
import { startBotApi } from '#tests/bot-api-server';
import { giveChats, signIn } from '#tests/chats';
import { signLaunchData } from '#tests/launch-data';
import { withoutMarks } from '#tests/spoken';
import { openTestLanguages, standInLanguages } from '#tests/stand-in-languages';
import {
  ada,
  administrator,
  chat,
  collectEvents,
  groupId,
  left,
  moved,
  owner,
  service,
  startBot,
  type TestBot,
} from '#tests/test-bot';

const publicUrl = 'https://nori.example.org';
const languages = standInLanguages('ru', 'fa', 'de', 'uz');
const options = {
  languages,
  // /link is offered where a service is connected.
  variables: { PUBLIC_URL: publicUrl, SPOTIFY_CLIENT_ID: 'a-client-of-tests' },
} as const;
const otherGroup = -1_005_555_555_555;

const speaking = (language_code: string | undefined, id: number = ada.id) => ({
  ...ada,
  id,
  language_code,
});

const say = (bot: TestBot, text: string, code: string | undefined) =>
  bot.writes(text, { fields: { from: speaking(code) } });

/** As the stand-in translations say it; English as it is. */
const inLanguage = (tag: string, english: string) =>
  tag === 'en' ? english : `<${tag}>${english}</${tag}>`;

const sentTo = ({ api }: TestBot, to: number) =>
  api.messages.filter((message) => message.to === to).map(({ text }) => text.split('\n')[0]);

const lastButtons = ({ api }: TestBot) => JSON.stringify(api.messages.at(-1)?.body['reply_markup']);

function launch({ api, server }: TestBot, language_code: string) {
  const user = speaking(language_code);
  const data = { user, botToken: api.token, signedAt: server.now() };
  return server.call(loginWithTelegram, { init_data: signLaunchData(data) });
}

/** The address that the menu button of Ada opens. */
const menuAddress = ({ api }: TestBot) => {
  const button = JSON.stringify(api.profile.menuButton(ada.id));
  return /"url":"([^"]*)"/.exec(button)?.[1]?.slice(publicUrl.length);
};

test('two groups are answered at the same time, each in its own language', async () => {
  const bot = await startBot(options);
  const groups: readonly (readonly [number, Language])[] = [
    [groupId, 'fa'],
    [otherGroup, 'ru'],
  ];
  for (const [id, language] of groups) {
    const administrators = Array.from({ length: 8 }, (_, index) => 1000 + index);
    bot.api.addChat({ id, creator: ada.id, administrators });
    const move = moved(left, administrator, speaking(language)).my_chat_member;
    bot.api.updates.push({ my_chat_member: { ...move, chat: { ...chat, id } } });
  }

  // The languages of who asks are others.
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => {
      const [chatId = 0] = groups[index % 2] ?? [];
      const text = index < 4 ? '/link' : '/settings';
      const from = speaking(index % 3 === 0 ? 'de' : 'en', 1000 + index);
      return bot.writes(text, { chatId, fields: { from } });
    }),
  );

  await expect.poll(() => bot.api.messages).toHaveLength(8);
  // Answers do not wait for each other.
  const answersIn = (language: Language) =>
    new Set([
      inLanguage(language, botTexts.linkFromGroup),
      inLanguage(language, botTexts.settingsInGroup),
    ]);
  expect(new Set(sentTo(bot, groupId))).toEqual(answersIn('fa'));
  expect(new Set(sentTo(bot, otherGroup))).toEqual(answersIn('ru'));
});

test('a group reads what is blocked there with the comma of its language', async () => {
  const bot = await startBot({ languages: openTestLanguages('locales') });
  bot.api.addChat({ id: groupId, creator: ada.id });
  const me = await signIn(bot.server, ada.id);
  await giveChats(bot.server, ada.id, [{ id: groupId, topics: [0], isDemo: false }]);
  for (const setting_name of ['video_note_blocked', 'photo_blocked']) {
    const setting = { chat_id: groupId, topic_id: 0, setting_name, value: true };
    await bot.server.call(setSetting, setting, me);
  }
  await bot.server.call(setChatLanguage, { chat_id: groupId, language: 'fa' }, me);

  await bot.writes('/status', { chatId: groupId });

  await expect.poll(() => bot.api.messages).toHaveLength(1);
  const text = bot.api.messages[0]?.text ?? '';
  // The list runs from right to left, whatever letters its first label begins with.
  expect(text).toContain('\u200F\u2068عکس\u2069، \u2068پیام ویدیویی\u2069');
  expect(withoutMarks(text)).toContain('ممنوع در اینجا: عکس، پیام ویدیویی.');
});

test.each([
  ['ru', 'ru', '/ru/dashboard'],
  ['fa-IR', 'fa', '/fa/dashboard'],
  // Ours, but not of this server.
  ['it-IT', 'en', '/dashboard'],
  ['zh-hans', 'en', '/dashboard'],
  ['uz-cyrl', 'en', '/dashboard'],
  ['uz', 'uz', '/uz/dashboard'],
  [undefined, 'en', '/dashboard'],
])('in private, a Telegram in %s is answered in %s', async (code, tag, path) => {
  const bot = await startBot(options);

  await say(bot, '/settings', code);

  await expect.poll(() => bot.api.messages).toHaveLength(1);
  expect(bot.api.messages[0]?.text).toBe(inLanguage(tag, botTexts.settingsInPrivate));
  expect(lastButtons(bot)).toBe(
    JSON.stringify({
      inline_keyboard: [
        [{ text: inLanguage(tag, 'Open Nori'), web_app: { url: publicUrl + path } }],
      ],
    }),
  );
});

test('a choice counts before the language of Telegram, and links name it', async () => {
  const bot = await startBot(options);
  await signIn(bot.server, ada.id);
  await bot.server.services.userLanguages.setLanguage(ada.id, 'de');

  await say(bot, '/link', 'ru');
  await expect.poll(() => sentTo(bot, ada.id)).toEqual([expect.stringMatching(/^<de>In Nori/)]);
  expect(lastButtons(bot)).toContain(`"url":"${publicUrl}/de/dashboard?lang=de"`);

  await bot.server.services.userLanguages.setLanguage(ada.id, 'en');
  await say(bot, `/start chat_${groupId}`, 'ru');
  await expect.poll(() => sentTo(bot, ada.id)[1]).toMatch(/^Here are the settings/);
  expect(lastButtons(bot)).toContain(`"url":"${publicUrl}/dashboard?chat=${groupId}&lang=en"`);
});

test('/help lists the commands in the language of who asks', async () => {
  const bot = await startBot(options);

  await say(bot, '/help', 'ru');

  await expect.poll(() => bot.api.messages).toHaveLength(1);
  expect(bot.api.messages[0]?.text).toContain(
    '/help – <ru>Explains the commands, all of them or one by name.</ru>',
  );
});

test('the menu button follows /start, a launch, an update and a choice', async () => {
  const bot = await startBot(options);
  await say(bot, '/start', 'ru');
  await expect.poll(() => menuAddress(bot)).toBe('/ru');
  await say(bot, '/start', 'en');
  await expect.poll(() => menuAddress(bot)).toBe('/');

  await signIn(bot.server, ada.id);
  await launch(bot, 'fa');
  await expect.poll(() => menuAddress(bot)).toBe('/fa');
  expect(bot.api.profile.menuButton(ada.id)).toMatchObject({ text: '<fa>Nori</fa>' });

  await bot.writes('Hello', { chatId: groupId, fields: { from: speaking('uz') } });
  await expect.poll(() => menuAddress(bot)).toBe('/uz');

  await bot.server.services.userLanguages.setLanguage(ada.id, 'de');
  await expect.poll(() => menuAddress(bot)).toBe('/de?lang=de');
  const calls = bot.api.callsTo('setChatMenuButton').length;
  await launch(bot, 'ru');
  await bot.server.services.userLanguages.save();
  await bot.server.services.userLanguages.setLanguage(ada.id, null);
  await expect.poll(() => menuAddress(bot)).toBe('/ru');
  expect(bot.api.callsTo('setChatMenuButton')).toHaveLength(calls + 1);
});

test('a menu button that Telegram does not take now is set a little later', async () => {
  const pauses: number[] = [];
  const api = await startBotApi();
  const pause = (ms: number) => Promise.resolve(void pauses.push(ms));
  const bot = await startBot({ ...options, api, bot: { api, pause } });
  await expect.poll(() => api.profile.menuButton()).toMatchObject({ type: 'web_app' });
  api.fail('setChatMenuButton', {
    error_code: 429,
    description: 'Too Many Requests: retry after 3',
    parameters: { retry_after: 3 },
  });

  await say(bot, '/start', 'ru');

  await expect.poll(() => menuAddress(bot)).toBe('/ru');
  expect(pauses).toContain(3000);
});

test('a group speaks what the user chose who added the bot, and keeps it', async () => {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, creator: ada.id });
  await signIn(bot.server, ada.id);
  await bot.server.services.userLanguages.setLanguage(ada.id, 'uz');
  const readLanguage = (id = groupId) => bot.server.services.chats.readLanguage(id);

  await bot.hears(moved(left, administrator, speaking('ru')));
  expect(await readLanguage()).toBe('uz');

  await bot.hears(moved(administrator, left, speaking('ru', 77)));
  await bot.hears(moved(left, administrator, speaking('ru', 77)));
  expect(await readLanguage()).toBe('uz');

  const newId = -1_007_777_777_777;
  const supergroup = { ...chat, id: newId };
  const arrival = moved(left, administrator, speaking('ru', 77)).my_chat_member;
  await bot.hears({ my_chat_member: { ...arrival, chat: supergroup } });
  expect(await readLanguage(newId)).toBe('ru');
  await bot.hears(service({ migrate_from_chat_id: groupId }, supergroup));
  expect(await readLanguage(newId)).toBe('uz');
});

test('who added the bot is told what comes next in their language; the group hears it in its own', async () => {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, creator: ada.id });
  const addAndWait = async (from: object) => {
    await bot.hears(moved(left, administrator, from));
    bot.server.wait(hintRules.waitMs);
    await bot.server.services.arrivalHints.sendDue();
  };

  await addAndWait(speaking('fa'));
  expect(sentTo(bot, ada.id)).toEqual([expect.stringMatching(/^<fa>added\.ready .*Otters/)]);
  expect(lastButtons(bot)).toContain(`${publicUrl}/fa/dashboard?chat=`);

  bot.api.setReach(77, 'never started');
  await addAndWait(speaking('ru', 77));
  expect(sentTo(bot, groupId)).toEqual([expect.stringMatching(/^<fa>Hello! I delete/)]);
});

test('the owner gets a code in the owner’s language, or in that of the group', async () => {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, creator: owner, members: [ada.id] });
  await bot.hears(moved(left, administrator, speaking('fa')));
  const me = await signIn(bot.server, ada.id);
  const askedIn = { ...me, headers: { 'Accept-Language': 'ru' } };

  const reply = await bot.server.call(addChat, { chat_id: groupId }, askedIn);
  expect(reply.body).toMatchObject({ translated: expect.stringMatching(/^<ru>/) });
  expect(sentTo(bot, owner)).toEqual([expect.stringMatching(/^<fa>codeForOther .*\d{6}/)]);
  expect(lastButtons(bot)).toMatch(/"text":"<fa>copyCode .*\d{6}/);

  await signIn(bot.server, owner);
  await bot.server.services.userLanguages.setLanguage(owner, 'de');
  bot.server.wait(10 * 60_000);
  await bot.server.call(addChat, { chat_id: groupId }, askedIn);
  expect(sentTo(bot, owner)[1]).toMatch(/^<de>codeForOther \d{6}/);
});

test('those who manage a group change what the bot writes there', async () => {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, creator: owner });
  const me = await signIn(bot.server, owner);
  const stranger = await signIn(bot.server, ada.id);
  await bot.server.services.chatVerification.request({
    chatId: groupId,
    telegramId: owner,
    language: 'en',
  });
  await bot.server.services.chatVerification.verify(
    { chatId: groupId, telegramId: owner },
    bot.api.lastCode(owner),
  );
  const events = collectEvents(bot);
  const change = (language: Language, who = me) =>
    bot.server.call(setChatLanguage, { chat_id: groupId, language }, who);

  expect((await bot.server.call(readChat, { chat_id: groupId }, me)).body).toMatchObject({
    language: null,
    languages: ['en', 'ru', 'fa', 'uz', 'de'],
  });
  expect((await change('fa')).status).toBe(204);
  expect((await change('fa')).status).toBe(204);
  expect(events).toMatchObject([{ kind: 'language', by: { telegram_id: String(owner) } }]);
  expect((await bot.server.call(readChat, { chat_id: groupId }, me)).body).toMatchObject({
    language: 'fa',
  });

  expect((await bot.server.call(listChanges, { chat_id: groupId }, me)).body).toMatchObject({
    changes: [{ kind: 'language', items: [], language: { was: 'en', becomes: 'fa' } }],
  });

  expect(await change('ru', stranger)).toMatchObject({ body: { code: 'chat_not_verified' } });
  expect(await change('it')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  await bot.writes('/link', { chatId: groupId, fields: { from: speaking('ru') } });
  await expect.poll(() => sentTo(bot, groupId)).toEqual([expect.stringMatching(/^<fa>/)]);
});

test('Telegram is told commands and descriptions in each language that is offered', async () => {
  const { api } = await startBot(options);

  await expect.poll(() => api.profile.shortDescription('de')).toMatch(/^<de>Deletes what/);
  expect(api.profile.languages()).toEqual(['ru', 'fa', 'uz', 'de']);
  const members = [
    ['status', '<fa>Shows whether the bot has the rights it needs here, and what is blocked.</fa>'],
    ['warns', '<fa>Shows how many warnings a member has and what for, and takes them back.</fa>'],
    ['rules', '<fa>Keeps the rules of the group and shows them to everyone who asks.</fa>'],
    [
      'notes',
      '<fa>Saves texts, pictures and files under a name, to be called up by any member.</fa>',
    ],
    ['admins', '<fa>Lists who looks after the group.</fa>'],
    ['report', '<fa>Quietly tells the administrators about a message.</fa>'],
    ['help', '<fa>Explains the commands, all of them or one by name.</fa>'],
    ['link', '<fa>Links your Spotify or AniList account to the bot.</fa>'],
    ['privacy', '<fa>Says what the bot has stored about you, and deletes it if you like.</fa>'],
  ];
  const listed = api.profile.commands('all_group_chats', 'fa') ?? [];
  expect(listed).toEqual(
    expect.arrayContaining(
      members.map(([command, description]) => ({ command, description, is_ephemeral: true })),
    ),
  );
  expect(listed.filter(({ description }) => !/^<fa>.*<\/fa>$/.test(description))).toEqual([]);
  expect(api.profile.commands('default')).toContainEqual({
    command: 'start',
    description: 'Wakes the bot, so that it may write to you, and leads you to the next step.',
  });
  expect(api.profile.description('ru')).toMatch(/^<ru>I delete what/);
  expect(api.profile.description()).toMatch(/^I delete what/);
  expect(api.profile.description('it')).toBe('');
});

const profileCalls = [
  'setMyCommands',
  'setMyDescription',
  'setMyShortDescription',
  'setChatMenuButton',
];

test('a restart tells Telegram only what has changed', async () => {
  const api = await startBotApi();
  const database = openDatabase({});
  const kept = { ...database, close: () => Promise.resolve() };
  const countCalls = () => profileCalls.map((method) => api.callsTo(method).length);
  const start = (offered: typeof languages) =>
    startBot({ ...options, api, bot: { api }, database: kept, languages: offered });

  const first = await start(languages);
  await expect.poll(countCalls).toEqual([20, 5, 5, 1]);
  await first.server.stopBot();
  api.forgetCalls();

  const second = await start(languages);
  await say(second, '/help', 'ru');
  await expect.poll(() => api.messages).toHaveLength(1);
  await second.server.stopBot();
  expect(countCalls()).toEqual([0, 0, 0, 0]);

  // Russian is new no more, and German is taken back.
  await start(standInLanguages('ru', 'fa', 'uz'));
  await expect.poll(countCalls).toEqual([4, 1, 1, 0]);
  expect(api.profile.languages()).toEqual(['ru', 'fa', 'uz']);
  expect(api.profile.description('de')).toBe('');
});

test('a set-up that Telegram slows down does not keep the bot from answering', async () => {
  const api = await startBotApi();
  const waits: number[] = [];
  let release: () => void = () => undefined;
  const pause = async (ms: number) => {
    waits.push(ms);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  api.fail('setMyCommands', {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  });
  const bot = await startBot({ ...options, api, bot: { api, pause } });
  await expect.poll(() => waits).toEqual([30_000]);

  await say(bot, '/help', 'de');
  await expect.poll(() => sentTo(bot, ada.id)).toHaveLength(1);
  // Nothing more is asked for while Telegram wants no calls.
  expect(api.callsTo('setMyCommands')).toHaveLength(1);
  release();

  await expect.poll(() => api.profile.shortDescription('de')).not.toBe('');
  expect(api.callsTo('setMyCommands')).toHaveLength(21);
});
