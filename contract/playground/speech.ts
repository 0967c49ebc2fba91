/** Text to speech: three collections of voices, and the lists that fill their selects. */
import { categoriesAnswer, speechAnswer, voicesAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';

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
    name: 'English',
    description: 'The initial sentence.',
    parameters: { text: 'Hello, world!', language: 'en' },
  },
  {
    name: 'Japanese',
    description: 'A greeting in Japanese.',
    parameters: { text: 'こんにちは、せかい', language: 'ja' },
  },
  {
    name: 'Chinese',
    description: 'A greeting in Chinese.',
    parameters: { text: '你好，世界', language: 'zh' },
  },
  {
    name: 'Korean',
    description: 'A greeting in Korean.',
    parameters: { text: '안녕하세요, 세계', language: 'ko' },
  },
];

const textParameters = [
  {
    name: 'text',
    type: 'textarea',
    required: false,
    description: 'The text to speak.',
    placeholder: 'Enter the text to speak',
    defaultValue: 'Hello, world!',
    maxLength: 300,
  },
  {
    name: 'language',
    type: 'select',
    required: false,
    description: 'The language of the text.',
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
      description: 'Speaks a text with one of the voices of this collection.',
      parameters: [
        {
          name: 'category',
          type: 'select',
          required: false,
          description: 'The group of voices.',
          placeholder: 'Select a category',
          maxLength: 100,
          optionsFrom: { endpointId: `${id}-categories`, field: 'categories' },
        },
        {
          name: 'character',
          type: 'select',
          required: false,
          description: 'The voice of the group.',
          placeholder: 'Select a character',
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
      name: `${name}: categories`,
      path: `/${id}/categories`,
      description: 'The groups of voices in this collection.',
      parameters: [],
      examples: [],
      isSupporting: true,
      answer: categoriesAnswer,
    },
    {
      ...shared,
      id: `${id}-characters`,
      name: `${name}: characters`,
      path: `/${id}/characters/:category`,
      description: 'The voices of one group.',
      parameters: [
        {
          name: 'category',
          type: 'text',
          required: true,
          description: 'A group of voices, as the categories call lists them.',
          maxLength: 100,
          ...(isOnly ? { defaultValue: sample } : {}),
        },
      ],
      examples: [
        {
          name: sample,
          description: 'The voices of this group.',
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
    name: 'Synthesize speech',
    category: 'Text to speech',
    sample: 'Low',
  }),
  ...collection({
    id: 'anime-tts',
    name: 'Synthesize anime speech',
    category: 'Anime text to speech',
    sample: 'Heroes',
  }),
  ...collection({
    id: 'others-tts',
    name: 'Synthesize other speech',
    category: 'Other text to speech',
    sample: 'Others',
    isOnly: true,
  }),
] as const;
