/** Starts the generations of a form and holds their state, which lasts when the user leaves the screen. */
import { create } from 'zustand';

import { getPlatform } from '#lib/platform';

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
  const useStore = create<State>()(() => ({ isStarting: false, error: undefined }));

  function fail(error: string): void {
    getPlatform().haptic('error');
    useStore.setState({ error });
  }

  function finish(record: GenerationRecord): void {
    if (record.status === 'error') {
      useStore.setState({ error: record.error });
      onFailed?.(record);
    } else {
      useStore.setState({ error: undefined });
      onDone?.(record);
    }
  }

  function start(recipe: Recipe): void {
    useStore.setState({ isStarting: true, error: undefined });
    getPlatform().haptic('medium');
    onStart?.();
    const { settled } = startGeneration(adapter, recipe);
    const busyTime = new Promise((done) => {
      if (maxBusyMs !== undefined) {
        setTimeout(done, maxBusyMs);
      }
    });
    void Promise.race([settled, busyTime]).then(() => useStore.setState({ isStarting: false }));
    void settled.then(finish);
  }

  return {
    /** Why the last generation failed. */
    useFailure: () => useStore((state) => state.error),
    dismissFailure: () => useStore.setState({ error: undefined }),

    /** Whether the next generation has to wait, also for one that an earlier page has started. */
    useIsBusy: () => {
      const isStarting = useStore((state) => state.isStarting);
      const [newest] = useRecords(adapter.id);
      return isStarting || (maxBusyMs === undefined && newest?.status === 'pending');
    },

    /** Starts a generation, unless one is just being started. */
    submit: (recipe: Recipe): void => {
      if (useStore.getState().isStarting) {
        return;
      }
      const missing = findMissing(recipe);
      if (missing !== undefined) {
        fail(missing);
        return;
      }
      try {
        start(recipe);
      } catch (error) {
        useStore.setState({ isStarting: false });
        fail(adapter.describeFailure(error));
        onFailed?.(recipe);
      }
    },
  };
}
