/** Refusals and messages in the language that a caller prefers; English stays what it is. */
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';

import { register } from '#contract/endpoints/account';
import { accountFieldTexts } from '#contract/endpoints/account-texts';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { addChat, readChat } from '#contract/endpoints/chats';
import { errorTexts } from '#contract/endpoints/error-texts';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { generate, readJob } from '#contract/endpoints/images';
import { listSessions, login } from '#contract/endpoints/session';
import { unreadableReply } from '#server/upstream/images/image-errors';
import { imageServiceTexts } from '#server/upstream/images/texts';
import { createHandEngine } from '#tests/image-engines';
import { openTestLanguages, standInFiles, writeLocales } from '#tests/stand-in-languages';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const inGerman = { headers: { 'Accept-Language': 'de' } };
const german = (english: string) => `<de>${english}</de>`;

let server: TestServer;

beforeEach(async () => {
  server = await createTestServer({
    languages: openTestLanguages(writeLocales({ de: standInFiles('de'), ar: standInFiles('ar') })),
  });
});

const registerAs = (telegramId: string, options = {}) =>
  server.call(
    register,
    { telegram_id: telegramId, email: `${telegramId}@example.org`, password: goodPassword },
    options,
  );

describe('a refusal', () => {
  test('names all wrong fields in the language, beside the English', async () => {
    const input = { telegram_id: 'ada', email: 'nowhere', password: goodPassword };

    const { status, body } = await server.call(register, input, inGerman);

    const { telegramIdMalformed } = fieldTexts;
    const { emailMalformed } = accountFieldTexts;
    expect(status).toBe(422);
    expect(body).toEqual({
      code: 'invalid_input',
      detail: `${telegramIdMalformed}. ${emailMalformed}`,
      message: `${german(telegramIdMalformed)}. ${german(emailMalformed)}`,
    });
  });

  test('says a number that a field may have', async () => {
    const input = { telegram_id: '42', email: 'ada@example.org', password: 'short' };

    const { body } = await server.call(register, input, inGerman);

    expect(body).toMatchObject({
      detail: 'Use at least 8 characters for the password',
      message: '<de>passwordTooShort 8</de>',
    });
  });

  test('says how long to wait', async () => {
    await registerAs('42');
    server.wait(18_000);

    const { status, headers, body } = await registerAs('42', inGerman);

    expect(status).toBe(429);
    expect(headers.get('Retry-After')).toBe('42');
    expect(body).toEqual({
      code: 'rate_limited',
      detail: 'Please wait 42 seconds before asking for another code.',
      message: german('limitTexts.codeCooldown <de>durationTexts.seconds 42</de>'),
    });
  });

  test('of a chat, and of what is not in it', async () => {
    const token = await server.signUp(42);
    const chat_id = '-1001234567890';

    const foreign = await server.call(readChat, { chat_id }, { token, ...inGerman });
    const unknown = await server.call(
      changeSettings,
      { chat_id, kind: 'preset', topics: { '0': { photo_blocked: true } } },
      { token, ...inGerman },
    );

    expect(foreign.body).toEqual({
      code: 'chat_not_found',
      detail: errorTexts.chat_not_found,
      message: german(errorTexts.chat_not_found),
    });
    expect(unknown.body).toMatchObject({
      message: german('A change of the kind “preset” names its preset, and no other does.'),
    });
  });

  test.each([
    ['an address without anything', '/backend/nothing', errorTexts.not_found],
    ['a path outside of the API', '/nothing.js', errorTexts.not_found],
    ['a call without a session', '/backend/chats', errorTexts.unauthenticated],
    ['a query that is given twice', '/backend/health?a=1&a=2', 'A query parameter is given twice.'],
  ])('of %s is said in the language', async (_case, path, detail) => {
    const { body, headers } = await server.request(path, inGerman);

    expect(body).toMatchObject({ detail, message: german(detail) });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test('of a parameter of the public API, with its name', async () => {
    const { body } = await server.request(
      `/public-api/tts/synthesize?text=${'a'.repeat(5000)}`,
      inGerman,
    );

    expect(body).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^<de>mistakeTexts\.tooLong text \d+<\/de>$/),
    });
  });

  test('of a job that failed earlier, which is stored in English', async () => {
    const hand = createHandEngine();
    server = await createTestServer({
      languages: server.deps.languages,
      engines: { pixai: hand.engine },
    });
    const job_key = 'a-key-of-a-job-that-failed';
    const call = server.call(generate, {
      job_key,
      prompt: 'a cat',
      model_id: '1',
      ratio: '1:1',
    });
    await expect.poll(hand.asked).toBe(1);
    hand.fail(unreadableReply());
    await call;

    const { body } = await server.call(readJob, { job_key }, inGerman);

    const { unreadable } = imageServiceTexts;
    expect(body).toMatchObject({
      state: 'failed',
      detail: unreadable,
      message: german(unreadable),
    });
  });
});

