/**
 * What happens to accounts: in the user's list, in the log of security events, and as messages of the bot. The log names
 * users by a keyed hash, so that it holds no ID of a deleted account.
 */
import { randomUUID } from 'node:crypto';

import { type AccountEventKind, accountEventKinds } from '#contract/endpoints/account-events';
import { languages, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountEventRepository } from '#server/db/account-events';
import { type UserLanguages } from '#server/db/languages';
import { joinList, type Say, type UserLanguage } from '#server/lib/languages';
import { accountEventRules, limits } from '#server/lib/limits';
import { createSubjects } from '#server/lib/log';
import { type Caller, getAddressPrefix } from '#server/lib/requester';
import { metrics } from '#server/lib/telemetry';
import { type Limiter } from '#server/services/limiter';
import { createLinks } from '#server/services/links';
import { type Messages } from '#server/services/messages';
import { buttonData, type MessageButton } from '#server/upstream/telegram/chat-actions';

import { nameDevice, sayDevice } from './sessions.ts';
import { noticeTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

/** What only the log of security events has. */
type LoggedKind =
  | AccountEventKind
  | 'account_deleted'
  | 'login_locked'
  | 'passkey_copied'
  | 'code_locked'
  | 'launch_refused'
  | 'foreign_access';

export type AccountEvent = {
  readonly kind: LoggedKind;
  /** Whom it is about. */
  readonly telegramId: number;
  readonly caller: Caller;
  /** The way of a login, the name of a passkey or of a service. */
  readonly detail?: string;
  /** The session in which it was done: the user can end it from the message of the bot. */
  readonly sessionId?: string | undefined;
  /** False for a login that is no news to the user. */
  readonly isTold?: boolean;
};

type Note = {
  readonly telegramId: number | undefined;
  readonly caller: Caller;
  readonly detail?: string;
};

export type AccountEvents = ReturnType<typeof createAccountEvents>;

const listed: ReadonlySet<string> = new Set(accountEventKinds);
const isListed = (kind: LoggedKind): kind is AccountEventKind => listed.has(kind);

type Tools = {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly userLanguages: UserLanguageService;
};

export function createAccountEvents(deps: Dependencies, tools: Tools) {
  const { database, clock, env, securityLog, log } = deps;
  const events = createAccountEventRepository(database.db);
  const notices = createNotices(deps, tools);
  const [toSubject] = createSubjects(env.secretKeys);

  /** Logs an event without adding it to a list; without a subject when it is a visitor's. */
  function noteOnly(event: string, { telegramId, caller, detail = '' }: Note): void {
    metrics.count('securityEvents', { event });
    const subject = telegramId === undefined ? {} : { subject: toSubject(telegramId) };
    securityLog.info(
      { event, ...subject, from: getAddressPrefix(caller.address), detail },
      'security',
    );
  }

  return {
    toSubject,
    noteOnly,

    /**
     * Logs the event, adds it to the user's list, and has the bot tell the user what they should know. Does not wait
     * for the bot, and never rejects: what was done stays done without it.
     */
    async record(event: AccountEvent): Promise<void> {
      const { kind, telegramId, caller, detail = '' } = event;
      const addressPrefix = getAddressPrefix(caller.address);
      // What users name their passkeys is in no log.
      noteOnly(kind, { telegramId, caller, ...(kind.startsWith('passkey') ? {} : { detail }) });
      if (!isListed(kind)) {
        return;
      }
      const at = clock();
      try {
        const spoken = await events.add({
          id: toRowId(event, at),
          telegram_id: telegramId,
          at,
          kind,
          device: nameDevice(caller.userAgent),
          address_prefix: addressPrefix,
          detail,
        });
        if (spoken !== undefined) {
          notices.tell(event, spoken);
        }
      } catch (error) {
        log.error({ err: error }, 'Could not save an event of an account');
      }
    },

    /** The newest first. */
    list: (telegramId: number) => events.list(telegramId, accountEventRules.maxListed),

    /** Resolves when no message to a user is under way. */
    settled: notices.settled,
  };
}

/** Failed logins of an hour are one row, so that a stranger cannot fill the list. */
function toRowId({ kind, telegramId }: AccountEvent, at: number): string {
  return kind === 'login_failed'
    ? `${telegramId}.failed.${Math.floor(at / accountEventRules.failuresTogetherMs)}`
    : randomUUID();
}

type NoticeOptions = { readonly detail: string; readonly where: string; readonly say: Say };

/** What users are told of. */
const noticeSentences: Partial<Record<LoggedKind, (options: NoticeOptions) => string>> = {
  login: ({ where, say }) => say(noticeTexts).login(where),
  password_changed: ({ where, say }) => say(noticeTexts).passwordChanged(where),
  passkey_added: ({ detail, where, say }) => say(noticeTexts).passkeyAdded(detail, where),
  passkey_removed: ({ detail, where, say }) => say(noticeTexts).passkeyRemoved(detail, where),
  linked: ({ detail, where, say }) => say(noticeTexts).linked(detail, where),
};

const accountPath = '/account';

/** The verb of the button that ends a session. */
export const disownVerb = 'notme';

function createNotices(
  { telegram, env, clock, log, languages: { textsIn } }: Dependencies,
  { limiter, messages, userLanguages }: Tools,
) {
  const underWay = new Set<Promise<void>>();
  const hearsPresses = telegram !== undefined && env.botMode !== 'off';

  /** Ends the session where the bot hears of it; elsewhere the user does it on their page. */
  async function makeButton(
    sessionId: string | undefined,
    language: UserLanguage,
    say: Say,
  ): Promise<MessageButton | undefined> {
    const texts = say(noticeTexts);
    if (hearsPresses && sessionId !== undefined) {
      return { text: texts.notMe, data: buttonData(disownVerb, sessionId) };
    }
    const link =
      telegram && createLinks(env.publicUrl, await telegram.self(), language).toPage(accountPath);
    return link && { text: texts.account, ...link };
  }

  async function send(event: AccountEvent, spoken: UserLanguages): Promise<void> {
    const { kind, telegramId, caller, detail = '', sessionId } = event;
    const write = noticeSentences[kind];
    const at = clock();
    if (write === undefined || !(await limiter.tryTake(limits.accountNotices, telegramId))) {
      return;
    }
    const to = userLanguages.pick(spoken, sourceLanguage);
    const say = textsIn(to.language);
    const button = await makeButton(sessionId, to, say);
    await messages.send(telegramId, to.language, () => {
      const parts = [
        sayDevice(nameDevice(caller.userAgent))(say),
        getAddressPrefix(caller.address),
        sayMoment(at, to),
      ].filter((part) => part !== '');
      const text = write({ detail, where: joinList(parts, say), say });
      // The console shows no buttons.
      const hasAddress = telegram === undefined && env.publicUrl !== undefined;
      return { text: hasAddress ? `${text} ${env.publicUrl}${accountPath}` : text, button };
    });
  }

  return {
    tell(event: AccountEvent, spoken: UserLanguages): void {
      if (event.isTold === false || noticeSentences[event.kind] === undefined) {
        return;
      }
      const sending = send(event, spoken).catch((error: unknown) => {
        log.warn({ err: error }, 'Could not tell a user what happened to their account');
      });
      underWay.add(sending);
      void sending.finally(() => underWay.delete(sending));
    },

    settled: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}

/** In English the day comes first, as in most of the world. */
const englishMoments = 'en-GB';

/** Such as 27 Nov 2026, 14:05 UTC: the server does not know where the user is. */
function sayMoment(time: number, { language }: UserLanguage): string {
  const locale = language === sourceLanguage ? englishMoments : languages[language].locale;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
}
