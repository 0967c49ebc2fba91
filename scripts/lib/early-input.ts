/** Keeps what the user types and presses in a prerendered page before its scripts have arrived. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** An inline script, without comments and types. `src/main.tsx` sends the event `hydrate` that it waits for. */
export const earlyInputScript: string = `(function(){${[
  isField,
  holdTyping,
  repeatLateTyping,
  keepEarlyInput,
]
  .join(' ')
  .replaceAll(/^\s*\/\/.*$/gm, '')
  .replaceAll(/\s+/g, ' ')} keepEarlyInput()})()`;

// These functions run in the page and use nothing from outside.

function isField(target: unknown): target is Field {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

/** Returns the function that repeats what was typed into a field. */
function holdTyping(field: Field): () => void {
  const { value } = field;
  const caret = 'selectionEnd' in field ? [field.selectionStart, field.selectionEnd] : [];
  const send = (name: string) => field.dispatchEvent(new Event(name, { bubbles: true }));
  return () => {
    // An event makes React hydrate the part of the page around its target at once.
    send('input');
    // React ignores an event when the value is the last one that it has seen. It sees this one, …
    field.value = 'defaultValue' in field ? field.defaultValue : value;
    // … and not this one, because the prototype's setter is not React's.
    Reflect.set(field.constructor.prototype, 'value', value, field);
    send('input');
    send('change');
    if ('selectionEnd' in field && typeof caret[0] === 'number') {
      field.setSelectionRange(caret[0], caret[1] ?? null);
    }
  };
}

/**
 * React marks each field that it hydrates. A field that it has yet to hydrate, it hydrates on this event: it takes what was
 * typed for the old value, ignores the event, and resets the field later. So the typing is repeated.
 */
function repeatLateTyping({ target }: Event): void {
  if (isField(target) && !Object.keys(target).some((key) => key.startsWith('__react'))) {
    queueMicrotask(holdTyping(target));
  }
}

function keepEarlyInput(): void {
  const typed = new Set<Field>();
  let pressed: HTMLElement | undefined;
  const early = new AbortController();
  const options = { capture: true, signal: early.signal };
  const keepTyped = ({ target }: Event) => {
    if (isField(target)) {
      typed.add(target);
    }
  };
  const keepPress = ({ target }: Event) => {
    pressed = (target instanceof Element && target.closest('button')) || pressed;
  };
  const keepSubmit = (event: SubmitEvent) => {
    // The browser would leave the page, at any time: scripts send all forms.
    event.preventDefault();
    // Not its button, which the app may replace.
    pressed = event.target instanceof HTMLFormElement ? event.target : pressed;
  };
  const repeat = () => {
    early.abort();
    addEventListener('input', repeatLateTyping, true);
    // All of them first: repeating one draws the others again.
    const fields = [...typed].filter(({ isConnected }) => isConnected).map(holdTyping);
    fields.forEach((repeatTyping) => repeatTyping());
    // What is no longer visible cannot be pressed.
    if (!pressed?.getClientRects().length) {
      return;
    }
    if (pressed instanceof HTMLFormElement) {
      // `submit` makes React hydrate nothing, `change` does. The user may have changed no field: the browser fills them in, too.
      pressed.dispatchEvent(new Event('change', { bubbles: true }));
      pressed.requestSubmit();
    } else {
      pressed.click();
    }
  };
  addEventListener('input', keepTyped, options);
  addEventListener('change', keepTyped, options);
  addEventListener('click', keepPress, options);
  addEventListener('submit', keepSubmit, true);
  addEventListener('hydrate', repeat, options);
}
