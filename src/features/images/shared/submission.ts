/** Starts the generations of a form and holds their state, which lasts when the user leaves the screen. */
import { createStore, useStore } from 'zustand';

import { getPlatform } from '#lib/platform';
import { onUserLeft } from '#lib/session';

import { startGeneration } from './generations.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';
import { type GenerationRecord, useRecords } from './records.ts';

type State = {
  /** A generation has just been started: a second press now is probably an accident. */
  readonly isStarting: boolean;
  /** Why the last generation failed; cleared when the next one starts. */
  readonly error: string | undefined;
};

type SubmissionOptions = {
  readonly adapter: ProviderAdapter;
  /** What the recipe lacks, as the user reads it; undefined when it is complete. */
  readonly findMissing: (recipe: Recipe) => string | undefined;
  /** How long the button stays busy; without it until the generation ends. */
  readonly maxBusyMs?: number;
  readonly onStart?: () => void;
  readonly onDone?: (record: GenerationRecord) => void;
  readonly onFailed?: (recipe: Recipe) => void;
};

export function createSubmission(options: SubmissionOptions) {
  const { adapter, findMissing, maxBusyMs, onStart, onDone, onFailed } = options;
  const store = createStore<State>()(() => ({ isStarting: false, error: undefined }));

  onUserLeft(() => store.setState({ isStarting: false, error: undefined }));

  function fail(error: string): void {
    getPlatform().haptic('error');
    store.setState({ error });
  }

  /** Shows what the recipe lacks. Returns whether it lacks something. */
  function sayMissing(recipe: Recipe): boolean {
    const missing = findMissing(recipe);
    if (missing !== undefined) {
      fail(missing);
    }
    return missing !== undefined;
  }

  function finish(record: GenerationRecord): void {
    if (record.status === 'error') {
      store.setState({ error: record.error });
      onFailed?.(record);
    } else {
      store.setState({ error: undefined });
      onDone?.(record);
    }
  }

  function start(recipe: Recipe): void {
    store.setState({ isStarting: true, error: undefined });
    getPlatform().haptic('medium');
    onStart?.();
    const { settled } = startGeneration(adapter, recipe);
    const busyTime = new Promise((done) => {
      if (maxBusyMs !== undefined) {
        setTimeout(done, maxBusyMs);
      }
    });
    void Promise.race([settled, busyTime]).then(() => store.setState({ isStarting: false }));
    let hasUserLeft = false;
    const stopListening = onUserLeft(() => {
      hasUserLeft = true;
    });
    // The form of the next user gets neither the prompt nor the failure.
    void settled.then((record) => (hasUserLeft ? undefined : finish(record))).then(stopListening);
  }

  return {
    adapter,
    store,
    /** Whether one generation has to end before the next can start. */
    isOneAtATime: maxBusyMs === undefined,
    dismissFailure: () => store.setState({ error: undefined }),

    sayMissing,

    /** Starts a generation, unless one is just being started or the recipe lacks something. */
    submit: (recipe: Recipe): void => {
      if (store.getState().isStarting || sayMissing(recipe)) {
        return;
      }
      try {
        start(recipe);
      } catch (error) {
        store.setState({ isStarting: false });
        fail(adapter.describeFailure(error));
        onFailed?.(recipe);
      }
    },
  };
}

export type Submission = ReturnType<typeof createSubmission>;

/** Why the last generation failed. */
export function useFailure({ store }: Submission): string | undefined {
  return useStore(store, ({ error }) => error);
}

/** Whether the next generation has to wait, also for one that an earlier page has started. */
export function useIsBusy({ adapter, store, isOneAtATime }: Submission): boolean {
  const isStarting = useStore(store, (state) => state.isStarting);
  const [newest] = useRecords(adapter.id);
  return isStarting || (isOneAtATime && newest?.status === 'pending');
}

/** Whether pictures are being made, by this page or another one. */
export function useIsGenerating(submission: Submission): boolean {
  const records = useRecords(submission.adapter.id);
  const isBusy = useIsBusy(submission);
  // Some servers list generations as pending that they never finish.
  return (
    isBusy || records.some(({ status, remoteId }) => status === 'pending' && remoteId === undefined)
  );
}
