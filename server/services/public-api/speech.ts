/** The speech endpoints: lists of voices, and speech by a server, by espeak-ng, or as sample clips. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type PublicEndpointId } from '#contract/playground/endpoints';
import { type SpeechLanguage, speechLanguages } from '#contract/playground/speech';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import {
  type AudioFile,
  connectSpeechServer,
  type EspeakVoice,
  findEspeak,
} from '#server/upstream/public-api/speech';

type Voice = {
  /** One of OpenAI's voices, which most speech servers accept. */
  readonly serverVoice: string;
  readonly espeakVoice: EspeakVoice;
};

const voice = (
  serverVoice: string,
  [variant, pitch, wordsPerMinute]: readonly [string, number, number],
): Voice => ({ serverVoice, espeakVoice: { variant, pitch, wordsPerMinute } });

/** Collection → category → character. Characters have unique names, and a sample in each language. */
const collections: Readonly<
  Record<
    'tts' | 'anime-tts' | 'others-tts',
    Readonly<Record<string, Readonly<Record<string, Voice>>>>
  >
> = {
  tts: {
    Low: { Bram: voice('onyx', ['m3', 30, 160]), Otto: voice('echo', ['m1', 45, 180]) },
    High: { Alva: voice('nova', ['f2', 50, 170]), Mira: voice('shimmer', ['f4', 60, 185]) },
  },
  'anime-tts': {
    Heroes: { Akari: voice('coral', ['f3', 80, 190]), Ren: voice('ash', ['m7', 55, 190]) },
    Mascots: { Mochi: voice('fable', ['f5', 99, 200]), Pon: voice('sage', ['f1', 90, 160]) },
  },
  'others-tts': {
    Others: {
      Robot: voice('alloy', ['croak', 10, 150]),
      Whisper: voice('alloy', ['whisper', 50, 150]),
    },
  },
};

const voicesByCharacter = new Map(
  Object.values(collections).flatMap((categories) =>
    Object.values(categories).flatMap((voices) => Object.entries(voices)),
  ),
);

/** Each sample says a greeting. Made with espeak-ng; see docs/decisions. */
const samples = join(import.meta.dirname, '../../assets/speech');

/** Characters after normalisation, which turns some characters into whole words. */
const maxSpokenLength = 600;

const notes = {
  server: 'Spoken by a speech server.',
  'espeak-ng': 'Spoken by espeak-ng on this server, which sounds like a machine.',
  sample: 'A sample: this server cannot speak. The clip says a greeting instead of your text.',
} as const;

export type SpeechOrder = {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly character: string;
};

export type Speech = ReturnType<typeof createSpeech>;

export function createSpeech({
  env: { speech },
  serviceTimeoutMs: timeoutMs,
}: Pick<Dependencies, 'env' | 'serviceTimeoutMs'>) {
  const { server, espeakCommand } = speech;
  let espeak: ReturnType<typeof findEspeak> | undefined;

  async function findEngine() {
    if (server) {
      return connectSpeechServer({ ...server, timeoutMs });
    }
    espeak ??= findEspeak(espeakCommand, timeoutMs);
    return espeak;
  }

  return {
    findEngine,

    /** Throws `link_expired` for an unknown character, and what the engine throws. */
    async speak({ text, language, character }: SpeechOrder): Promise<AudioFile> {
      const found = voicesByCharacter.get(character);
      if (!found) {
        throw new AppError('link_expired');
      }
      const engine = await findEngine();
      if (engine) {
        return engine.speak({ text, language, ...found });
      }
      const bytes = await readFile(join(samples, `${character.toLowerCase()}-${language}.mp3`));
      return { bytes, type: 'audio/mpeg' };
    },
  };
}

type Values = Readonly<Record<string, string>>;
type Question = { readonly values: Values; readonly origin: string };
type Answer = Record<string, unknown>;
type MakeAnswer = (question: Question) => Answer | Promise<Answer>;

type Tools = {
  readonly speech: Speech;
  /** Returns a signed link to the audio. */
  readonly getLink: (origin: string, order: SpeechOrder & { readonly kind: 'speech' }) => string;
};

export function createSpeechAnswers(tools: Tools) {
  const [tts, anime, others] = [
    createCollection('tts', tools),
    createCollection('anime-tts', tools),
    createCollection('others-tts', tools),
  ];
  return {
    'tts-synthesize': tts.synthesize,
    'tts-categories': tts.listCategories,
    'tts-characters': tts.listCharacters,
    'anime-tts-synthesize': anime.synthesize,
    'anime-tts-categories': anime.listCategories,
    'anime-tts-characters': anime.listCharacters,
    'others-tts-synthesize': others.synthesize,
    'others-tts-categories': others.listCategories,
    'others-tts-characters': others.listCharacters,
  } satisfies Partial<Record<PublicEndpointId, MakeAnswer>>;
}

function createCollection(id: keyof typeof collections, { speech, getLink }: Tools) {
  const categories = Object.entries(collections[id]).map(
    ([category, voices]) => [category, Object.keys(voices)] as const,
  );

  const synthesize: MakeAnswer = async ({ values, origin }) => {
    const { text = '' } = values;
    const language = speechLanguages.find((one) => one === values['language']) ?? 'en';
    const { category, character } = chooseVoice(categories, values);
    checkText(text);
    const { name = 'sample' } = (await speech.findEngine()) ?? {};
    // espeak-ng names Kanji instead of reading them.
    const unread =
      name === 'espeak-ng' && language === 'ja' ? (text.match(/\p{Script=Han}/gu) ?? []) : [];
    return {
      stream_url: getLink(origin, { kind: 'speech', text, language, character }),
      category,
      character,
      language,
      ...(unread.length === 0 ? {} : { unread: [...new Set(unread)] }),
      ...(name === 'sample' ? { is_demo: true } : {}),
      note: notes[name],
      source: name === 'server' ? 'upstream' : 'offline',
    };
  };

  const listCategories: MakeAnswer = () => ({
    categories: categories.map(([category]) => category),
    source: 'offline',
  });

  const listCharacters: MakeAnswer = ({ values }) => {
    const found = categories.find(([category]) => category === values['category']);
    if (!found) {
      throw new AppError('nothing_found');
    }
    return { characters: found[1], source: 'offline' };
  };

  return { synthesize, listCategories, listCharacters };
}

/** Throws `invalid_input`. */
function checkText(text: string): void {
  const normalized = text.normalize('NFKC');
  if (!/[\p{L}\p{N}]/u.test(normalized)) {
    throw new AppError('invalid_input', { detail: 'text has nothing that can be spoken' });
  }
  if (normalized.length > maxSpokenLength) {
    throw new AppError('invalid_input', { detail: 'text takes too long to say' });
  }
}

/** Returns the requested voice, or the first that matches. Throws `invalid_input`. */
function chooseVoice(
  categories: readonly (readonly [category: string, characters: readonly string[]])[],
  values: Values,
): { readonly category: string; readonly character: string } {
  const inCategory = values['category']
    ? categories.filter(([name]) => name === values['category'])
    : categories;
  if (inCategory.length === 0) {
    throw new AppError('invalid_input', { detail: 'category is none of this collection' });
  }
  const wanted = values['character'] ?? '';
  const found = inCategory
    .flatMap(([category, characters]) => characters.map((character) => ({ category, character })))
    .find(({ character }) => wanted === '' || character === wanted);
  if (!found) {
    throw new AppError('invalid_input', { detail: 'character is none of this category' });
  }
  return found;
}
