/** What the server knows of a user's language, and where it has learned it. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { setAccountLanguage } from '#contract/endpoints/language';
import { loginWithTelegram } from '#contract/endpoints/session';
import { signIn } from '#tests/chats';
import { signLaunchData } from '#tests/launch-data';
import { standInLanguages } from '#tests/stand-in-languages';
import { ada, groupId, service, startBot, type TestBot } from '#tests/test-bot';
import { createTestServer, goodPassword } from '#tests/test-server';

const readStored = ({ server }: Pick<TestBot, 'server'>, telegramId: number = ada.id) =>
  server.db
    .selectFrom('people')
    .select(['language', 'language_code'])
    .where('telegram_id', '=', telegramId)
    .executeTakeFirst();

const speaking = (language_code: string | undefined, from: object = ada) => ({
  from: { ...from, language_code },
});

function launch({ api, server }: TestBot, language_code: string | undefined) {
  const user = { ...ada, language_code };
  const data = { user, botToken: api.token, signedAt: server.now() };
  return server.call(loginWithTelegram, { init_data: signLaunchData(data) });
}

test('each update tells the language of a user’s Telegram, and each launch does', async () => {
  const bot = await startBot();
  await signIn(bot.server, ada.id);
  const learned = async () => {
    await bot.server.services.userLanguages.save();
    return (await readStored(bot))?.language_code;
  };

  expect(await learned()).toBeNull();
  await bot.hears(service(speaking('it-IT')));
  expect(await learned()).toBe('it');
  await bot.writes('Hello', { fields: speaking('pt-br') });
  expect(await learned()).toBe('pt-BR');
  await bot.writes('Hello', { fields: speaking(undefined) });
  expect(await learned()).toBe('pt-BR');
  await bot.writes('Hello', { fields: speaking('uz-cyrl') });
  expect(await learned()).toBeNull();

  expect((await launch(bot, 'uk')).status).toBe(200);
  expect(await learned()).toBe('uk');
  await launch(bot, undefined);
  expect(await learned()).toBe('uk');
  await launch(bot, 'zh-hans');
  expect(await learned()).toBeNull();
});

test('the language of who has no account is not stored', async () => {
  const bot = await startBot();

  await bot.writes('Hello', { fields: speaking('ru') });
  await bot.server.services.userLanguages.save();

  expect(await readStored(bot)).toBeUndefined();
});

test('messages of people whose language is known cost no statement more', async () => {
  const bot = await startBot();
  await signIn(bot.server, ada.id);
  const { userLanguages } = bot.server.services;
  await bot.writes('Hello', { chatId: groupId, fields: speaking('ru') });
  await bot.writes('Hello', { chatId: groupId, fields: speaking('fa', { ...ada, id: 99 }) });
  await userLanguages.save();
  // Only a write would put it right.
  await bot.server.db.updateTable('people').set({ language_code: 'de' }).execute();

  await bot.writes('Hello', { chatId: groupId, fields: speaking('ru') });
  await userLanguages.save();

  expect((await readStored(bot))?.language_code).toBe('de');
});

test('what the database could not store is said again by the next update', async () => {
  const bot = await startBot();
  await signIn(bot.server, ada.id);
  const { userLanguages } = bot.server.services;
  await bot.server.db.schema.alterTable('people').renameTo('put_away').execute();
  userLanguages.learn(ada.id, 'ru');
  await userLanguages.save();
  await bot.server.db.schema.alterTable('put_away').renameTo('people').execute();

  userLanguages.learn(ada.id, 'ru');
  await userLanguages.save();

  expect((await readStored(bot))?.language_code).toBe('ru');
});

test('a choice counts before what Telegram says, until it is taken back', async () => {
  const bot = await startBot({ languages: standInLanguages('ru', 'tr') });
  await signIn(bot.server, ada.id);
  const { userLanguages } = bot.server.services;
  const changes: unknown[] = [];
  userLanguages.onChange((telegramId, { language }) => void changes.push([telegramId, language]));

  await userLanguages.setLanguage(ada.id, 'tr');
  await bot.writes('Hello', { fields: speaking('ru') });
  await userLanguages.save();
  expect(await userLanguages.readLanguage(ada.id, { code: 'ru' })).toEqual({
    language: 'tr',
    isChosen: true,
  });
  await userLanguages.setLanguage(ada.id, null);

  expect(await userLanguages.readLanguage(ada.id)).toEqual({ language: 'ru', isChosen: false });
  expect(await userLanguages.readLanguage(ada.id, { code: 'zh-hans' })).toMatchObject({
    language: 'en',
  });
  expect(changes).toEqual([
    [ada.id, 'tr'],
    [ada.id, 'ru'],
  ]);
  await expect(userLanguages.setLanguage(5, 'tr')).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  expect(v.is(v.object({ language: v.null() }), await readStored(bot))).toBe(true);
});

test('the page sends a choice, and takes it back; what is none of our languages is refused', async () => {
  const server = await createTestServer({ languages: standInLanguages('pt-BR') });
  const token = await server.signUp(ada.id);
  const choose = (language: unknown, headers: Record<string, string> = {}) =>
    server.request('/backend/account/language', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify({ language }),
    });
  const read = () => server.services.userLanguages.readLanguage(ada.id);

  expect((await choose('pt-BR')).status).toBe(204);
  expect(await read()).toEqual({ language: 'pt-BR', isChosen: true });
  expect(await choose('xx')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await choose(undefined)).toMatchObject({ status: 422 });
  expect(await read()).toEqual({ language: 'pt-BR', isChosen: true });
  expect((await choose(null)).status).toBe(204);
  expect(await read()).toEqual({ language: 'en', isChosen: false });

  expect(await choose('ru', { Authorization: 'Bearer of-nobody' })).toMatchObject({ status: 401 });
  await server.close();
});

test('deleting the account deletes the choice and the language of Telegram; a new account begins without', async () => {
  const server = await createTestServer();
  const learn = async () => {
    server.services.userLanguages.learn(ada.id, 'ru');
    await server.services.userLanguages.save();
  };
  const token = await server.signUp(ada.id);
  await server.call(setAccountLanguage, { language: 'tr' }, { token });
  await learn();
  expect(await readStored({ server })).toEqual({ language: 'tr', language_code: 'ru' });

  await server.call(deleteAccount, { password: goodPassword }, { token });
  await learn();
  expect(await readStored({ server })).toBeUndefined();

  server.wait(60 * 60_000);
  await server.signUp(ada.id);
  expect(await readStored({ server })).toEqual({ language: null, language_code: null });
  await server.close();
});
