/** Asking MidJourney for pictures: one prompt at a time. */
import { dismissLatest } from '../shared/records-store.ts';
import { createSubmission } from '../shared/submission.ts';
import { clearPrompt, returnPrompt } from './draft.ts';
import { midjourneyAdapter } from './midjourney-adapter.ts';
import { midjourneyTexts } from './texts.ts';

export const midjourneySubmission = createSubmission({
  adapter: midjourneyAdapter,
  missing: ({ prompt }) => (prompt === '' ? midjourneyTexts.form.missing : undefined),
  // The result before is cleared, and stays so when nothing comes of the new wish.
  onStart: () => dismissLatest('midjourney'),
  onDone: ({ prompt }) => clearPrompt(prompt),
  onFailed: ({ prompt }) => returnPrompt(prompt),
});
