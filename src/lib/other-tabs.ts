/** Word between the tabs of one browser: what was changed in one of them is read again in the others. */

/** What was changed; never the change itself, which each tab reads for itself. */
const subjects = ['chats', 'connections'] as const;
type Subject = (typeof subjects)[number];

const name = 'nori';
const listeners = new Set<(subject: Subject) => void>();
let channel: BroadcastChannel | undefined;

function open(): BroadcastChannel | undefined {
  // Old web views have none; their tabs read again when they get the focus.
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
}

function hear({ data }: MessageEvent<unknown>): void {
  const subject = subjects.find((known) => known === data);
  if (subject !== undefined) {
    for (const listener of listeners) {
      listener(subject);
    }
  }
}

/** Tells the other tabs, and not this one, that something was changed. */
export function tellOtherTabs(subject: Subject): void {
  // A channel does not hear itself, but a second one of the same page would.
  const speaking = channel ?? open();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches its own origin alone.
  speaking?.postMessage(subject);
  if (speaking !== channel) {
    speaking?.close();
  }
}

/** Calls back when another tab has changed something. Returns the undo. */
export function onOtherTabs(listener: (subject: Subject) => void): () => void {
  listeners.add(listener);
  channel ??= open();
  channel?.addEventListener('message', hear);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      channel?.close();
      channel = undefined;
    }
  };
}
