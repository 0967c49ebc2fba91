/** What people write to the bot by its name in any chat, and what they can send there. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { addChat, verifyChat } from '#contract/endpoints/chats';
import { readUsage } from '#contract/endpoints/usage';
import { startBotApi } from '#tests/bot-api-server';
import { signIn } from '#tests/chats';
import { bo, type CommandGroup, continueWith, dan, olga, startGroup } from '#tests/command-group';
import { ann as listener, startLinked } from '#tests/connecting';
import { typeQuery, listTexts } from '#tests/inline';
import { ada, groupId, startBot } from '#tests/test-bot';

const countUses = async ({ server }: Pick<CommandGroup, 'server'>) => {
  const { body } = await server.call(readUsage, {});
  return body;
};

describe('an empty question', () => {
  test('is answered with the keywords that this server knows, each of which can be tried', async () => {
    const bot = await startBot();

    const shown = await typeQuery(bot, '');

    expect(shown.results?.map(({ id }) => id)).toEqual(['help.calc', 'help.note', 'help.whisper']);
    expect(shown.results?.[0]).toMatchObject({
      type: 'article',
      title: 'Calculator',
      description: '@nori_test_bot calc 2^10 / 3',
      reply_markup: {
        inline_keyboard: [[{ text: 'Try it', switch_inline_query_current_chat: 'calc ' }]],
      },
    });
    expect(shown).toMatchObject({
      isPersonal: true,
      button: { text: 'What you can write here', start_parameter: 'inline' },
    });
  });

  test('of which the beginning of a keyword is typed shows those that fit', async () => {
    const bot = await startBot();

    const shown = await typeQuery(bot, 'wh');

    expect(shown.results?.map(({ title }) => title)).toEqual(['Whisper']);
    expect((await typeQuery(bot, 'nosuch')).results).toEqual([]);
  });

  test('leads to a private chat that explains all of them', async () => {
    const bot = await startBot();

    await bot.writes('/start inline');

    expect(bot.api.messages.at(-1)?.text).toContain(
      '@nori_test_bot calc 2^10 / 3 – Calculates what you type in any chat',
    );
    expect(bot.api.messages.at(-1)?.text).not.toContain('nowplaying');
  });
});

describe('calc', () => {
  test('sends a result, the same for everybody for five minutes', async () => {
    const bot = await startBot();

    const shown = await typeQuery(bot, 'calc 6*7');

    expect(listTexts(shown)).toEqual(['6*7 = 42']);
    expect(shown).toMatchObject({ isPersonal: false, cacheS: 300 });
    await typeQuery(bot, 'calc 6*7', { from: bo });
    expect(bot.api.callsTo('answerInlineQuery')).toHaveLength(1);
    bot.server.wait(300_000);
  });

  test('needs no keyword where it is a formula', async () => {
    const bot = await startBot();

    expect(listTexts(await typeQuery(bot, '6*7'))).toEqual(['6*7 = 42']);
    expect(listTexts(await typeQuery(bot, 'CALC 2+2'))).toEqual(['2+2 = 4']);
  });

  test.each([
    ['calc', 'Go on typing'],
    ['calc 1/0', 'Nothing can be divided by zero'],
    ['calc 9^9^9', 'The result is too large'],
    ['calc sqrt(-1)', 'That has no result'],
    ['calc two', 'I cannot calculate that'],
    [`calc ${'1'.repeat(101)}`, 'At most 100 characters'],
  ])('says why there is no result: %s', async (query, text) => {
    const bot = await startBot();

    expect(await typeQuery(bot, query)).toMatchObject({ results: [], button: { text } });
  });

  test('in another language is told to this person alone, as Telegram knows no language', async () => {
    const bot = await startBot();

    expect(await typeQuery(bot, 'calc 1+1', { language: 'de' })).toMatchObject({
      isPersonal: false,
    });
  });
});

test('what is chosen is counted, what only explains is not', async () => {
  const bot = await startBot();
  const calculated = await typeQuery(bot, 'calc 6*7');
  const explained = await typeQuery(bot, '');

  bot.api.inline.choose(calculated.id);
  bot.api.inline.choose(explained.id);
  await bot.hears({ chosen_inline_result: { result_id: 'nosuch', from: ada, query: '' } });

  expect(await countUses(bot)).toMatchObject([{ _id: 'inline-calc', count: 1 }]);
});

describe('note', () => {
  async function startManaged() {
    const group = await startGroup();
    const token = await signIn(group.server, olga);
    await group.server.call(addChat, { chat_id: groupId }, token);
    const otp = group.api.lastCode(olga);
    await group.server.call(verifyChat, { chat_id: groupId, otp }, token);
    await group.says(bo, '/save wifi The password is otter');
    await group.says(bo, '/save rota {admin} Bo opens, Cy closes');
    await group.says(bo, '/save secret {protect} Not to be sent on');
    return group;
  }

  test('sends one of a group that the person manages', async () => {
    const group = await startManaged();

    const shown = await typeQuery(group, 'note wifi', { from: olga });

    expect(shown.results).toMatchObject([
      { title: '#wifi', description: 'Otters · The password is otter' },
    ]);
    expect(listTexts(shown)).toEqual(['The password is otter']);
    expect(shown).toMatchObject({ isPersonal: true, cacheS: 10 });
  });

  test('lists all that can be sent on, also those for administrators', async () => {
    const group = await startManaged();

    const shown = await typeQuery(group, 'note', { from: olga });

    expect(shown.results?.map(({ title }) => title).toSorted()).toEqual(['#rota', '#wifi']);
  });

  test.each([
    ['a member', dan],
    ['a stranger', ada.id],
  ])('is never shown to %s, also right after a manager has looked', async (_who, from) => {
    const group = await startManaged();
    await typeQuery(group, 'note wifi', { from: olga });

    expect(await typeQuery(group, 'note wifi', { from })).toMatchObject({
      results: [],
      button: { text: 'You manage no group with notes in Nori' },
    });
  });

  test('that is unknown is not found', async () => {
    const group = await startManaged();

    expect(await typeQuery(group, 'note nosuch', { from: olga })).toMatchObject({
      results: [],
      button: { text: 'Nothing found' },
    });
  });

  test('that is a picture is sent as one, with its text below', async () => {
    const group = await startManaged();
    const fileId = group.api.media.addFile('photo');
    const photo = [{ file_id: fileId, file_unique_id: 'o', width: 9, height: 9 }];
    const replied = { ...group.toMessage(dan, { photo, caption: 'An otter' }), text: undefined };
    await group.says(bo, '/save otter', { fields: { reply_to_message: replied } });

    expect((await typeQuery(group, 'note otter', { from: olga })).results).toMatchObject([
      { type: 'photo', photo_file_id: fileId, caption: 'An otter' },
    ]);
  });

  test('whose file Telegram has no more does not hide the others', async () => {
    const group = await startManaged();
    const fileId = group.api.media.addFile('photo');
    const replied = group.toMessage(bo, {
      text: undefined,
      photo: [{ file_id: fileId, file_unique_id: 'p', width: 10, height: 10 }],
      caption: 'A router',
    });
    await group.says(bo, '/save wifi_photo', { fields: { reply_to_message: replied } });
    group.api.media.forget(fileId);

    const shown = await typeQuery(group, 'note wifi', { from: olga });

    expect(shown.results).toMatchObject([{ title: '#wifi' }]);
  });

  test('comes in pages of twenty', async () => {
    const group = await startManaged();
    for (let number = 1; number <= 21; number += 1) {
      await group.says(bo, `/save page${number} Text ${number}`);
    }

    const first = await typeQuery(group, 'note page', { from: olga });
    const { nextOffset = '' } = first;
    const second = await typeQuery(group, 'note page', { from: olga, offset: nextOffset });

    expect([first.results?.length, nextOffset, second.results?.length]).toEqual([20, '20', 1]);
    expect(second.nextOffset).toBe('');
    const beyond = await typeQuery(group, 'note page', { from: olga, offset: 'nonsense' });
    expect(beyond.results).toHaveLength(20);
  });
});

describe('nowplaying', () => {
  async function startListening(serviceTimeoutMs = 10_000) {
    const api = await startBotApi();
    const linked = await startLinked({ serviceTimeoutMs });
    const server = await linked.startAgain({ bot: { api } });
    onTestFinished(async () => {
      await server.stopBot();
      await api.close();
    });
    return { ...linked, api, server };
  }

  test('sends what the person hears, and is theirs alone', async () => {
    const bot = await startListening();

    const shown = await typeQuery(bot, 'nowplaying', { from: listener });

    expect(shown.results).toMatchObject([{ title: 'Night Drive' }]);
    expect(listTexts(shown)?.[0]).toContain('The Lanterns, Mira – Night Drive');
    expect(shown).toMatchObject({ isPersonal: true, cacheS: 0 });
  });

  test('says that nothing plays', async () => {
    const bot = await startListening();
    bot.music.stop();

    expect(await typeQuery(bot, 'np', { from: listener })).toMatchObject({
      results: [],
      button: { text: 'Nothing is playing' },
    });
  });

  test('leads to the link where there is none', async () => {
    const bot = await startListening();

    expect(await typeQuery(bot, 'nowplaying')).toMatchObject({
      results: [],
      isPersonal: true,
      button: { text: 'Link Spotify', start_parameter: 'link' },
    });
  });

  test.each([
    ['wants no more questions', 429, 'Too many questions. Try again later.'],
    ['is down', 503, 'No answer right now. Try again.'],
  ])('says so when Spotify %s', async (_case, status, text) => {
    const bot = await startListening();
    bot.music.fail('GET /v1/*', { status, headers: { 'Retry-After': '42' }, body: {} });

    expect(await typeQuery(bot, 'nowplaying', { from: listener })).toMatchObject({
      results: [],
      button: { text },
    });
  });

  test('is answered while Spotify is slow', async () => {
    const bot = await startListening(100);
    bot.music.fail('GET /v1/*', 'hang');

    expect(await typeQuery(bot, 'nowplaying', { from: listener })).toMatchObject({
      button: { text: 'No answer right now. Try again.' },
    });
  });

  test('is asked for once while someone still types', async () => {
    const bot = await startListening();

    for (const query of ['n', 'nowplaying', 'nowplaying ']) {
      bot.api.inline.typeQuery(listener, query);
    }
    await bot.api.updates.confirmed();
    await bot.server.handled();

    expect(bot.glances()).toBe(1);
  });
});

describe('a question', () => {
  test('that waited for a stopped server is not answered', async () => {
    const bot = await startBot();
    await bot.server.stopBot();
    const { db } = bot.server;
    const update = { update_id: 1, inline_query: { id: '1', from: ada, query: '1+1', offset: '' } };
    await db
      .insertInto('bot_inbox')
      .values({
        bot_id: bot.api.bot.id,
        update_id: 1,
        chat_id: ada.id,
        payload: JSON.stringify(update),
        received_at: bot.server.now() - 10_001,
        handled_at: null,
        runner: '',
        leased_until: 0,
      })
      .execute();

    await continueWith(bot);

    expect(bot.api.callsTo('answerInlineQuery')).toEqual([]);
    const left = await db.selectFrom('bot_inbox').select('payload').execute();
    expect(left.filter(({ payload }) => payload !== null)).toEqual([]);
  });

  test('that Telegram has forgotten is no failure', async () => {
    const bot = await startBot();
    const description =
      'Bad Request: query is too old and response timeout expired or query ID is invalid';
    bot.api.fail('answerInlineQuery', { error_code: 400, description });

    await typeQuery(bot, 'calc 1+1');

    expect(bot.server.logLines.join('')).not.toContain('has not taken an answer');
    expect(listTexts(await typeQuery(bot, 'calc 1+1'))).toEqual(['1+1 = 2']);
  });
});

describe('where the bot does not hear such questions', () => {
  test('the operator is told how to turn it on, and no one is promised anything', async () => {
    const api = await startBotApi();
    api.bot.hasInline = false;
    const bot = await startBot({ api });

    await bot.writes('/help');

    expect(bot.server.said.join('\n')).toContain('/setinline');
    expect(api.messages.at(-1)?.text).not.toContain('whisper');
  });
});

test('/help names the keywords', async () => {
  const bot = await startBot();

  await bot.writes('/help');

  expect(bot.api.messages.at(-1)?.text).toContain(
    'In any chat, write @nori_test_bot and one of these: calc, note, whisper.',
  );
});

describe('in a chat that the bot is not in', () => {
  test('what it is asked by its name is answered there', async () => {
    const bot = await startBot();

    const id = bot.api.inline.mention(ada.id, '@nori_test_bot calc 6*7');
    await bot.api.updates.confirmed();
    await bot.server.handled();

    const answer = { id, ...bot.api.inline.answerTo(id) };
    expect(listTexts(answer)).toEqual(['6*7 = 42']);
    expect(await countUses(bot)).toMatchObject([{ _id: 'inline-calc', count: 1 }]);
  });

  test.each([
    ['@nori_test_bot whisper @bo hello', 'In any chat you can write:'],
    ['@nori_test_bot hello', 'In any chat you can write:'],
    ['@nori_test_bot calc 1/0', 'Nothing can be divided by zero'],
  ])('%s is explained', async (text, said) => {
    const bot = await startBot();

    const id = bot.api.inline.mention(ada.id, text);
    await bot.api.updates.confirmed();
    await bot.server.handled();

    expect(listTexts({ id, ...bot.api.inline.answerTo(id) })?.[0]).toContain(said);
  });
});
