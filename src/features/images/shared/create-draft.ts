/**
 * The contents of a provider's form: stored on the device at every change, and read again when another
 * tab changes them.
 */
import { create } from 'zustand';

import { onUserLeft } from '#lib/session';

type DraftStorage<Draft> = {
  readonly read: () => Partial<Draft> | undefined;
  readonly write: (draft: Draft) => void;
  readonly onChangedElsewhere: (listener: () => void) => unknown;
};

/** `empty` is the draft before anything was typed, and the draft of the prerendered page. */
export function createDraft<Draft extends { readonly prompt: string }>(
  empty: Draft,
  storage: DraftStorage<Draft>,
) {
  const useDraft = create<Draft>()(() => empty);
  const load = () => useDraft.setState({ ...empty, ...storage.read() });

  if (typeof window !== 'undefined') {
    load();
    storage.onChangedElsewhere(load);
    // The storage has just been cleared.
    onUserLeft(load);
  }

  /** Changes some fields, here and on the device. */
  function changeDraft(change: Partial<Draft>): void {
    useDraft.setState(change);
    storage.write(useDraft.getState());
  }

  return {
    useDraft,
    changeDraft,

    /** Puts back the prompt of a failed generation, unless another one has been typed since. */
    returnPrompt: (prompt: string): void => {
      const draft = useDraft.getState();
      if (draft.prompt.trim() === '') {
        changeDraft({ ...draft, prompt });
      }
    },

    /** Changes several fields at once; `undo` restores the draft as it was before. */
    replaceDraft: (change: Partial<Draft>): { readonly undo: () => void } => {
      const before = useDraft.getState();
      changeDraft(change);
      return { undo: () => changeDraft(before) };
    },
  };
}
