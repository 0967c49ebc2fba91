/** /tts: what is said by which voice, and each way in which that fails. */
import { describe, expect, test } from 'vitest';

import { ann, bo, startGroup } from '#tests/command-group';
import { opus, startWithMedia } from '#tests/media-servers';
import { timeoutFor } from '#tests/stand-in';

const files = { '/voice': { headers: { 'Content-Type': 'audio/ogg' }, body: opus } };
const mp3 = Buffer.from('ID3 and more');
const m4a = Buffer.concat([Buffer.alloc(4), Buffer.from('ftypM4A and more')]);
const wav = Buffer.from('RIFF and more');
const vorbis = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\u0001vorbis')]);

const lastSpoken = ({ upstream }: Awaited<ReturnType<typeof startWithMedia>>) => {
  const path = upstream.calls.findLast((call) => call.path.includes('/synthesize'))?.path ?? '';
  const url = new URL(path, 'http://stand-in');
  return { path: url.pathname, ...Object.fromEntries(url.searchParams) };
};

test('without a server that speaks there is no such command', async () => {
  const group = await startGroup();
  await group.says(ann, '/tts Hello');
  await group.says(ann, '/voices');
  expect(group.api.messages).toEqual([]);
});

describe('a text', () => {
  test('is sent as a voice message', async () => {
    const bot = await startWithMedia({ files });
    const id = await bot.group.says(ann, '/tts Hello, otters');
    expect(bot.group.api.messages).toHaveLength(1);
    expect(bot.group.api.messages[0]?.body).toMatchObject({
      voice: { name: 'voice.ogg', bytes: opus },
    });
    expect(JSON.stringify(bot.group.api.messages[0]?.body)).toContain(String(id));
    expect(lastSpoken(bot)).toEqual({
      path: '/tts/synthesize',
      text: 'Hello, otters',
      language: 'en',
    });
  });

  test('may be the message that is replied to, by a voice that is named alone', async () => {
    const bot = await startWithMedia({ files });
    const fields = { reply_to_message: bot.group.toMessage(bo, { text: 'こんにちは' }) };
    await bot.group.says(ann, '/tts Ben', { fields });
    expect(lastSpoken(bot)).toEqual({
      path: '/tts/synthesize',
      text: 'こんにちは',
      category: 'Low',
      character: 'Ben',
      language: 'ja',
    });
  });

  test('is said by the voice whose name is before it, the longest one', async () => {
    const bot = await startWithMedia({ files });
    await bot.group.says(ann, '/tts holo the wise: Hello');
    expect(lastSpoken(bot)).toMatchObject({
      path: '/anime-tts/synthesize',
      character: 'Holo the Wise',
      text: 'Hello',
    });
    await bot.group.says(ann, '/tts Holograms are fine');
    expect(lastSpoken(bot)).toMatchObject({ path: '/tts/synthesize', text: 'Holograms are fine' });
    await bot.group.says(ann, '/animetts Ben is here');
    expect(lastSpoken(bot)).toMatchObject({ path: '/anime-tts/synthesize', text: 'Ben is here' });
  });

  test('is missing, or too long', async () => {
    const { group, upstream } = await startWithMedia({ files });
    await group.says(ann, '/tts');
    expect(group.lastText()).toBe(
      '/tts Hello\nOr reply to a message with /tts. /voices lists the voices.',
    );
    await group.says(ann, '/tts Ben');
    expect(group.lastText()).toMatch(/^\/tts Hello/);
    await group.says(ann, `/tts ${'a'.repeat(301)}`);
    expect(group.lastText()).toBe('At most 300 characters.');
    expect(upstream.callsTo('GET /tts/synthesize*')).toEqual([]);
  });
});

test('the voices are listed by category, and asked for once an hour', async () => {
  const { group, upstream } = await startWithMedia();
  await group.says(ann, '/voices');
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'Write the name of a voice before the text:\n\nLow: Ben\nHeroes: Holo, Holo the Wise',
    ephemeral: { to: ann },
  });
  const asked = upstream.calls.length;
  await group.says(ann, '/voices');
  expect(upstream.calls).toHaveLength(asked);
});

test('a server without lists of voices has one', async () => {
  const bot = await startWithMedia({ files });
  for (const name of ['tts', 'anime-tts', 'others-tts']) {
    bot.upstream.fail(`GET /${name}/categories`, { status: 404, body: {} });
  }
  await bot.group.says(ann, '/voices');
  expect(bot.group.lastText()).toBe('There is only one voice.');
  await bot.group.says(ann, '/tts Ben');
  expect(lastSpoken(bot)).toMatchObject({ text: 'Ben' });
});

describe('a file that is', () => {
  test.each([
    ['MP3', mp3, 'voice.mp3'],
    ['M4A', m4a, 'voice.m4a'],
  ])('%s is played by Telegram', async (_name, body, name) => {
    const { group } = await startWithMedia({
      files: { '/voice': { body, headers: { 'Content-Type': 'audio/x' } } },
    });
    await group.says(ann, '/tts Hello');
    expect(group.api.messages.at(-1)?.body).toMatchObject({ voice: { name } });
  });

  test.each([
    ['WAV', wav],
    ['Vorbis', vorbis],
  ])('%s is not', async (_name, body) => {
    const { group } = await startWithMedia({
      files: { '/voice': { body, headers: { 'Content-Type': 'audio/x' } } },
    });
    await group.says(ann, '/tts Hello');
    expect(group.lastText()).toBe(
      'This voice makes files that Telegram does not play as a voice message.',
    );
  });

  test('elsewhere in the internet is loaded, and in a private network is not', async () => {
    const { group, found, at } = await startWithMedia({ files });
    found.speech = at('/voice');
    await group.says(ann, '/tts Hello');
    expect(group.api.messages.at(-1)?.body).toMatchObject({ voice: { name: 'voice.ogg' } });
    found.speech = at('/voice', 'router.intern');
    await group.says(ann, '/tts Hello');
    expect(group.lastText()).toMatch(/cannot be downloaded here/);
  });
});

describe('a server that', () => {
  test.each([
    ['is down', { status: 503 }, /does not answer right now/],
    ['sends a page', 'page', /an answer that cannot be used/],
    ['is asked too often', { status: 429, headers: { 'Retry-After': '30' } }, /in 30 seconds/],
    ['never answers', 'hang', /took too long/],
  ] as const)('%s', async (_name, failure, said) => {
    const options = { serviceTimeoutMs: timeoutFor(failure, 1000) };
    const { group, upstream } = await startWithMedia({ files, options });
    upstream.fail('GET /tts/synthesize*', failure);
    await group.says(ann, '/tts Hello');
    expect(group.lastText()).toMatch(said);
  });

  test('lost the file', async () => {
    const { group } = await startWithMedia();
    await group.says(ann, '/tts Hello');
    expect(group.lastText()).toMatch(/an answer that cannot be used/);
  });
});

test('who takes no voice messages is told that Telegram does not allow it', async () => {
  const { group } = await startWithMedia({ files });
  group.api.fail('sendVoice', {
    error_code: 400,
    description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN',
  });
  await group.says(ann, '/tts Hello');
  expect(group.lastText()).toBe('Telegram does not allow this here.');
});
