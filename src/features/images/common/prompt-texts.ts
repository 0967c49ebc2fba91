/** What is said around writing a prompt. */
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
  tooLong: `At most ${maxPromptLength} characters`,
} as const;
