/** Speech of the public API: by a speech server, by espeak-ng, and as samples. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { errorStatuses } from '#contract/endpoints/errors';
import { speechLanguages } from '#contract/playground/speech';
import { fileAt, run, startPublicServer } from '#tests/public-api';
import { mp3, speechKey, speechModel, startSpeechServer } from '#tests/speech-server';
import { createTestServer, type TestServer } from '#tests/test-server';

const collections = ['tts', 'anime-tts', 'others-tts'];

type Values = Readonly<Record<string, string>>;

/** The answer of an endpoint, and the file behind its link. */
async function speak(server: TestServer, id: string, values: Values = {}) {
  const { status, body } = await run(server, id, values);
  expect({ status, body }).toMatchObject({ status: 200 });
  const { stream_url } = v.parse(v.object({ stream_url: v.string() }), body);
  const { response, bytes } = await fileAt(server, stream_url);
  const type = response.headers.get('Content-Type');
  return {
    body,
    status: response.status,
    type,
    bytes,
    ...(type === 'application/json'
      ? { refusal: v.parse(v.object({ code: v.string() }), JSON.parse(bytes.toString())) }
      : {}),
  };
}

/** The voices of a collection, as the lists of the form give them. */
async function listVoices(server: TestServer, id: string) {
  const listed = await run(server, `${id}-categories`);
  const { categories } = v.parse(v.object({ categories: v.array(v.string()) }), listed.body);
  const voices: { id: string; category: string; character: string }[] = [];
  for (const category of categories) {
    const { body } = await run(server, `${id}-characters`, { category });
    const { characters } = v.parse(v.object({ characters: v.array(v.string()) }), body);
    voices.push(...characters.map((character) => ({ id, category, character })));
  }
  return voices;
}

describe('without a speech engine', () => {
  test.each(speechLanguages)('a sample in %s says that it is one', async (language) => {
    const server = await startPublicServer();

    const { body, type, bytes } = await speak(server, 'tts-synthesize', { language });

    expect(body).toMatchObject({
      language,
      is_demo: true,
      source: 'offline',
      note: expect.stringContaining('sample'),
    });
    expect(type).toBe('audio/mpeg');
    expect(bytes.subarray(0, 2).toString('hex')).toBe('fff3');
  });

  test('every voice has a sample of its own in every language', async () => {
    const server = await startPublicServer();
    const lists = await Promise.all(collections.map((id) => listVoices(server, id)));
    const wanted = lists
      .flat()
      .flatMap((voice) => speechLanguages.map((language) => Object.assign({ language }, voice)));

    const samples = new Set<string>();
    for (const { id, ...values } of wanted) {
      samples.add((await speak(server, `${id}-synthesize`, values)).bytes.toString('base64'));
    }

    expect(wanted).toHaveLength(40);
    expect(samples.size).toBe(40);
  });

  test.each(collections)('%s works with nothing filled in', async (id) => {
    const server = await startPublicServer();

    const { body, status } = await speak(server, `${id}-synthesize`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ language: 'en', category: expect.any(String) });
  });

  test.each([
    [{ text: '!?…' }, 'text has nothing that can be spoken'],
    [{ text: '🎉' }, 'text has nothing that can be spoken'],
    // One character that stands for "kilometre".
    [{ text: '㌖'.repeat(300), language: 'ja' }, 'text takes too long to say'],
    [{ category: 'Nowhere' }, 'category is none of this collection'],
    [{ category: 'Low', character: 'Mira' }, 'character is none of this category'],
    [{ language: 'de' }, 'language must be one of en, ja, zh, ko'],
  ])('refuses %j', async (values, detail) => {
    const server = await startPublicServer();

    const { status, body } = await run(server, 'tts-synthesize', values);

    expect(status).toBe(422);
    expect(body).toMatchObject({ detail });
  });

  test('the specification’s only category of the third collection is Others', async () => {
    const server = await startPublicServer();

    expect((await run(server, 'others-tts-categories')).body).toMatchObject({
      categories: ['Others'],
    });
  });

  test('the voices of an unknown category are not found', async () => {
    const server = await startPublicServer();

    const { status, body } = await run(server, 'tts-characters', { category: 'Nowhere' });

    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: 'Nothing was found.' });
  });
});

/** A program in the place of espeak-ng. It writes its arguments and its input where a test can read them. */
function installEspeak(afterInput = '') {
  const folder = mkdtempSync(join(tmpdir(), 'nori-espeak-'));
  const command = join(folder, 'espeak-ng');
  const log = join(folder, 'log.json');
  writeFileSync(
    command,
    `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === '--version') { console.log('eSpeak NG text-to-speech: 1.52'); process.exit(0); }
const input = readFileSync(0, 'utf8');
writeFileSync(${JSON.stringify(log)}, JSON.stringify({ args, input, env: Object.keys(process.env) }));
${afterInput}
const header = Buffer.alloc(44);
header.write('RIFF', 0); header.writeUInt32LE(0x7ffff024, 4); header.write('WAVEfmt ', 8);
header.writeUInt32LE(16, 16); header.writeUInt16LE(1, 20); header.writeUInt16LE(1, 22);
header.writeUInt32LE(22050, 24); header.writeUInt32LE(44100, 28); header.writeUInt16LE(2, 32);
header.writeUInt16LE(16, 34); header.write('data', 36); header.writeUInt32LE(0x7ffff000, 40);
process.stdout.write(Buffer.concat([header, Buffer.alloc(2000, 7)]));
`,
  );
  chmodSync(command, 0o755);
  const call = v.object({ args: v.array(v.string()), input: v.string(), env: v.array(v.string()) });
  return { command, readCall: () => v.parse(call, JSON.parse(readFileSync(log, 'utf8'))) };
}

