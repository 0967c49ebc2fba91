/**
 * The only access to the device's storage: a table for the shell's values, `storedValue` for those of
 * one feature, `tabMarks` for those of this tab. Values that do not fit their schema are dropped.
 * Where storage is blocked (private mode, third-party frames), values are in memory until the page is
 * closed.
 */
import * as v from 'valibot';

/** The prefixes of the keys that logging out removes. */
const ownPrefixes = ['nori_', 'pixai_'] as const;

const token = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.regex(/^[^\s"'{}]+$/));

/** Plain text instead of JSON, as other clients of the same backend write these keys. */
const text = <Schema extends v.GenericSchema<unknown, string>>(key: string, schema: Schema) =>
  ({ key, schema }) as const;

const table = {
  accessToken: text('accessToken', token),
  /** The token of older clients; moved to `accessToken` when read. */
  legacyAccessToken: text('access_token', token),
  telegramId: text('telegram_id', v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/))),
  /**
   * What a login has left here, and the backend that gave it. It opens nothing, and stays after a logout: wrong passwords
   * that strangers try do not keep its user from logging in here.
   */
  knownDevice: text('known_device', v.pipe(v.string(), v.regex(/^[\w.-]{1,100} \S*$/))),
  theme: text('theme', v.picklist(['light', 'dark'])),
} as const;

type Table = typeof table;
export type StorageName = keyof Table;
export type Stored<Name extends StorageName> = v.InferOutput<Table[Name]['schema']>;

const memory = new Map<string, string>();

/** The browser's storage; undefined where the getter throws. */
function device(kind: 'localStorage' | 'sessionStorage' = 'localStorage'): Storage | undefined {
  try {
    return globalThis[kind];
  } catch {
    return undefined;
  }
}

function readRaw(key: string): string | undefined {
  try {
    return device()?.getItem(key) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

/** Returns whether the value outlives the page. */
function writeRaw(key: string, value: string): boolean {
  try {
    const storage = device();
    if (storage) {
      storage.setItem(key, value);
      memory.delete(key);
      return true;
    }
  } catch {
    // Full or blocked: memory is used instead.
  }
  memory.set(key, value);
  return false;
}

function removeRaw(key: string): void {
  memory.delete(key);
  try {
    device()?.removeItem(key);
  } catch {
    // Blocked storage holds nothing to remove.
  }
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The stored value; undefined when it is missing or invalid. An invalid value is dropped. */
export function readStored<Name extends StorageName>(name: Name): Stored<Name> | undefined {
  const { key, schema } = table[name];
  return readParsed(key, (raw) => v.safeParse(schema, raw));
}

/** Stores a value; `undefined` removes it. Never throws. */
export function writeStored<Name extends StorageName>(
  name: Name,
  value: Stored<Name> | undefined,
): void {
  const { key } = table[name];
  if (value === undefined) {
    removeRaw(key);
  } else {
    writeRaw(key, value);
  }
}

function readParsed<Value>(
  key: string,
  parse: (
    raw: string,
  ) =>
    | { readonly success: true; readonly output: Value }
    | { readonly success: false; readonly output: unknown },
): Value | undefined {
  const raw = readRaw(key);
  const parsed = raw === undefined ? undefined : parse(raw);
  if (parsed?.success === false) {
    removeRaw(key);
  }
  return parsed?.success ? parsed.output : undefined;
}

/**
 * A value that only lazily loaded screens need. It is declared in their feature, so that other pages do
 * not load its schema. Logging out removes a key with one of the prefixes.
 */
export function storedValue<Schema extends v.GenericSchema>(
  key: `${(typeof ownPrefixes)[number]}${string}` | 'selectedProvider' | 'language',
  schema: Schema,
  { isJson = true } = {},
) {
  return {
    /** The value; undefined when it is missing or invalid. An invalid value is dropped. */
    read: (): v.InferOutput<Schema> | undefined =>
      readParsed(key, (raw) => v.safeParse(schema, isJson ? readJson(raw) : raw)),
    /** Stores a value; `undefined` removes it. Returns whether it outlives the page. Never throws. */
    write: (value: v.InferInput<Schema> | undefined): boolean => {
      if (value === undefined) {
        removeRaw(key);
        return true;
      }
      return writeRaw(key, typeof value === 'string' && !isJson ? value : JSON.stringify(value));
    },
    /** Calls the listener when another tab changes it. Returns the unsubscribe function. */
    onChangedElsewhere: (listener: () => void) =>
      onStorage((changed) => {
        if (changed === null || changed === key) {
          listener();
        }
      }),
  };
}

/** The database of the user's files; see `device-files.ts`. */
export const filesDatabase = 'nori_files';

/** Removes the session, every key with one of the app's prefixes, and the stored files. */
export function forgetUser(): void {
  try {
    indexedDB.deleteDatabase(filesDatabase);
  } catch {
    // Without IndexedDB there is nothing to delete.
  }
  const storage = device();
  const keys = new Set(memory.keys());
  try {
    for (let index = 0; index < (storage?.length ?? 0); index += 1) {
      keys.add(storage?.key(index) ?? '');
    }
  } catch {
    // Blocked storage holds nothing.
  }
  for (const name of ['accessToken', 'legacyAccessToken', 'telegramId'] as const) {
    removeRaw(table[name].key);
  }
  for (const key of keys) {
    if (ownPrefixes.some((prefix) => key.startsWith(prefix))) {
      removeRaw(key);
    }
  }
}

/** Whether values outlive the page. */
export function isStorageLasting(): boolean {
  const probe = 'nori_probe';
  try {
    const storage = device();
    storage?.setItem(probe, probe);
    storage?.removeItem(probe);
    return storage !== undefined;
  } catch {
    return false;
  }
}

/** Calls the listener when another tab changes a value. Returns the unsubscribe function. */
export function onStoredElsewhere(listener: (name: StorageName | 'all') => void): () => void {
  return onStorage((key) => {
    if (key === null) {
      listener('all');
    }
    for (const name of ['accessToken', 'telegramId', 'theme'] as const) {
      if (table[name].key === key) {
        listener(name);
      }
    }
  });
}

/** Calls the listener with the key that another tab changes, or with null for all keys. */
function onStorage(listener: (key: string | null) => void): () => void {
  const listen = ({ key }: StorageEvent) => listener(key);
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

type TabMark =
  | 'signed_out'
  /** A user was logged in. */
  | 'had_user'
  | 'email'
  | 'reloaded_at'
  | 'launch'
  | 'signup'
  | 'gallery'
  /** Where a page in another language goes on. */
  | 'place'
  /** The language that the server is to be told. */
  | 'language_unsent'
  /** The code for a new password that was asked for. */
  | 'reset';

/** Text values that last as long as the tab, also after a reload. */
export const tabMarks = {
  read(name: TabMark): string | undefined {
    try {
      return device('sessionStorage')?.getItem(`nori_${name}`) ?? memory.get(`tab:${name}`);
    } catch {
      return memory.get(`tab:${name}`);
    }
  },
  write(name: TabMark, value: string | undefined): void {
    try {
      if (value === undefined) {
        memory.delete(`tab:${name}`);
        device('sessionStorage')?.removeItem(`nori_${name}`);
      } else {
        memory.set(`tab:${name}`, value);
        device('sessionStorage')?.setItem(`nori_${name}`, value);
      }
    } catch {
      // The value is in memory.
    }
  },
};
