/**
 * What the next pictures of a provider are to be made from, before they are asked for: kept on the
 * device on every change, so that nothing typed is lost, and followed where another tab changes it.
 */
import { create } from 'zustand';

import { onSessionChange } from '#lib/session';

type Kept<Draft> = {
  readonly read: () => Partial<Draft> | undefined;
  readonly write: (draft: Draft) => void;
  readonly onChangedElsewhere: (listener: () => void) => unknown;
};

/** `empty` is the draft of somebody who has typed nothing yet, and of the prerendered page. */
export function createDraft<Draft extends { readonly prompt: string }>(
  empty: Draft,
  kept: Kept<Draft>,
) {
  const useDraft = create<Draft>()(() => empty);
  const load = () => useDraft.setState({ ...empty, ...kept.read() });

  if (typeof window !== 'undefined') {
    load();
    kept.onChangedElsewhere(load);
    onSessionChange((now, before) => {
      // The draft was on the device that has just been cleared.
      if (before.status === 'member' && now.status !== 'member') {
        load();
      }
    });
  }

  /** Changes some fields, here and on the device. */
  function changeDraft(change: Partial<Draft>): void {
    useDraft.setState(change);
    kept.write(useDraft.getState());
  }

  return {
    useDraft,
    changeDraft,

    /** Brings back the prompt of pictures that failed, unless the person has typed another one. */
    returnPrompt: (prompt: string): void => {
      const draft = useDraft.getState();
      if (draft.prompt.trim() === '') {
        changeDraft({ ...draft, prompt });
      }
    },

    /** Takes over what pictures were made from. `undo` brings back what was there before. */
    takeOver: (change: Partial<Draft>): { readonly undo: () => void } => {
      const before = useDraft.getState();
      changeDraft(change);
      return { undo: () => changeDraft(before) };
    },
  };
}
