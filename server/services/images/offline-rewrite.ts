/** Makes a prompt richer by rules: what it does not say about composition, light and detail is added. */
import { createHash } from 'node:crypto';

import { mentions, partsOf } from './prompt-text.ts';

type Subject = 'person' | 'animal' | 'city' | 'land' | 'thing';
type Aspect = 'composition' | 'light' | 'detail' | 'mood';

/** The first whose words are in the prompt. */
const subjects: readonly (readonly [Subject, RegExp])[] = [
  [
    'person',
    /\b(?:\d?girls?|\d?boys?|wom[ae]n|m[ae]n|person|people|portrait|lady|knight|witch|wizard|princess|prince|warrior|child|face|elf|samurai|maid|idol|character)\b/i,
  ],
  [
    'animal',
    /\b(?:cats?|kittens?|dogs?|pupp(?:y|ies)|fox(?:es)?|wol(?:f|ves)|dragons?|birds?|owls?|horses?|tigers?|lions?|bears?|rabbits?|fish|whales?|butterfl(?:y|ies)|animals?|creatures?)\b/i,
  ],
  [
    'city',
    /\b(?:city|cities|town|village|streets?|buildings?|castles?|temples?|houses?|cabins?|rooms?|cafe|station|bridge|tower|skyline|interior|architecture)\b/i,
  ],
  [
    'land',
    /\b(?:landscapes?|mountains?|forests?|sea|ocean|beach|lakes?|rivers?|waterfalls?|fields?|deserts?|valley|sky|clouds?|islands?|gardens?|meadow|planets?|galaxy|nebula|space)\b/i,
  ],
];

/** A prompt with such a word says enough of the aspect already. */
const said: Record<Aspect, RegExp> = {
  composition:
    /\b(?:close-?up|portrait|wide(?:-| )?(?:shot|angle)|full body|upper body|bird's-eye|low angle|from (?:above|below|behind|side)|composition|framing|framed|centered|panorama|depth of field|foreground|rule of thirds|symmetr\w+|view)\b/i,
  light:
    /\b(?:light|lights|lit|lighting|glow\w*|sunset|sunrise|sunlight|moonlight|backlit|rays?|shadows?|golden hour|neon|candle\w*|dusk|dawn|lamps?|lanterns?)\b/i,
  detail:
    /\b(?:detail\w*|intricate|textures?|textured|sharp focus|crisp|highres|high resolution|8k|4k|masterpiece|best quality)\b/i,
  mood: /\b(?:mood\w*|atmosphere|atmospheric|serene|calm|dramatic|cozy|dreamy|melanchol\w+|mysterious|vibrant|muted|pastel|palette|colou?rs?|tones?|monochrome)\b/i,
};

const ideas: Record<Aspect, Record<Subject, readonly string[]>> = {
  composition: {
    person: [
      'upper body in three-quarter view',
      'framed by soft foreground shapes',
      'close-up with shallow depth of field',
    ],
    animal: [
      'seen from its own eye level',
      'close-up with shallow depth of field',
      'framed by blurred foliage in the foreground',
    ],
    city: [
      'wide-angle view with leading lines',
      'low angle view along the street',
      'layered foreground and distant rooftops',
    ],
    land: [
      'wide panorama with layered distance',
      'low horizon composition under a vast sky',
      'a winding path leads through the foreground',
    ],
    thing: [
      'centered composition with generous empty space',
      'close-up with shallow depth of field',
      'three-quarter view on a plain ground',
    ],
  },
  light: {
    person: [
      'soft window light from one side',
      'warm rim light in the hair',
      'gentle golden hour light',
    ],
    animal: ['warm backlight along the fur', 'soft morning light', 'dappled light through leaves'],
    city: [
      'warm lights in the windows at blue hour',
      'reflected light on wet ground',
      'long late-afternoon shadows',
    ],
    land: [
      'golden hour light with long shadows',
      'rays of light through thin mist',
      'soft light after rain',
    ],
    thing: [
      'soft studio light with a gentle shadow',
      'a single warm light from the left',
      'diffuse daylight',
    ],
  },
  detail: {
    person: [
      'expressive eyes with fine detail',
      'intricate fabric texture',
      'finely detailed strands of hair',
    ],
    animal: [
      'finely detailed fur and eyes',
      'sharp focus on the eyes',
      'delicate natural textures',
    ],
    city: [
      'intricate architectural detail',
      'weathered textures on walls and signs',
      'many small lived-in details',
    ],
    land: [
      'finely detailed rocks and foliage',
      'delicate texture in the clouds',
      'crisp detail into the distance',
    ],
    thing: ['fine surface texture', 'crisp edges and intricate detail', 'subtle material detail'],
  },
  mood: {
    person: ['calm and thoughtful mood', 'harmonious warm tones', 'quietly dramatic atmosphere'],
    animal: ['peaceful atmosphere', 'natural muted tones', 'playful mood'],
    city: ['lively evening atmosphere', 'teal and amber palette', 'nostalgic mood'],
    land: ['serene atmosphere', 'harmonious cool tones', 'vast and quiet mood'],
    thing: ['restrained harmonious palette', 'calm atmosphere', 'soft pastel tones'],
  },
};

const aspects = ['composition', 'light', 'detail', 'mood'] as const satisfies readonly Aspect[];

/** The same prompt always becomes the same; what it said stays word for word at its beginning. */
export function rewriteOffline(prompt: string, maxLength: number): string {
  const subject = subjects.find(([, words]) => words.test(prompt))?.[0] ?? 'thing';
  const digest = createHash('sha256').update(prompt).digest();
  let rewritten = prompt.replace(/[\s,]+$/, '');
  for (const [index, aspect] of aspects.entries()) {
    const choices = ideas[aspect][subject].filter((idea) => !repeats(rewritten, idea));
    const idea = choices[(digest[index] ?? 0) % Math.max(1, choices.length)];
    const longer = `${rewritten}, ${idea ?? ''}`;
    if (idea !== undefined && !said[aspect].test(rewritten) && longer.length <= maxLength) {
      rewritten = longer;
    }
  }
  return rewritten;
}

/** Whether the prompt has the idea, or its last word, which says what it is about. */
function repeats(prompt: string, idea: string): boolean {
  const last = idea.split(' ').at(-1) ?? idea;
  return partsOf(prompt).some((part) => mentions(part, idea) || mentions(part, last));
}
