/** The speech endpoints without another server: real speech of our own synthesiser, and lists of its voices. */
import { type PublicEndpointId } from '#contract/playground/endpoints';
import { speechLanguages } from '#contract/playground/speech';
import { AppError } from '#server/lib/errors';
import { checkText } from '#server/upstream/public-api/speech/speak';
import { type Voice } from '#server/upstream/public-api/speech/synthesiser';

import { type PublicFiles } from './public-files.ts';
import { voiceCollections } from './voices.ts';

type Question = { readonly values: Readonly<Record<string, string>>; readonly origin: string };
type Answer = Record<string, unknown>;
type Offline = (question: Question) => Answer | Promise<Answer>;
type CollectionId = keyof typeof voiceCollections;

const note =
  'Spoken by a synthesiser on this server, which works without a model and sounds like a machine.';

/** A few characters stand for whole words: a text of the greatest length could speak for many minutes. */
const longestSpeechS = 180;

const listed = { source: 'offline' };

export function createOfflineSpeech(files: PublicFiles) {
  const [tts, anime, others] = [
    collection('tts', files),
    collection('anime-tts', files),
    collection('others-tts', files),
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
  } satisfies Partial<Record<PublicEndpointId, Offline>>;
}

function collection(id: CollectionId, files: PublicFiles) {
  const categories = new Map(
    Object.entries(voiceCollections[id]).map(([name, voices]) => [
      name,
      new Map(Object.entries(voices)),
    ]),
  );

  const synthesize: Offline = async ({ values, origin }) => {
    const { text = '' } = values;
    const language = speechLanguages.find((one) => one === values['language']) ?? 'en';
    const { category, character, voice } = chosen(categories, values);
    const { isSpoken, unread, seconds } = await checkText({ text, language, voice });
    if (!isSpoken) {
      throw new AppError('invalid_input', { detail: 'text has nothing that can be spoken' });
    }
    if (seconds > longestSpeechS) {
      throw new AppError('invalid_input', { detail: 'text takes too long to say' });
    }
    return {
      stream_url: files.link(origin, { kind: 'speech', text, language, voice }),
      category,
      character,
      language,
      ...(unread.length === 0 ? {} : { unread }),
      note,
      source: 'offline',
    };
  };

  const listCategories: Offline = () => ({ categories: [...categories.keys()], ...listed });

  const listCharacters: Offline = ({ values: { category = '' } }) => {
    const voices = categories.get(category);
    if (!voices) {
      throw new AppError('nothing_found');
    }
    return { characters: [...voices.keys()], ...listed };
  };

  return { synthesize, listCategories, listCharacters };
}

type Choice = { readonly category: string; readonly character: string; readonly voice: Voice };

/** The voice that was asked for; what is left open is the first one there is. Throws `invalid_input`. */
function chosen(
  categories: ReadonlyMap<string, ReadonlyMap<string, Voice>>,
  values: Readonly<Record<string, string>>,
): Choice {
  const character = values['character'] ?? '';
  const inCategory = values['category']
    ? [...categories].filter(([name]) => name === values['category'])
    : [...categories];
  if (inCategory.length === 0) {
    throw new AppError('invalid_input', { detail: 'category is none of this collection' });
  }
  const found = inCategory
    .flatMap(([category, voices]) =>
      [...voices].map(([name, voice]): Choice => ({ category, character: name, voice })),
    )
    .find((one) => character === '' || one.character === character);
  if (!found) {
    throw new AppError('invalid_input', { detail: 'character is none of this category' });
  }
  return found;
}
