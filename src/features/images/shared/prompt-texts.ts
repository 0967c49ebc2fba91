/** What is said in the parts that the providers' forms share. */
import { maxPromptLength } from '#contract/images/limits';

export const promptTexts = {
  label: 'Prompt',
  example: 'A lighthouse on a cliff at dawn, soft light',
  enhance: 'Enhance',
  enhancing: 'Enhancing...',
  enhanced: 'Prompt enhanced.',
  offline: 'Rewritten offline, without AI.',
  failed: 'Failed to enhance prompt',
  undo: 'Undo',
  seedExample: 'Random if empty',
  randomSeed: 'Random seed',
  ratio: 'Aspect Ratio',
  pixels: (width: number, height: number) => `${width} × ${height} pixels`,
  scrollBack: 'Earlier aspect ratios',
  scrollOn: 'More aspect ratios',
  tooLong: `At most ${maxPromptLength} characters`,

  sketch: {
    title: 'Pictures are drawn offline, without AI.',
    text: 'This server has no image provider yet. Whoever runs it sets',
    or: 'or',
    end: 'to connect one.',
  },
} as const;
