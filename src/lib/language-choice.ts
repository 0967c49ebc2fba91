/**
 * Choosing the language. Each has its own build, so a choice loads the same place in the other one. The new page
 * goes on where the old one was: what was typed, how far it was scrolled, and what its history entry holds.
 */
import * as v from 'valibot';

import { accountLanguage, setAccountLanguage } from '#contract/endpoints/language';
import { isLanguage, type Language, languagePath } from '#contract/languages';

import { call } from './api.ts';
import { fetchCapabilities } from './capabilities.ts';
import { automatic, chosenLanguage } from './language.ts';
import { prefix } from './paths.ts';
import { getSession, onSessionChange } from './session.ts';
import { tabMarks } from './storage.ts';

const yearS = 365 * 24 * 60 * 60;

/**
 * Opens the same place in this language, and keeps the choice on the device and for the server. `automatic` forgets
 * the choice.
 */
export function chooseLanguage(chosen: string): void {
  const tag = isLanguage(chosen) ? chosen : undefined;
  if (tag === undefined && chosen !== automatic) {
    return;
  }
  chosenLanguage.write(tag);
  keepAsCookie(tag);
  tabMarks.write('language_unsent', chosen);
  keepPlace();
  const { pathname, search, hash } = window.location;
  const path = pathname.slice(prefix.length);
  if (tag !== undefined) {
    // Where neither cookie nor storage is kept, the query still says it. The inline script removes it.
    const query = `${search}${search === '' ? '?' : '&'}lang=${tag}`;
    window.location.replace(languagePath(tag, path) + query + hash);
  } else if (prefix === '') {
    // To the same address with a hash the browser would only scroll.
    window.location.reload();
  } else {
    // An address without a prefix leads to the language of Telegram or of the browser.
    window.location.replace((path || '/') + search + hash);
  }
}

/** For the server. Without a choice the cookie is removed. */
function keepAsCookie(chosen: Language | undefined): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const maxAgeS = chosen === undefined ? 0 : yearS;
  try {
    // Not by the cookie store, which is missing in old web views, and without HTTPS.
    document.cookie = `language=${chosen ?? ''}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax${secure}`;
  } catch {
    // A frame without an origin has no cookies.
  }
}

/** A navigation that failed, or was called off, is not gone on with later. */
const maxAgeMs = 60_000;
/** In characters. More than a person types. */
const maxPlaceLength = 100_000;

const placeSchema = v.object({
  path: v.string(),
  at: v.number(),
  /** From 0 at the top to 1 at the bottom, as texts are longer in other languages. */
  scrolled: v.number(),
  /** By kind of field, in the order of the page. */
  fields: v.record(v.string(), v.array(v.union([v.string(), v.boolean()]))),
  /** The state of the history entry. */
  state: v.optional(v.unknown()),
});
type Place = v.InferOutput<typeof placeSchema>;

function keepPlace(): void {
  const state: unknown = v.is(v.object({ usr: v.unknown() }), window.history.state)
    ? window.history.state.usr
    : undefined;
  const room = document.documentElement.scrollHeight - window.innerHeight;
  const place: Place = {
    path: currentPath(),
    at: Date.now(),
    scrolled: room > 0 ? window.scrollY / room : 0,
    fields: readFields(),
    state,
  };
  const json = JSON.stringify(place);
  tabMarks.write(
    'place',
    json.length > maxPlaceLength ? JSON.stringify({ ...place, fields: {} }) : json,
  );
}

/** The place that the page before has left, if it is this one. */
function takePlace(): Place | undefined {
  const json = tabMarks.read('place');
  tabMarks.write('place', undefined);
  const place = v.safeParse(placeSchema, readJson(json));
  return place.success &&
    place.output.path === currentPath() &&
    Date.now() - place.output.at < maxAgeMs
    ? place.output
    : undefined;
}

