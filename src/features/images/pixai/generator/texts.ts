/** The texts of the generator. */
import { loraWeight, maxLoras } from '#contract/images/limits';

export const generatorTexts = {
  form: {
    label: 'Generator',
    modelId: 'Model ID',
    modelHint: 'Choose a model in the Models tab, or paste the ID of a version.',
    model: (name: string) => `Model: ${name}`,
    isLora: (name: string) => `${name} is a LoRA. Pictures need a base model.`,
    moveToLoras: 'Add it as a LoRA instead',
    badId: 'A model ID has only letters, digits, spaces and . : / _ - + ( ) [ ]',
    negativePrompt: 'Negative Prompt',
    negativeExample: 'What the picture should not show (optional)',
    seed: 'Seed',
    nsfw: 'NSFW',
    note: 'Images will be generated in the background. You can continue browsing models while waiting.',
    generate: 'Generate',
    starting: 'Starting Generation...',
  },

  loras: {
    heading: 'LoRAs',
    count: (count: number) => `${count}/${maxLoras}`,
    none: 'LoRAs add a style or a character to the model. Tick some in the Models tab, or add one by its ID.',
    byId: 'LoRA ID',
    add: 'Add LoRA',
    present: 'This LoRA is in the list already.',
    full: `A picture can have at most ${maxLoras} LoRAs.`,
    noId: 'No ID: it will be left out',
    weight: (name: string) => `Weight of ${name}, in percent`,
    slide: (name: string) => `Weight of ${name}`,
    weightRange: `${loraWeight.min} to ${loraWeight.max}`,
    remove: (name: string) => `Remove ${name}`,
    words: (name: string) => `Trigger words of ${name}`,
    wordsHint: 'Trigger words wake a LoRA up. Press one to put it into the prompt or take it out.',
  },

  result: {
    heading: 'Result',
    missing: 'Please specify a model ID and enter a prompt',
    starting: 'Starting generation...',
    empty: 'Generated images will appear here',
    model: 'Model',
    id: 'ID',
    seed: 'Seed',
    ratio: 'Aspect Ratio',
    engine: 'Made by',
    delete: 'Delete',
    cleared: 'Cleared from here. The image is still in your history.',
  },
} as const;
