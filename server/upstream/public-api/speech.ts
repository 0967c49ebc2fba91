/** Speech engines: an OpenAI-compatible speech server, and espeak-ng on this machine. */
import { execFile } from 'node:child_process';
import { env } from 'node:process';

import { type SpeechLanguage } from '#contract/playground/speech';
import { AppError } from '#server/lib/errors';
import { readRetryAfter, toBusy } from '#server/upstream/connections/oauth';
import { type FetchReply, fetchReply, NoReply } from '#server/upstream/fetch-json';

type SpeechRequest = {
  readonly text: string;
  readonly language: SpeechLanguage;
  /** The name of the voice on a speech server. */
  readonly serverVoice: string;
  readonly espeakVoice: EspeakVoice;
};

export type EspeakVoice = {
  /** One of espeak-ng's voice variants, such as `f2`. */
  readonly variant: string;
  /** From 0 to 99. */
  readonly pitch: number;
  readonly wordsPerMinute: number;
};

export type AudioFile = { readonly bytes: Buffer; readonly type: string };

export type SpeechEngine = {
  readonly name: 'server' | 'espeak-ng';
  readonly speak: (request: SpeechRequest) => Promise<AudioFile>;
};

/** About three minutes of WAV at 22,050 Hz. */
const maxBytes = 8 * 1024 * 1024;

export type SpeechServerSettings = {
  /** Including the version, such as `http://localhost:8880/v1`; without a slash at its end. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Milliseconds for one text. */
  readonly timeoutMs?: number | undefined;
};

const serverTimeoutMs = 25_000;

/**
 * `speak` throws `service_unavailable`, `service_slow`, `service_busy`, `service_key_refused`,
 * `service_answer_broken`, or `invalid_input` when the server refuses a text.
 */
export function connectSpeechServer({
  url,
  apiKey,
  model,
  timeoutMs = serverTimeoutMs,
}: SpeechServerSettings): SpeechEngine {
  return {
    name: 'server',
    speak: async ({ text, serverVoice }) => {
      const reply = await fetchReply({
        service: 'speech',
        url: `${url}/audio/speech`,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: text, voice: serverVoice, response_format: 'mp3' }),
        timeoutMs,
        maxBytes,
      }).catch(throwNoReply);
      throwRefusal(reply);
      const type = detectAudioType(reply.bytes);
      if (type === undefined) {
        throw new AppError('service_answer_broken');
      }
      return { bytes: reply.bytes, type };
    },
  };
}

function throwNoReply(error: unknown): never {
  if (!(error instanceof NoReply)) {
    throw error;
  }
  switch (error.reason) {
    case 'timeout':
      throw new AppError('service_slow');
    case 'too-large':
      throw new AppError('service_answer_broken');
    case 'aborted':
    case 'unreachable':
      throw new AppError('service_unavailable');
  }
}

function throwRefusal({ status, headers }: FetchReply): void {
  if (status === 429) {
    throw toBusy('The speech server', readRetryAfter(headers));
  }
  if (status === 400 || status === 422) {
    throw new AppError('invalid_input', { detail: 'The speech server refuses this text.' });
  }
  // A wrong key, or a model or path that the server does not have.
  if (status >= 400 && status < 500) {
    throw new AppError('service_key_refused');
  }
  if (status !== 200) {
    throw new AppError('service_unavailable');
  }
}

/** By the first bytes, because some servers send a wrong content type. Undefined for other files. */
function detectAudioType(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 4);
  if (start.startsWith('ID3') || /^\xff[\xe2-\xff]/.test(start)) {
    return 'audio/mpeg';
  }
  const types = { RIFF: 'audio/wav', OggS: 'audio/ogg', fLaC: 'audio/flac' } as const;
  return Object.entries(types).find(([magic]) => magic === start)?.[1];
}

const espeakTimeoutMs = 10_000;

/** `cmn` of version 1.51 reads tone numbers in English, so Chinese uses the Pinyin variant. */
const espeakLanguages = {
  en: 'en',
  ja: 'ja',
  zh: 'cmn-latn-pinyin',
  ko: 'ko',
} as const satisfies Record<SpeechLanguage, string>;

/** Returns undefined when the command does not run. `speak` throws `service_unavailable`, or `invalid_input` for too much audio. */
export async function findEspeak(
  command: string,
  timeoutMs = espeakTimeoutMs,
): Promise<SpeechEngine | undefined> {
  const isInstalled = await run(command, ['--version'], { timeoutMs }).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    return undefined;
  }
  return {
    name: 'espeak-ng',
    speak: async ({ text, language, espeakVoice: { variant, pitch, wordsPerMinute } }) => {
      const voice = `${espeakLanguages[language]}+${variant}`;
      const options = ['-v', voice, '-p', String(pitch), '-s', String(wordsPerMinute)];
      // espeak-ng reads double brackets as phonemes.
      const stdin = text.replaceAll('[[', '[ [');
      const args = [...options, '--stdout', '--stdin'];
      return {
        bytes: fixWavSizes(await run(command, args, { stdin, timeoutMs })),
        type: 'audio/wav',
      };
    },
  };
}

/** Runs a program without a shell, with limits, and without our environment, which has secrets. */
function run(
  command: string,
  args: readonly string[],
  { stdin = '', timeoutMs }: { readonly stdin?: string; readonly timeoutMs: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      {
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxBytes,
        env: { PATH: env['PATH'], LANG: 'C.UTF-8' },
      },
      (error, stdout) => {
        if (error === null) {
          resolve(stdout);
        } else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
          reject(new AppError('invalid_input', { detail: 'text takes too long to say' }));
        } else {
          reject(new AppError('service_unavailable'));
        }
      },
    );
    // The program may end before it has read everything; its exit code says whether it failed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

const wavHeaderBytes = 44;

/** espeak-ng writes to a pipe before it knows the length, so its header has a placeholder. */
function fixWavSizes(wav: Buffer): Buffer {
  if (wav.toString('latin1', 0, 4) !== 'RIFF' || wav.length <= wavHeaderBytes) {
    throw new AppError('service_unavailable');
  }
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - wavHeaderBytes, wavHeaderBytes - 4);
  return wav;
}
