/** The Authentication Log: what a login does, line by line, at a pace that can be read. */
import { useEffect, useState } from 'react';

import { login } from '#contract/endpoints/session';
import { ApiError } from '#lib/api';
import { type TerminalLine } from '#ui/terminal';

import { logTexts } from './login-texts.ts';

/** The pause between two lines while the call runs: 0.5 to 1 second. */
const pauseMs = { min: 500, max: 1000 } as const;
/** A shorter text cannot be told from an ordinary word. */
const shortestSecret = 4;

type Entry = Pick<TerminalLine, 'tone' | 'text'>;
type Log = { readonly lines: readonly TerminalLine[]; readonly waiting: readonly Entry[] };

/** Lines so far, and the two moments of a login that write them. */
export function useAuthLog() {
  const [{ lines, waiting }, setLog] = useState<Log>({ lines: [], waiting: [] });

  useEffect(() => {
    if (waiting.length === 0) {
      return undefined;
    }
    const timer = setTimeout(() => {
      const at = new Date();
      setLog((log) =>
        print({ ...log, waiting: log.waiting.slice(1) }, log.waiting.slice(0, 1), at),
      );
    }, nextPauseMs());
    return () => clearTimeout(timer);
  }, [waiting]);

  return {
    lines,
    /** The call goes out. Its lines come one by one, all at once where motion is unwelcome. */
    start: (telegramId: string) => {
      const entries = startEntries(telegramId);
      const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      const shown = isCalm ? entries.length : 1;
      const at = new Date();
      setLog((log) =>
        print({ ...log, waiting: entries.slice(shown) }, entries.slice(0, shown), at),
      );
    },
    /** The answer is there: nobody waits for lines any longer. */
    finish: (entries: readonly Entry[]) => {
      const at = new Date();
      setLog((log) => print({ ...log, waiting: [] }, [...log.waiting, ...entries], at));
    },
  };
}

function print({ lines, waiting }: Log, entries: readonly Entry[], at: Date): Log {
  const added = entries.map(({ tone, text }, index) => ({
    id: lines.length + index,
    at,
    tone,
    text,
  }));
  return { lines: [...lines, ...added], waiting };
}

function nextPauseMs(): number {
  return pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
}

function startEntries(telegramId: string): Entry[] {
  const request = JSON.stringify({ method: login.method, path: login.path });
  return [
    { tone: 'info', text: logTexts.start(telegramId) },
    { tone: 'info', text: logTexts.request(request) },
    { tone: 'info', text: logTexts.waiting },
  ];
}

/** Only what is no secret: never the token. */
export function successEntries(answer: {
  token_type: string;
  telegram_id?: string | undefined;
}): Entry[] {
  const { token_type, telegram_id } = answer;
  return [{ tone: 'success', text: logTexts.success(JSON.stringify({ token_type, telegram_id })) }];
}

/** Why a login failed, without any of the secrets, wherever a server may have put them. */
export function failureEntries(error: unknown, secrets: readonly string[]): Entry[] {
  return reasons(error).map(({ tone, text }) => ({ tone, text: redact(text, secrets) }));
}

function reasons(error: unknown): Entry[] {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ tone: 'error', text: logTexts.error(message) }];
  }
  if (error.code === 'no_response') {
    return [{ tone: 'error', text: logTexts.noResponse }];
  }
  if (error.code === 'unreadable' || error.code === 'aborted') {
    return [{ tone: 'error', text: logTexts.error(error.message) }];
  }
  const { code, detail, retryAfterS } = error;
  const details = JSON.stringify({ code, detail, retry_after: retryAfterS });
  return [
    { tone: 'error', text: logTexts.status(error.status) },
    { tone: error.status === 429 ? 'warning' : 'error', text: logTexts.details(details) },
  ];
}

/** The values of secret names in JSON or a query, and anything that looks like a session token. */
const secretShapes = [
  /((?:access_token|token|password|otp_code|otp|init_data|attempt)\\*["']?\s*[:=]\s*\\*["']?)[^\s"'\\,}&]+/gi,
  /(\bBearer\s+)[^\s"'\\,}]+/gi,
];

function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.flatMap((secret) =>
    secret.length < shortestSecret ? [] : [secret, JSON.stringify(secret).slice(1, -1)],
  );
  const withoutKnown = known.reduce(
    (rest, secret) => rest.replaceAll(secret, logTexts.hidden),
    text,
  );
  return secretShapes.reduce(
    (rest, shape) => rest.replaceAll(shape, `$1${logTexts.hidden}`),
    withoutKnown,
  );
}
