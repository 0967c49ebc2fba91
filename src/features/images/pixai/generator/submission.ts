/** Asking Pix-AI for a picture: several can be under way at once. */
import { createSubmission } from '../../shared/submission.ts';
import { returnPrompt } from '../draft.ts';
import { pixaiKit } from '../pixai-kit.ts';
import { generatorTexts } from './texts.ts';

export const pixaiSubmission = createSubmission({
  kit: pixaiKit,
  missing: ({ modelId, prompt }) =>
    modelId === '' || prompt === '' ? generatorTexts.result.missing : undefined,
  longestBusyMs: 1000,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});
