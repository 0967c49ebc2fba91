/** Asking Imagine Art for a picture: one at a time. */
import { createSubmission } from '../shared/submission.ts';
import { returnPrompt } from './draft.ts';
import { imagineAdapter } from './imagine-adapter.ts';
import { imagineTexts } from './texts.ts';

export const imagineSubmission = createSubmission({
  adapter: imagineAdapter,
  missing: ({ prompt, style = '', ratio }) =>
    [prompt, style, ratio].includes('') ? imagineTexts.form.missing : undefined,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});
