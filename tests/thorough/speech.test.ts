/** Speech of the public API: real sound files in four languages, made on the server itself. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { readText } from '#server/upstream/public-api/speech/reader';
import { fileAt, run, startPublicServer } from '#tests/public-api';
import { type TestServer } from '#tests/test-server';

const collections = ['tts', 'anime-tts', 'others-tts'];

/** What a listener gets: the file behind the preview, and what its header says. */
async function listen(server: TestServer, id: string, values: Readonly<Record<string, string>>) {
  const { status, body } = await run(server, id, values);
  expect({ status, body }).toMatchObject({ status: 200 });
  const { stream_url } = v.parse(v.object({ stream_url: v.string() }), body);
  const { response, bytes } = await fileAt(server, stream_url);
  expect(response.headers.get('Content-Type')).toBe('audio/wav');
  return { body, bytes, ...soundOf(bytes) };
}

/** Reads a WAV file from its bytes alone. */
function soundOf(file: Buffer) {
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect(file.readUInt16LE(20)).toBe(1);
  const channels = file.readUInt16LE(22);
  const rate = file.readUInt32LE(24);
  const bits = file.readUInt16LE(34);
  expect({ channels, bits }).toEqual({ channels: 1, bits: 16 });
  expect(file.readUInt32LE(28)).toBe(rate * 2);
  expect(file.toString('latin1', 36, 40)).toBe('data');
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  const samples = Array.from(
    { length: (file.length - 44) / 2 },
    (_, index) => file.readInt16LE(44 + index * 2) / 32_768,
  );
  const loudness = Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
  const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return { seconds: samples.length / rate, rate, samples, loudness, peak };
}

/** How strong one frequency is, by Goertzel. */
function strength(samples: readonly number[], hz: number, rate: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let [one, two] = [0, 0];
  for (const sample of samples) {
    [one, two] = [sample + factor * one - two, one];
  }
  return Math.sqrt(Math.max(0, one * one + two * two - factor * one * two)) / samples.length;
}

const greetings = {
  en: 'Hello, world!',
  ja: 'こんにちは、せかい',
  zh: '你好，世界',
  ko: '안녕하세요, 세계',
} as const;

describe('speaking', () => {
  test.each(Object.entries(greetings))(
    'in %s gives a sound that can be heard',
    async (language, text) => {
      const server = await startPublicServer();

      const { body, seconds, loudness, peak } = await listen(server, 'tts-synthesize', {
        text,
        language,
      });

      expect(body).toMatchObject({ language, source: 'offline', note: expect.any(String) });
      expect(body).not.toHaveProperty('unread');
      expect(seconds).toBeGreaterThan(0.8);
      expect(seconds).toBeLessThan(6);
      expect(loudness).toBeGreaterThan(0.03);
      expect(peak).toBeGreaterThan(0.5);
      expect(peak).toBeLessThan(0.99);
    },
  );

  test.each(collections)('works in %s with nothing filled in', async (id) => {
    const server = await startPublicServer();

    const { body, bytes } = await listen(server, `${id}-synthesize`, {});
    const greeting = await listen(server, `${id}-synthesize`, { text: 'Hello, world!' });

    expect(body).toMatchObject({ language: 'en', category: expect.any(String) });
    expect(bytes).toEqual(greeting.bytes);
  });

  test('says other words and other voices otherwise, and the same ones alike', async () => {
    const server = await startPublicServer();
    const say = async (values: Readonly<Record<string, string>>) =>
      (await listen(server, 'tts-synthesize', values)).bytes;

    const first = await say({ text: 'red' });

    expect(await say({ text: 'red' })).toEqual(first);
    expect(await say({ text: 'bed' })).not.toEqual(first);
    expect(await say({ text: 'red', category: 'High' })).not.toEqual(first);
  });

  test('has vowels that resonate where a mouth does', async () => {
    const server = await startPublicServer();
    const say = (text: string) =>
      listen(server, 'tts-synthesize', { text, language: 'ja', character: 'Bram' });
    const around = ({ samples, rate }: Awaited<ReturnType<typeof say>>, hz: number) =>
      Array.from({ length: 31 }, (_, step) => strength(samples, hz - 150 + step * 10, rate)).reduce(
        (sum, one) => sum + one,
        0,
      );

    const ah = await say('ああああ');
    const ee = await say('いいいい');

    // An open mouth has its first resonance near 740 Hz; the front of a narrow one sounds above 2 kHz.
    expect(around(ah, 720)).toBeGreaterThan(2 * around(ee, 720));
    expect(around(ee, 2200)).toBeGreaterThan(2 * around(ah, 2200));
  });

  test('gives longer texts more time', async () => {
    const server = await startPublicServer();

    const short = await listen(server, 'tts-synthesize', { text: 'One.' });
    const long = await listen(server, 'tts-synthesize', { text: 'One, two, three, four, five.' });

    expect(long.seconds).toBeGreaterThan(2 * short.seconds);
  });

  test('tells which characters it could not read', async () => {
    const server = await startPublicServer();

    const { body } = await run(server, 'tts-synthesize', { text: 'かんじ 鬱', language: 'ja' });

    expect(body).toMatchObject({ unread: ['鬱'] });
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
});

test('while a long text is spoken, the server goes on answering', async () => {
  const server = await startPublicServer();
  const { body } = await run(server, 'tts-synthesize', { text: '7'.repeat(300) });
  const { stream_url } = v.parse(v.object({ stream_url: v.string() }), body);
  let isSpoken = false;

  const speech = fileAt(server, stream_url).finally(() => {
    isSpoken = true;
  });
  let answersMeanwhile = 0;
  for (;;) {
    const { status } = await server.request('/backend/health');
    if (isSpoken) {
      break;
    }
    expect(status).toBe(200);
    answersMeanwhile += 1;
    await new Promise(setImmediate);
  }
  const { bytes } = await speech;

  // Spoken here, nothing else would be answered before the end.
  expect(answersMeanwhile).toBeGreaterThan(1);
  expect(soundOf(bytes).seconds).toBeGreaterThan(60);
});

describe('choosing a voice', () => {
  test.each(collections)('of %s goes from categories to characters to a sound', async (id) => {
    const server = await startPublicServer();
    const { categories } = v.parse(
      v.object({ categories: v.pipe(v.array(v.string()), v.minLength(1)) }),
      (await run(server, `${id}-categories`)).body,
    );
    const category = categories.at(-1) ?? '';
    const { characters } = v.parse(
      v.object({ characters: v.pipe(v.array(v.string()), v.minLength(1)) }),
      (await run(server, `${id}-characters`, { category })).body,
    );
    const character = characters.at(-1) ?? '';

    const { body, loudness } = await listen(server, `${id}-synthesize`, { category, character });

    expect(body).toMatchObject({ category, character });
    expect(loudness).toBeGreaterThan(0.01);
  });

  test('has one category where the specification has one', async () => {
    const server = await startPublicServer();

    expect((await run(server, 'others-tts-categories')).body).toMatchObject({
      categories: ['Others'],
    });
  });

  test('in a category that is not there finds nothing', async () => {
    const server = await startPublicServer();

    const { status, body } = await run(server, 'tts-characters', { category: 'Nowhere' });

    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: 'Nothing was found.' });
  });
});

