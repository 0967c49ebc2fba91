/** Speaks: a text in one of four languages becomes a WAV file, without a network and without a model. */
import { join } from 'node:path';

import { createThreadPool } from '#server/lib/thread-pool';

import { isPause } from './phonemes.ts';
import { readText } from './reader.ts';
import { secondsOf } from './synthesiser.ts';
import { type SpeechOrder } from './work.ts';

const inThread = createThreadPool<SpeechOrder>({
  script: join(import.meta.dirname, 'worker.ts'),
  maxThreads: 1,
  failure: 'A text could not be spoken',
});

/** A WAV file: one channel, 16 bits. The same order always gives the same bytes. */
export async function speak(order: SpeechOrder): Promise<Buffer> {
  const bytes = await inThread(order);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What of a text can be spoken, and how many seconds that takes. */
export async function checkText({ text, language, voice }: SpeechOrder): Promise<{
  readonly isSpoken: boolean;
  readonly unread: readonly string[];
  readonly seconds: number;
}> {
  const { sounds, unread } = await readText(text, language);
  return {
    isSpoken: sounds.some(({ sound }) => !isPause(sound)),
    unread,
    seconds: secondsOf(sounds, voice),
  };
}
