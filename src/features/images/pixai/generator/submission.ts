/** Asking Pix-AI for a picture: several can be under way at once. */
import { createSubmission } from '../../shared/submission.ts';
import { returnPrompt } from '../draft.ts';
import { pixaiAdapter } from '../pixai-adapter.ts';
import { generatorTexts } from './texts.ts';

export const pixaiSubmission = createSubmission({
  adapter: pixaiAdapter,
  missing: ({ modelId, prompt }) =>
    modelId === '' || prompt === '' ? generatorTexts.result.missing : undefined,
  maxBusyMs: 1000,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});