describe('an answer that is a sentence', () => {
  test('has it in the language, too', async () => {
    const token = await server.signUp(42);

    const asked = await server.call(addChat, { chat_id: '-1001234567890' }, { token, ...inGerman });

    const english = "Demo: no bot connected. The code is on the server's console.";
    expect(asked.body).toEqual({ message: english, translated: german(english) });
  });

  test('names the devices of a user in it', async () => {
    await server.signUp(42);
    const agent = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
    const { body } = await server.call(
      login,
      { telegram_id: '42', password: goodPassword },
      { headers: agent },
    );
    const token = v.parse(login.output, body).access_token;

    const { body: list } = await server.call(listSessions, {}, { token, ...inGerman });

    const { sessions } = v.parse(listSessions.output, list);
    expect(sessions.map(({ device, device_translated }) => [device, device_translated])).toEqual(
      expect.arrayContaining([
        ['Firefox on Linux', german('deviceTexts.browserOn Firefox Linux')],
        ['Unknown device', german('Unknown device')],
      ]),
    );
  });

  test('is only English for who prefers English', async () => {
    const token = await server.signUp(42);

    const asked = await server.call(addChat, { chat_id: '-1001234567890' }, { token });

    expect(asked.body).toEqual({
      message: "Demo: no bot connected. The code is on the server's console.",
    });
  });
});

test('the bot writes in the language of the page, and the operator reads the code in any', async () => {
  await registerAs('42', inGerman);

  const code = server.readCode(42);
  expect(server.inbox.at(-1)?.text).toBe(`<de>accountTexts.code ${code} 4•••@example.org 5</de>`);
});

test.each([
  ['no header', undefined],
  ['English first', 'en-US,en;q=0.9,de;q=0.5'],
  ['any language', '*'],
  ['an empty header', ''],
  ['none of ours', 'ja, zh-Hant;q=0.9'],
  ['one of ours that the server lacks', 'fr'],
  ['garbage', ';;q=,=;q=1e9,\u00FF%00<script>'],
  ['a language that is refused', 'de;q=0'],
  ['10 kB of one word', 'd'.repeat(10_000)],
  ['10 kB of commas', ','.repeat(10_000)],
  ['10 kB of languages before ours', `${'ja,'.repeat(3400)}de`],
  ['a name that every object has', 'constructor, __proto__, toString'],
])('with %s the answer is the English one, byte for byte', async (_case, header) => {
  const response = await server.app.request('/backend/chats', {
    headers: header === undefined ? {} : { 'Accept-Language': header },
  });

  expect(await response.text()).toBe(
    '{"detail":"Please log in to continue.","code":"unauthenticated"}',
  );
});

test.each(['de', 'DE-at', 'de_CH', 'fr, de;q=0.5, en;q=0.1', 'ja, de'])(
  'with "%s" the answer is in German',
  async (header) => {
    const { body } = await server.request('/backend/chats', {
      headers: { 'Accept-Language': header },
    });

    expect(body).toHaveProperty('message', german(errorTexts.unauthenticated));
  },
);

test('callers with different languages at the same time each get their own', async () => {
  const all = Array.from({ length: 15 }, () => ['de', 'ar', 'en', 'fr'] as const).flat();

  const replies = await Promise.all(
    all.map((language, index) =>
      server.call(
        register,
        { telegram_id: String(index + 1), email: 'nowhere', password: goodPassword },
        { headers: { 'Accept-Language': language } },
      ),
    ),
  );

  const { emailMalformed: detail } = accountFieldTexts;
  const answers = {
    en: { code: 'invalid_input', detail },
    fr: { code: 'invalid_input', detail },
    de: { code: 'invalid_input', detail, message: `<de>${detail}</de>` },
    ar: { code: 'invalid_input', detail, message: `<ar>${detail}</ar>` },
  };
  expect(replies.map(({ body }) => body)).toEqual(all.map((language) => answers[language]));
});
