/** Asking for pictures from a form: lasts as long as the page, as the person may leave the screen meanwhile. */
import { create } from 'zustand';

import { getPlatform } from '#lib/platform';

import { startGeneration } from './generations.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';
import { useRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

type State = {
  /** Pictures have just been asked for: a second press now is most likely an accident. */
  readonly isStarting: boolean;
  /** What went wrong last; gone with the next pictures. */
  readonly error: string | undefined;
};

type SubmissionOptions = {
  readonly adapter: ProviderAdapter;
  /** What the recipe lacks, as the person reads it; undefined when it is complete. */
  readonly missing: (recipe: Recipe) => string | undefined;
  /** The longest that the button stays busy: after that the next can be asked for. Else until the end. */
  readonly maxBusyMs?: number;
  readonly onStart?: () => void;
  readonly onDone?: (record: GenerationRecord) => void;
  /** Nothing has come of this recipe. */
  readonly onFailed?: (recipe: Recipe) => void;
};

export function createSubmission(options: SubmissionOptions) {
  const { adapter, missing, maxBusyMs, onStart, onDone, onFailed } = options;
  const useStore = create<State>()(() => ({ isStarting: false, error: undefined }));

  function fail(error: string): void {
    getPlatform().haptic('error');
    useStore.setState({ error });
  }

  function tell(record: GenerationRecord): void {
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
    const patience = new Promise((done) => {
      if (maxBusyMs !== undefined) {
        setTimeout(done, maxBusyMs);
      }
    });
    void Promise.race([settled, patience]).then(() => useStore.setState({ isStarting: false }));
    void settled.then(tell);
  }

  return {
    /** What went wrong last. */
    useFailure: () => useStore((state) => state.error),
    dismissFailure: () => useStore.setState({ error: undefined }),

    /** Whether the next pictures have to wait: also for those that an earlier page has asked for. */
    useIsBusy: () => {
      const isStarting = useStore((state) => state.isStarting);
      const [newest] = useRecords(adapter.id);
      return isStarting || (maxBusyMs === undefined && newest?.status === 'pending');
    },

    /** Asks for pictures, unless some are just being started. */
    submit: (recipe: Recipe): void => {
      if (useStore.getState().isStarting) {
        return;
      }
      const lack = missing(recipe);
      if (lack !== undefined) {
        fail(lack);
        return;
      }
      try {
        start(recipe);
      } catch (error) {
        useStore.setState({ isStarting: false });
        fail(adapter.sayFailure(error));
        onFailed?.(recipe);
      }
    },
  };
}
