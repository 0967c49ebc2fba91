/** Improving prompts. */
import * as v from 'valibot';

import { maxPromptLength } from '../images/limits.ts';
import { endpoint } from './endpoint.ts';
import { pictureFieldTexts } from './picture-texts.ts';

/** The capability that announces `protect`. */
export const promptProtection = 'prompt.enhance';

/** Rewrites a prompt. */
export const enhancePrompt = endpoint({
  method: 'POST',
  path: '/prompt/enhance',
  input: v.object({
    userPrompt: v.pipe(
      v.string(pictureFieldTexts.promptMissing),
      v.trim(),
      v.nonEmpty(pictureFieldTexts.promptMissing),
      v.maxLength(maxPromptLength, pictureFieldTexts.promptTooLong(maxPromptLength)),
    ),
    /** Words that must stay as they are, such as a LoRA's trigger words. */
    protect: v.optional(v.pipe(v.array(v.string()), v.maxLength(100))),
  }),
  output: v.object({
    prompt: v.pipe(v.string(), v.trim(), v.nonEmpty()),
    /** The engine that rewrote it: `offline`, or the name of a language model. */
    engine: v.optional(v.string()),
  }),
});
