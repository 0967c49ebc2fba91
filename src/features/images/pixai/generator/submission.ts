/** Asking for pictures from the form: lasts as long as the page, as the person may leave the screen meanwhile. */
import { create } from 'zustand';

import { getPlatform } from '#lib/platform';

import { startGeneration } from '../../common/generations.ts';
import { pictureTexts } from '../../common/picture-texts.ts';
import { type Recipe } from '../../common/recipe.ts';
import { type GenerationRecord } from '../../common/records.ts';
import { returnPrompt } from '../draft.ts';
import { generatorTexts } from './texts.ts';

type Submission = {
  /** A picture has just been asked for: a second press now is most likely an accident. */
  readonly isStarting: boolean;
  /** What went wrong last; gone with the next picture. */
  readonly error: string | undefined;
};

/** The longest that the button stays busy: after that the next picture can be asked for. */
const startingMs = 1000;

export const useSubmission = create<Submission>()(() => ({ isStarting: false, error: undefined }));

/** Asks for a picture, unless one is just being started. */
export function submit(recipe: Recipe): void {
  if (useSubmission.getState().isStarting) {
    return;
  }
  if (recipe.modelId === '' || recipe.prompt === '') {
    fail(generatorTexts.result.missing);
    return;
  }
  useSubmission.setState({ isStarting: true, error: undefined });
  getPlatform().haptic('medium');
  try {
    const { settled } = startGeneration(recipe);
    const patience = new Promise((done) => {
      setTimeout(done, startingMs);
    });
    void Promise.race([settled, patience]).then(() =>
      useSubmission.setState({ isStarting: false }),
    );
    void settled.then((record) => tell(record));
  } catch (error) {
    useSubmission.setState({ isStarting: false });
    fail(pictureTexts.startFailed(error instanceof Error ? error.message : String(error)));
    returnPrompt(recipe.prompt);
  }
}

function tell({ status, error, prompt }: GenerationRecord): void {
  if (status === 'error') {
    useSubmission.setState({ error });
    returnPrompt(prompt);
  } else {
    dismissError();
  }
}

function fail(error: string): void {
  getPlatform().haptic('error');
  useSubmission.setState({ error });
}

export function dismissError(): void {
  useSubmission.setState({ error: undefined });
}
