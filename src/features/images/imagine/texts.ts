/** The texts of Imagine Art. */
import { type ImagineStyle } from '#contract/images/imagine-styles';

type StyleWords = {
  readonly title: string;
  readonly tags: readonly string[];
  readonly description: string;
};

export const imagineTexts = {
  form: {
    label: 'Imagine Art generator',
    style: 'Style',
    stylePlaceholder: 'Select a style',
    seed: 'Seed (optional)',
    badSeed: (max: string) => `A seed is a number from 0 to ${max}`,
    impossible: (ratios: string) => `Imagine Art cannot do ${ratios}.`,
    generate: 'Generate Imagine Art',
    generating: 'Generating...',
    missing: 'Please fill in prompt, style, and ratio.',
  },

  result: {
    heading: 'Result',
    empty: 'Your picture will appear here',
    ratio: 'Aspect Ratio',
    seed: 'Seed',
    style: 'Style',
  },

  history: {
    heading: 'Imagine Art History',
    empty: 'No imagine art history found. Generate some images to see them here!',
    style: (name: string) => `Style: ${name}`,
    details: 'Image details',
    deletion: {
      title: 'Delete Image',
      question: 'Are you sure you want to delete this image from your history?',
    },
  },

  gallery: {
    heading: 'Style Preview Gallery',
    lead: 'Drawn by Nori itself, to show the direction of each style.',
    alt: (title: string) => `A picture in the style ${title}`,
    tags: 'Tags',
    choose: 'Use this style',
    chooseStyle: (title: string) => `Use the style ${title}`,
    chosen: 'In your form',
  },

  styles: {
    anime: {
      title: 'Anime',
      tags: ['Characters', 'Clean lines', 'Bright'],
      description:
        'Drawn like a frame of a series: clear outlines, flat shadows and lively colours.',
    },
    'flux-dev': {
      title: 'Flux Dev',
      tags: ['Detailed', 'Follows the prompt', 'Versatile'],
      description:
        'Takes its time and keeps close to long prompts, also where they name many things.',
    },
    'flux-schnell': {
      title: 'Flux Schnell',
      tags: ['Fast', 'Ideas', 'Versatile'],
      description: 'The quick sketchbook: good for trying a thought before you polish it.',
    },
    'imagine-turbo': {
      title: 'Imagine Turbo',
      tags: ['Fast', 'Vivid', 'All-round'],
      description: 'Strong colours and contrasts within seconds, for almost any subject.',
    },
    realistic: {
      title: 'Realistic',
      tags: ['Photo', 'Natural light', 'Portraits'],
      description: 'Looks like a photograph, with soft light, true colours and a shallow focus.',
    },
    'sdxl-1.0': {
      title: 'SDXL 1.0',
      tags: ['Painterly', 'Classic', 'Landscapes'],
      description: 'The seasoned all-rounder, at home in paintings, landscapes and concept art.',
    },
  } satisfies Record<ImagineStyle, StyleWords>,
} as const;
