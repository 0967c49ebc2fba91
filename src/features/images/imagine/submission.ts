/** Asking Imagine Art for a picture: one at a time. */
import { createSubmission } from '../shared/submission.ts';
import { returnPrompt } from './draft.ts';
import { imagineKit } from './imagine-kit.ts';
import { imagineTexts } from './texts.ts';

export const imagineSubmission = createSubmission({
  kit: imagineKit,
  missing: ({ prompt, style = '', ratio }) =>
    [prompt, style, ratio].includes('') ? imagineTexts.form.missing : undefined,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});
