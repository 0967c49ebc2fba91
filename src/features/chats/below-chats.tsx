/** The place below the chats, for what another feature shows there; the app says which. */
import { type ComponentType, createElement, useEffect, useState } from 'react';

type Load = () => Promise<ComponentType>;

let loadPart: Load | undefined;

/** Says what belongs here, and begins to load it: the list is about to be shown. */
export function showBelow(load: Load): void {
  loadPart = load;
  // Whoever draws it asks again.
  load().catch(() => undefined);
}

export function BelowChats() {
  const [part, setPart] = useState<{ readonly type: ComponentType }>();

  useEffect(() => {
    let isShown = true;
    loadPart?.().then(
      (type) => isShown && setPart({ type }),
      // The chats are what people come for; the next visit to the list asks again.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);

  return part ? createElement(part.type) : null;
}
