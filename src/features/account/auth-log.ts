/** The Authentication Log: what a login does, line by line, at a pace that can be read. */
import { useEffect, useRef, useState } from 'react';

import { login } from '#contract/endpoints/session';
import { ApiError } from '#lib/api';
import { type TerminalLine } from '#ui/terminal';

import { texts } from './texts.ts';

/** The pause between two lines while the call runs: 0.5 to 1 second. */
const pauseMs = { min: 500, max: 1000 } as const;
/** A shorter text cannot be told from an ordinary word. */
const shortestSecret = 4;

type Entry = Pick<TerminalLine, 'tone' | 'text'>;

/** Lines so far, and the three moments of a login that write them. */
export function useAuthLog() {
  const [lines, setLines] = useState<readonly TerminalLine[]>([]);
  const waiting = useRef<Entry[]>([]);
  const timer = useRef<number>(undefined);
  const nextId = useRef(0);

  function print(entries: readonly Entry[]): void {
    const added = entries.map((entry) => {
      nextId.current += 1;
      return { ...entry, id: nextId.current, at: new Date() };
    });
    setLines((before) => [...before, ...added]);
  }

  function printNext(): void {
    const entry = waiting.current.shift();
    if (entry) {
      print([entry]);
      pause();
    }
  }

  function pause(): void {
    timer.current = window.setTimeout(printNext, nextPauseMs());
  }

  useEffect(() => () => window.clearTimeout(timer.current), []);

  return {
    lines,
    /** The call goes out. Its lines come one by one, all at once where motion is unwelcome. */
    start(telegramId: string) {
      const [first, ...rest] = startEntries(telegramId);
      window.clearTimeout(timer.current);
      if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
        print([first, ...rest]);
      } else {
        waiting.current = rest;
        print([first]);
        pause();
      }
    },
    /** The answer is there: nobody waits for lines any longer. */
    finish(entries: readonly Entry[]) {
      window.clearTimeout(timer.current);
      print([...waiting.current.splice(0), ...entries]);
    },
  };
}

function nextPauseMs(): number {
  return pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
}

function startEntries(telegramId: string): readonly [Entry, ...Entry[]] {
  const request = JSON.stringify({ method: login.method, path: login.path });
  return [
    { tone: 'info', text: texts.log.start(telegramId) },
    { tone: 'info', text: texts.log.request(request) },
    { tone: 'info', text: texts.log.waiting },
  ];
}

/** Only what is no secret: never the token. */
export function successEntries(answer: {
  token_type: string;
  telegram_id?: string | undefined;
}): Entry[] {
  const { token_type, telegram_id } = answer;
  return [
    { tone: 'success', text: texts.log.success(JSON.stringify({ token_type, telegram_id })) },
  ];
}

/** Why a login failed, without any of the secrets, wherever a server may have put them. */
export function failureEntries(error: unknown, secrets: readonly string[]): Entry[] {
  return reasons(error).map(({ tone, text }) => ({ tone, text: redact(text, secrets) }));
}

function reasons(error: unknown): Entry[] {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ tone: 'error', text: texts.log.error(message) }];
  }
  if (error.code === 'no_response') {
    return [{ tone: 'error', text: texts.log.noResponse }];
  }
  if (error.code === 'unreadable' || error.code === 'aborted') {
    return [{ tone: 'error', text: texts.log.error(error.message) }];
  }
  const { code, detail, retryAfterS } = error;
  const details = JSON.stringify({ code, detail, retry_after: retryAfterS });
  return [
    { tone: 'error', text: texts.log.status(error.status) },
    { tone: error.status === 429 ? 'warning' : 'error', text: texts.log.details(details) },
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
    (rest, secret) => rest.replaceAll(secret, texts.log.hidden),
    text,
  );
  return secretShapes.reduce(
    (rest, shape) => rest.replaceAll(shape, `$1${texts.log.hidden}`),
    withoutKnown,
  );
}