function readJson(json = ''): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Without the prefix of the language. */
function currentPath(): string {
  const { pathname, search } = window.location;
  return (pathname.slice(prefix.length) || '/') + search;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Secrets, files, and switches, which act at once. The last are those that choose the language. */
const leftOut =
  ':is([type=password], [autocomplete*=password], [type=file], [type=hidden], [role=switch], [hidden], [data-language])';

function listFields(): Map<string, Field[]> {
  const fields = new Map<string, Field[]>();
  const all = document.querySelectorAll<Field>(
    `:is(input, textarea, select):enabled:not(${leftOut})`,
  );
  for (const field of all) {
    const isCode = field.closest('fieldset')?.querySelector('[autocomplete=one-time-code]');
    if (!isCode && !field.matches('[readonly], [autocomplete=one-time-code]')) {
      const kind = [field.type, field.name, field.autocomplete].join(' ');
      fields.set(kind, [...(fields.get(kind) ?? []), field]);
    }
  }
  return fields;
}

/** The tick of a checkbox or radio button. */
function isTicked(field: Field): boolean | undefined {
  return field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)
    ? field.checked
    : undefined;
}

function readFields(): Place['fields'] {
  return Object.fromEntries(
    [...listFields()].map(([kind, fields]) => [
      kind,
      fields.map((field) => isTicked(field) ?? field.value),
    ]),
  );
}

function writeField(field: Field, value: string | boolean): void {
  const isTick = isTicked(field);
  if (isTick !== undefined) {
    if (isTick !== value) {
      field.click();
    }
    return;
  }
  // What the user has begun to type on this page stays.
  if (field.value !== value && field !== document.activeElement) {
    // As in scripts/lib/early-input.ts: React hears of a value that was set by the prototype.
    Reflect.set(field.constructor.prototype, 'value', value, field);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Screens may draw their fields when their data has arrived. */
const longestWaitMs = 10_000;

/** Fills the fields of each kind once as many are there as before. Returns the function that stops waiting. */
function restore({ path, fields, scrolled }: Place): () => void {
  const waiting = new Map(Object.entries(fields));
  let lastRoom = -1;
  const moved = new AbortController();
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    window.addEventListener(event, () => moved.abort(), { passive: true, signal: moved.signal });
  }
  const fill = () => {
    if (currentPath() !== path) {
      stop();
      return;
    }
    for (const [kind, found] of listFields()) {
      const values = waiting.get(kind);
      if (values?.length === found.length) {
        waiting.delete(kind);
        found.forEach((field, index) => writeField(field, values[index] ?? ''));
      }
    }
    const room = document.documentElement.scrollHeight - window.innerHeight;
    if (room !== lastRoom && scrolled > 0 && !moved.signal.aborted) {
      window.scrollTo(0, scrolled * room);
    }
    lastRoom = room;
  };
  const observer = new MutationObserver(fill);
  const timer = setTimeout(() => stop(), longestWaitMs);
  const stop = () => {
    observer.disconnect();
    moved.abort();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  fill();
  return stop;
}

/** Goes on where the page in the other language was left. `onContinued` is called if it was left at this address. */
export function continuePlace(onContinued?: () => void): void {
  sendWhenMember();
  const place = takePlace();
  if (place) {
    if (place.state) {
      window.history.replaceState({ ...window.history.state, usr: place.state }, '');
      // The router reads it.
      window.dispatchEvent(new PopStateEvent('popstate'));
    }
    onContinued?.();
    restore(place);
  }
}

/** Tells the server the choice, at once or when the user has logged in. After a failure the next page does it. */
function sendWhenMember(): void {
  const send = () => {
    if (getSession().status === 'member') {
      stop();
      sending = sendChoice();
    }
  };
  const stop = onSessionChange(send);
  send();
}

let sending: Promise<void> = Promise.resolve();

/** Resolves when the choice of the page before was sent, if there was one. */
export function choiceSent(): Promise<void> {
  sendWhenMember();
  return sending;
}

async function sendChoice(): Promise<void> {
  const unsent = tabMarks.read('language_unsent') ?? '';
  const chosen = isLanguage(unsent) ? unsent : null;
  if (chosen === null && unsent !== automatic) {
    return;
  }
  tabMarks.write('language_unsent', undefined);
  try {
    const { capabilities } = await fetchCapabilities();
    if (capabilities.includes(accountLanguage)) {
      await call(setAccountLanguage, { language: chosen });
    }
  } catch {
    tabMarks.write('language_unsent', unsent);
  }
}
