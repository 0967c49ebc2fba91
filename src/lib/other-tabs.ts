/** Tells the other tabs of the browser about a change, so that they read the data again. */

/** The kind of data that was changed. */
const subjects = ['chats', 'connections'] as const;
type Subject = (typeof subjects)[number];

const name = 'nori';
const listeners = new Set<(subject: Subject) => void>();
let channel: BroadcastChannel | undefined;

function open(): BroadcastChannel | undefined {
  // Missing in old web views. Their tabs read again when they get the focus.
  return typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
}

function onMessage({ data }: MessageEvent<unknown>): void {
  const subject = subjects.find((known) => known === data);
  if (subject !== undefined) {
    for (const listener of listeners) {
      listener(subject);
    }
  }
}

/** Tells the other tabs, not this one, about a change. */
export function tellOtherTabs(subject: Subject): void {
  // A channel does not receive its own messages, but another channel of this page would.
  const sender = channel ?? open();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches its own origin only.
  sender?.postMessage(subject);
  if (sender !== channel) {
    sender?.close();
  }
}

/** Calls the listener when another tab has changed something. Returns the unsubscribe function. */
export function onOtherTabs(listener: (subject: Subject) => void): () => void {
  listeners.add(listener);
  channel ??= open();
  channel?.addEventListener('message', onMessage);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      channel?.close();
      channel = undefined;
    }
  };
}