describe('reading', () => {
  const read = async (text: string, language: 'en' | 'ja' | 'zh' | 'ko') =>
    (await readText(text, language)).sounds.map(({ sound }) => sound).join(' ');

  test.each([
    ['en', 'knife', 'n a ih f'],
    ['en', 'cakes', 'k e ih k z'],
    ['en', 'nation', 'n ae sh ax n'],
    ['en', 'TTS', 't ii t ii eh s'],
    ['en', '23', 't w eh n t i th r ii'],
    ['ja', 'がっこう', 'g a q k o w_'],
    ['ja', 'きゃく', 'k j a k w_'],
    ['ja', 'ラーメン', 'tap a a m e n'],
    ['ja', '世界', 's e k a i'],
    ['zh', '你好', 'n i h a uh'],
    ['zh', '是', 'sh ir'],
    ['zh', '女', 'n y'],
    ['ko', '한국어', 'h a n g u g eo'],
    ['ko', '감사합니다', 'k a m s a h a m n i d a'],
  ] as const)('%s: %s', async (language, text, sounds) => {
    expect(await read(text, language)).toBe(sounds);
  });

  test('gives every Chinese tone a melody of its own', async () => {
    const melody = async (text: string) => (await readText(text, 'zh')).sounds.at(-1)?.pitch;

    const melodies = await Promise.all(['妈', '麻', '马', '骂'].map(melody));

    expect(new Set(melodies.map(String)).size).toBe(4);
  });

  test('knows a sound for every block of Hangul and every kana', async () => {
    const { gesturesOf } = await import('#server/upstream/public-api/speech/phonemes');
    const hangul = String.fromCodePoint(...Array.from({ length: 11_172 }, (_, at) => 0xac00 + at));
    const kana = String.fromCodePoint(...Array.from({ length: 0x56 }, (_, at) => 0x3041 + at));

    const readings = await Promise.all([readText(hangul, 'ko'), readText(kana, 'ja')]);
    const sounds = new Set(readings.flatMap((reading) => reading.sounds.map(({ sound }) => sound)));

    for (const sound of sounds) {
      expect(gesturesOf(sound).length).toBeGreaterThan(0);
    }
  });
});
