/** A thread of its own for speaking, so that the server goes on answering meanwhile. */
import { parentPort } from 'node:worker_threads';

import { answerTask } from '#server/lib/thread-work';

import { readText } from './reader.ts';
import { sampleRate, synthesise } from './synthesiser.ts';
import { wavOf } from './wav.ts';
import { type SpeechOrder } from './work.ts';

async function sayAloud({ text, language, voice }: SpeechOrder) {
  const { sounds } = await readText(text, language);
  return new Uint8Array(wavOf(synthesise(sounds, voice), sampleRate));
}

parentPort?.on('message', (order: SpeechOrder) => void answerTask(() => sayAloud(order)));
