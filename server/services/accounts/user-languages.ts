/**
 * In which language a user is written to: the one that they chose, else that of their Telegram, else
 * English. Every update says the language of who wrote it, so what is new is gathered and saved together.
 */
import { type Language, languageFrom, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createLanguageRepository, type UserLanguages } from '#server/db/languages';
import { AppError } from '#server/lib/errors';
import { type UserLanguage } from '#server/lib/languages';

/** Must not throw. */
type Listener = (telegramId: number, language: UserLanguage) => void;

type Needs = Pick<Dependencies, 'database' | 'languages' | 'log'>;

export type UserLanguageService = ReturnType<typeof createUserLanguages>;

export function createUserLanguages({ database, languages: { offered }, log }: Needs) {
  const repository = createLanguageRepository(database.db);
  const listeners: Listener[] = [];

  /** Of the languages that this server offers. */
  function pick({ chosen, said }: UserLanguages, fallback: Language): UserLanguage {
    const isChosen = chosen !== undefined && offered.includes(chosen);
    const language = isChosen
      ? chosen
      : [said, fallback].find((one) => one !== undefined && offered.includes(one));
    return { language: language ?? sourceLanguage, isChosen };
  }

  function publish(telegramId: number, languages: UserLanguages): void {
    for (const listener of listeners) {
      listener(telegramId, pick(languages, sourceLanguage));
    }
  }

  return {
    /**
     * `code` is what an update of the user says right now, if it says any; `fallback` counts where nothing is
     * known, and is English when absent.
     */
    async readLanguage(
      telegramId: number,
      {
        code,
        fallback = sourceLanguage,
      }: { readonly code?: string | undefined; readonly fallback?: Language | undefined } = {},
    ): Promise<UserLanguage> {
      const stored = await repository.findUser(telegramId);
      const said = code === undefined ? stored?.said : languageFrom(code);
      return pick({ chosen: stored?.chosen, said }, fallback);
    },

    pick,

    /** Saves the choice of a user; null follows their Telegram again. Throws `unauthenticated` without an account. */
    async setLanguage(telegramId: number, language: Language | null): Promise<void> {
      const languages = await repository.choose(telegramId, language);
      if (languages === undefined) {
        throw new AppError('unauthenticated');
      }
      publish(telegramId, languages);
    },

    /** A launch has saved the language of the user's Telegram, which was another before. */
    publish,

    /** Calls the listener when a user is to be written to in another language. */
    onChange: (listener: Listener): void => void listeners.push(listener),

    ...createLearner(repository, log, publish),
  };
}

const saveEveryMs = 1000;
/** So that a process does not remember for good whom another one has deleted. */
const forgetEveryMs = 60 * 60_000;

/** Users whose language is known to be saved. */
const maxKnown = 10_000;

/** Saves what updates say about the language of users, so that no update costs a write of its own. */
function createLearner(
  repository: ReturnType<typeof createLanguageRepository>,
  log: Needs['log'],
  publish: (telegramId: number, languages: UserLanguages) => void,
) {
  const known = new Map<number, Language | null>();
  let waiting = new Map<number, Language | null>();
  const timers: NodeJS.Timeout[] = [];
  let saving: Promise<void> = Promise.resolve();

  function remember(telegramId: number, language: Language | null): void {
    known.delete(telegramId);
    known.set(telegramId, language);
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) {
      known.delete(oldest);
    }
  }

  async function saveUsers(language: Language | null, ids: readonly number[]): Promise<void> {
    const changed = await repository.saveSaid(language, ids);
    for (const { telegramId, languages } of changed) {
      if (languages.chosen === undefined) {
        publish(telegramId, languages);
      }
    }
    for (const telegramId of ids) {
      remember(telegramId, language);
    }
  }

  async function saveNow(): Promise<void> {
    const gathered = waiting;
    waiting = new Map();
    const byLanguage = Map.groupBy(gathered, ([, language]) => language);
    for (const [language, users] of byLanguage) {
      const ids = users.map(([telegramId]) => telegramId);
      try {
        await saveUsers(language, ids);
      } catch (error) {
        // The next update of each of them says it again.
        log.warn({ err: error }, 'could not save the languages of users');
      }
    }
  }

  /** Saves what was heard; never rejects. */
  function save(): Promise<void> {
    saving = saving.then(saveNow);
    return saving;
  }

  return {
    /** An update of the user has said the language of their Telegram. Those without an account are not stored. */
    learn(telegramId: number, code: string | undefined): void {
      if (code === undefined) {
        return;
      }
      const language = languageFrom(code) ?? null;
      if (waiting.has(telegramId) || known.get(telegramId) !== language) {
        waiting.set(telegramId, language);
      }
    },

    /** The account of the user is new: what was said before is not stored. */
    forget: (telegramId: number): void => void known.delete(telegramId),

    /** The account is deleted. */
    erase: async (telegramId: number): Promise<void> => {
      waiting.delete(telegramId);
      await saving;
      known.delete(telegramId);
    },

    save,
    start: (): void => {
      timers.push(
        setInterval(() => void save(), saveEveryMs).unref(),
        setInterval(() => known.clear(), forgetEveryMs).unref(),
      );
    },
    /** Saves the rest. */
    stop: async (): Promise<void> => {
      timers.forEach(clearInterval);
      await save();
    },
  };
}
