/** The open dialogs, the topmost last. Apart from the dialog, which a page without one need not load. */

type OpenDialog = { readonly close: () => void };

const open: OpenDialog[] = [];
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** `count` and `subscribe` are for `useSyncExternalStore`. */
export const dialogStack = {
  /** How many dialogs are open. */
  count: () => open.length,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** A dialog opens on top of the others. Returns what to call when it goes. */
  enter(dialog: OpenDialog): () => void {
    open.push(dialog);
    tell();
    return () => {
      open.splice(open.indexOf(dialog), 1);
      tell();
    };
  },
  /** Closes the topmost dialog; answers whether there was one. */
  closeTop(): boolean {
    const top = open.at(-1);
    top?.close();
    return top !== undefined;
  },
};
