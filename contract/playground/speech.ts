/** Text to speech: three collections of voices, and the lists that fill their selects. */
import { categoriesAnswer, speechAnswer, voicesAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';
import { playgroundTexts } from './texts.ts';

const { speech: texts, categories } = playgroundTexts;

export const speechLanguages = ['en', 'ja', 'zh', 'ko'] as const;
export type SpeechLanguage = (typeof speechLanguages)[number];

type Collection<Id extends string> = {
  readonly id: Id;
  readonly name: string;
  readonly category: string;
  /** A category of this collection. */
  readonly sample: string;
  /** The sample is its only category. */
  readonly isOnly?: boolean;
};

const textExamples = [
  {
    ...texts.examples.en,
    parameters: { text: 'Hello, world!', language: 'en' },
  },
  {
    ...texts.examples.ja,
    parameters: { text: 'こんにちは、せかい', language: 'ja' },
  },
  {
    ...texts.examples.zh,
    parameters: { text: '你好，世界', language: 'zh' },
  },
  {
    ...texts.examples.ko,
    parameters: { text: '안녕하세요, 세계', language: 'ko' },
  },
];

const textParameters = [
  {
    name: 'text',
    type: 'textarea',
    required: false,
    ...texts.text,
    defaultValue: 'Hello, world!',
    maxLength: 300,
  },
  {
    name: 'language',
    type: 'select',
    required: false,
    description: texts.language.description,
    defaultValue: 'en',
    options: speechLanguages,
    maxLength: 2,
  },
] as const;

function collection<const Id extends string>({
  id,
  name,
  category,
  sample,
  isOnly = false,
}: Collection<Id>) {
  const shared = { method: 'GET', category, is18plus: false } as const;
  return [
    {
      ...shared,
      id: `${id}-synthesize`,
      name,
      path: `/${id}/synthesize`,
      description: texts.description,
      parameters: [
        {
          name: 'category',
          type: 'select',
          required: false,
          ...texts.category,
          maxLength: 100,
          optionsFrom: { endpointId: `${id}-categories`, field: 'categories' },
        },
        {
          name: 'character',
          type: 'select',
          required: false,
          ...texts.character,
          maxLength: 100,
          optionsFrom: {
            endpointId: `${id}-characters`,
            field: 'characters',
            ...(isOnly ? {} : { needs: 'category' }),
          },
        },
        ...textParameters,
      ],
      examples: textExamples,
      preview: 'audio',
      answer: speechAnswer,
    },
    {
      ...shared,
      id: `${id}-categories`,
      name: texts.categories.name(name),
      path: `/${id}/categories`,
      description: texts.categories.description,
      parameters: [],
      examples: [],
      isSupporting: true,
      answer: categoriesAnswer,
    },
    {
      ...shared,
      id: `${id}-characters`,
      name: texts.characters.name(name),
      path: `/${id}/characters/:category`,
      description: texts.characters.description,
      parameters: [
        {
          name: 'category',
          type: 'text',
          required: true,
          description: texts.characters.category.description,
          maxLength: 100,
          ...(isOnly ? { defaultValue: sample } : {}),
        },
      ],
      examples: [
        {
          name: sample,
          description: texts.characters.example.description,
          parameters: { category: sample },
        },
      ],
      isSupporting: true,
      answer: voicesAnswer,
    },
  ] as const satisfies readonly PublicEndpoint[];
}

export const speechEndpoints = [
  ...collection({
    id: 'tts',
    name: texts.names.plain,
    category: categories.speech,
    sample: 'Low',
  }),
  ...collection({
    id: 'anime-tts',
    name: texts.names.anime,
    category: categories.animeSpeech,
    sample: 'Heroes',
  }),
  ...collection({
    id: 'others-tts',
    name: texts.names.other,
    category: categories.otherSpeech,
    sample: 'Others',
    isOnly: true,
  }),
] as const;