describe('with espeak-ng', () => {
  test('the text goes to its input, and its WAV gets correct sizes', async () => {
    const espeak = installEspeak();
    const server = await startPublicServer({ SPEECH_COMMAND: espeak.command });
    const text = '--help $(reboot) [[x]] "; 안녕';

    const { body, type, bytes } = await speak(server, 'tts-synthesize', {
      text,
      language: 'ko',
      character: 'Mira',
    });

    expect(body).toMatchObject({ source: 'offline', note: expect.stringContaining('espeak-ng') });
    expect(body).not.toHaveProperty('is_demo');
    expect(type).toBe('audio/wav');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    const { args, input, env } = espeak.readCall();
    expect(args.join(' ')).toMatch(/^-v ko\+f4 -p 60 -s 185 --stdout --stdin$/);
    expect(input).toBe('--help $(reboot) [ [x]] "; 안녕');
    expect(env).not.toContain('SECRET_KEY');
    expect(env.length).toBeLessThan(6);
  });

  test('Kanji are listed as unread', async () => {
    const server = await startPublicServer({ SPEECH_COMMAND: installEspeak().command });

    const { body } = await run(server, 'tts-synthesize', { text: 'かんじ 鬱鬱', language: 'ja' });

    expect(body).toMatchObject({ unread: ['鬱'] });
  });

  test.each([
    ['fails', 'process.exit(1);', 'service_unavailable'],
    ['writes no WAV', "process.stdout.write('hello'); return;", 'service_unavailable'],
    ['never ends', 'setInterval(() => {}, 1000); return;', 'service_unavailable'],
    [
      'never stops writing',
      "for (;;) require('node:fs').writeSync(1, Buffer.alloc(9999));",
      'invalid_input',
    ],
  ] as const)('a program that %s gives a refusal', async (_what, behaviour, code) => {
    const { command } = installEspeak(behaviour);
    const server = await createTestServer({
      variables: { PUBLIC_URL: 'https://nori.example.org', SPEECH_COMMAND: command },
      serviceTimeoutMs: behaviour.startsWith('setInterval') ? 500 : 20_000,
    });

    expect(await speak(server, 'tts-synthesize')).toMatchObject({
      status: errorStatuses[code],
      refusal: { code },
    });
  });
});

describe('with a speech server', () => {
  async function startWithServer(variables: Values = {}, timeoutMs = 20_000) {
    const speech = await startSpeechServer();
    const server = await createTestServer({
      variables: {
        PUBLIC_URL: 'https://nori.example.org',
        SPEECH_URL: `${speech.url}/v1/`,
        SPEECH_API_KEY: speechKey,
        SPEECH_MODEL: speechModel,
        ...variables,
      },
      serviceTimeoutMs: timeoutMs,
    });
    return { speech, server };
  }

  test('it speaks the text, once for a link that is opened twice', async () => {
    const { speech, server } = await startWithServer();
    const values = { text: '你好', language: 'zh', character: 'Bram' };

    const { body, type, bytes } = await speak(server, 'tts-synthesize', values);
    await speak(server, 'tts-synthesize', values);

    expect(body).toMatchObject({ source: 'upstream', character: 'Bram' });
    expect(body).not.toHaveProperty('is_demo');
    expect(type).toBe('audio/mpeg');
    expect(bytes).toEqual(mp3('你好'));
    expect(speech.calls.map((call) => call.body)).toEqual([
      { model: speechModel, input: '你好', voice: 'onyx', response_format: 'mp3' },
    ]);
  });

  test('it comes before the server that answers the rest of the public API', async () => {
    const { server } = await startWithServer({ PUBLIC_API_UPSTREAM: 'http://127.0.0.1:9' });

    expect((await speak(server, 'tts-synthesize')).bytes).toEqual(mp3('Hello, world!'));
  });

  test.each([
    ['a wrong key', { SPEECH_API_KEY: 'wrong' }, 'service_key_refused'],
    ['a wrong model', { SPEECH_MODEL: 'other' }, 'service_key_refused'],
  ] as const)('%s is told', async (_what, variables, code) => {
    const { server } = await startWithServer(variables);

    expect(await speak(server, 'tts-synthesize')).toMatchObject({
      status: errorStatuses[code],
      refusal: { code },
    });
  });

  test.each([
    ['is asked too often', { status: 429, headers: { 'Retry-After': '7' } }, 'service_busy'],
    ['refuses the text', { status: 400 }, 'invalid_input'],
    ['is broken', { status: 500 }, 'service_unavailable'],
    ['sends a page', 'page', 'service_answer_broken'],
    ['closes the connection', 'reset', 'service_unavailable'],
    ['never answers', 'hang', 'service_slow'],
  ] as const)('one that %s gives a refusal', async (_what, failure, code) => {
    const { speech, server } = await startWithServer({}, failure === 'hang' ? 300 : 20_000);
    speech.fail('POST /v1/audio/speech', failure);

    expect(await speak(server, 'tts-synthesize')).toMatchObject({
      status: errorStatuses[code],
      refusal: { code },
    });
  });
});
