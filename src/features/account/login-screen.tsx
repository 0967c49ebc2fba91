/** Logs the user in by Telegram ID and password. The Authentication Log shows each step of it. */
import { type ComponentType, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router-dom';

import { login, requestLoginCode } from '#contract/endpoints/session';
import { ApiError } from '#lib/api';
import { useMainButton } from '#lib/main-button';
import { paths } from '#lib/paths';
import { readKnownDevice, startSession, useSession } from '#lib/session';
import { SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { PasswordField } from '#ui/password-field';
import { Terminal, type TerminalLine } from '#ui/terminal';

import { AccountForm, TelegramIdField } from './account-form.tsx';
import {
  findProblem,
  type Problem,
  readForm,
  toProblem,
  useFormCall,
  useFormProblem,
} from './form.ts';
import type * as loginCode from './login-code.tsx';
import { loginTexts, logTexts } from './login-texts.ts';
import { texts } from './texts.ts';

import styles from './account.module.css';

export function LoginScreen() {
  const log = useAuthLog();
  const { mutate, isPending, isRunning } = useLogin();
  const code = useLoginCode();
  // Also while the last line of the log can be read.
  const isBusy = useSession().status === 'member' || isPending || code.isSending;
  const state = useFormProblem({ isBusy });
  const hasMainButton = useMainButton({
    text: loginTexts.submit,
    isEnabled: !isBusy,
    isBusy,
    press: () => state.form.current?.requestSubmit(),
  });

  function send({ telegram_id = '', password = '' }: Readonly<Record<string, string>>): void {
    log.start(telegram_id.trim());
    mutate(
      { telegram_id, password, device: readKnownDevice(), ...code.read() },
      {
        onSuccess: (answer) => log.finish(toSuccessEntries(answer)),
        onError: (error) => {
          log.finish(toFailureEntries(error, [password]));
          const found = toLoginProblem(error);
          code.followProblem(found);
          state.fail(found);
        },
      },
    );
  }

  function sendCode(): void {
    const values = readForm(state.form.current ?? document.createElement('form'));
    const found = findProblem(requestLoginCode.input, values);
    if (found) {
      state.fail(found);
      return;
    }
    state.clear();
    code.send(values, (error) =>
      state.fail(toProblem(error, { fallback: code.part?.sendFailed ?? '' })),
    );
  }

  return (
    <div className={styles.screen}>
      <Card>
        <h1>{loginTexts.title}</h1>
        <AccountForm
          {...{ state, isBusy, isRunning }}
          validate={(values) => findProblem(login.input, values) ?? code.findProblem()}
          onTyping={({ elements }) => code.followId(elements.namedItem('telegram_id'))}
          onValid={send}
        >
          <TelegramIdField {...state.describe('telegram_id')} />
          <PasswordField
            id="password"
            name="password"
            label={texts.fields.password}
            toggleLabel={texts.fields.showPassword}
            autoComplete="current-password"
            required
            {...state.describe('password')}
          />
          {code.part && (
            <code.part.LoginCode
              {...{ code, isBusy }}
              onSend={sendCode}
              {...state.describe('otp')}
            />
          )}
          <SubmitButton
            text={loginTexts.submit}
            busyText={loginTexts.busy}
            isBusy={isBusy}
            isElsewhere={hasMainButton}
          />
        </AccountForm>
        <OtherWays />
      </Card>
      <Terminal title={logTexts.title} lines={log.lines} placeholder={logTexts.placeholder} />
    </div>
  );
}

/** What a user does who cannot log in by password. */
function OtherWays() {
  const { state } = useLocation();
  return (
    <>
      <p className={styles.elsewhere}>
        {loginTexts.noAccount}{' '}
        <Link className={styles.link} to={paths.signup} state={state}>
          {loginTexts.signUp}
        </Link>
      </p>
      <p className={styles.elsewhere}>
        <Link className={styles.link} to={paths.reset}>
          {loginTexts.forgot}
        </Link>
      </p>
      <PasskeyPlace />
    </>
  );
}

/** The place of the login by passkey, which is loaded after this screen. It has its room from the start. */
function PasskeyPlace() {
  const [Part, setPart] = useState<ComponentType>();

  useEffect(() => {
    import('./passkey-login.tsx').then(
      ({ PasskeyLogin }) => setPart(() => PasskeyLogin),
      // The password logs in without it, too.
      () => undefined,
    );
  }, []);

  return <div className={styles.passkey}>{Part && <Part />}</div>;
}

const noDigits: readonly string[] = ['', '', '', '', '', ''];

/** The code of a login to which a password is not enough. It belongs to the Telegram ID that it was sent for. */
function useLoginCode() {
  const { mutate, isPending, isRunning } = useFormCall(requestLoginCode);
  const [otp, setOtp] = useState(noDigits);
  const [part, setPart] = useState<typeof loginCode>();
  const [asked, setAsked] = useState<{ telegramId: string; attempt: string | undefined }>();
  const [isWanted, setWanted] = useState(false);

  function forget(): void {
    setAsked(undefined);
    setOtp(noDigits);
  }

  return {
    otp,
    setOtp,
    /** The boxes for the code and their texts, once one is wanted. */
    part: isWanted ? part : undefined,
    isSent: asked !== undefined,
    isSending: isPending,
    /** Asks for a code for what was typed. */
    send: (
      { telegram_id = '', password = '' }: Readonly<Record<string, string>>,
      onError: (error: unknown) => void,
    ) => {
      if (!isRunning()) {
        const onSuccess = ({ attempt }: { attempt?: string | undefined }) => {
          setOtp(noDigits);
          setAsked({ telegramId: telegram_id.trim(), attempt });
        };
        mutate({ telegram_id, password }, { onSuccess, onError });
      }
    },
    /** What a login is sent with. */
    read: () => (asked === undefined ? {} : { otp_code: otp.join(''), attempt: asked.attempt }),
    findProblem: (): Problem | undefined =>
      asked !== undefined && otp.includes('')
        ? { message: part?.incomplete ?? '', fields: ['otp'] }
        : undefined,
    /** Why a login was refused says whether the code is good, is used up, or is missing. */
    followProblem: ({ code }: Problem) => {
      if (code === 'code_required') {
        setWanted(true);
        forget();
        // Loaded now, as hardly any login needs it. Without it the message says what to do.
        import('./login-code.tsx').then(setPart, () => undefined);
      } else if (code === 'invalid_code') {
        setOtp(noDigits);
      } else if (code === 'wrong_credentials') {
        forget();
      }
    },
    /** Another Telegram ID needs another code, or none. */
    followId: (field: RadioNodeList | Element | null) => {
      const id = field instanceof HTMLInputElement ? field.value.trim() : '';
      if (asked !== undefined && asked.telegramId !== id) {
        setWanted(false);
        forget();
      }
    },
  };
}

/** The fields that are in doubt, by the error code. */
const fieldsByCode: Readonly<Record<string, readonly string[]>> = {
  code_required: [],
  invalid_code: ['otp'],
};

/** Only a refusal (4xx) puts the password in doubt. */
function toLoginProblem(error: unknown): Problem {
  const status = error instanceof ApiError ? error.status : 0;
  if (status >= 400 && status < 500) {
    const found = toProblem(error, { fallback: loginTexts.failed, fields: ['password'] });
    const fields = fieldsByCode[found.code ?? ''] ?? found.fields;
    return { ...found, fields, ...(fields.length === 0 ? { focused: 'password' } : {}) };
  }
  const fallback = status === 0 ? loginTexts.unreachable : loginTexts.serverFailed;
  const problem = toProblem(error, { fallback });
  return { ...problem, message: loginTexts.mayBeRight(problem.message), focused: 'password' };
}

/** The session starts even if the user has left the screen meanwhile. */
function useLogin() {
  return useFormCall(login, {
    onSuccess: (answer, input) =>
      startSession({
        token: answer.access_token,
        telegramId: answer.telegram_id ?? String(input.telegram_id).trim(),
        device: answer.device,
      }),
  });
}

/** The pause between two lines while the call runs. */
const pauseMs = { min: 500, max: 1000 } as const;
/** A shorter password may be a part of any word, so it is not replaced. */
const minSecretLength = 4;

type Entry = Pick<TerminalLine, 'tone' | 'text'>;
type LogState = { readonly lines: readonly TerminalLine[]; readonly waiting: readonly Entry[] };

/** The lines of the Authentication Log, which appear one by one at a readable pace. */
function useAuthLog() {
  const [{ lines, waiting }, setLog] = useState<LogState>({ lines: [], waiting: [] });

  useEffect(() => {
    if (waiting.length === 0) {
      return undefined;
    }
    const timer = setTimeout(() => {
      const at = new Date();
      setLog((log) =>
        addLines({ ...log, waiting: log.waiting.slice(1) }, log.waiting.slice(0, 1), at),
      );
    }, randomPauseMs());
    return () => clearTimeout(timer);
  }, [waiting]);

  return {
    lines,
    /** Call when the request is sent. With reduced motion its lines appear all at once. */
    start: (telegramId: string) => {
      const entries = toStartEntries(telegramId);
      const hasReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      const shown = hasReducedMotion ? entries.length : 1;
      const at = new Date();
      setLog((log) =>
        addLines({ ...log, waiting: entries.slice(shown) }, entries.slice(0, shown), at),
      );
    },
    /** Call when the answer has arrived. All waiting lines appear at once. */
    finish: (entries: readonly Entry[]) => {
      const at = new Date();
      // At once, as the time in which the last line can be read begins with the session.
      flushSync(() =>
        setLog((log) => addLines({ ...log, waiting: [] }, [...log.waiting, ...entries], at)),
      );
    },
  };
}

function addLines({ lines, waiting }: LogState, entries: readonly Entry[], at: Date): LogState {
  const added = entries.map(({ tone, text }, index) => ({
    id: lines.length + index,
    at,
    tone,
    text,
  }));
  return { lines: [...lines, ...added], waiting };
}

function randomPauseMs(): number {
  return pauseMs.min + Math.random() * (pauseMs.max - pauseMs.min);
}

function toStartEntries(telegramId: string): Entry[] {
  const request = JSON.stringify({ method: login.method, path: login.path });
  return [
    { tone: 'info', text: logTexts.start(telegramId) },
    { tone: 'info', text: logTexts.request(request) },
    { tone: 'info', text: logTexts.waiting },
  ];
}

/** The answer without the token. */
function toSuccessEntries(answer: {
  token_type: string;
  telegram_id?: string | undefined;
}): Entry[] {
  const { token_type, telegram_id } = answer;
  return [{ tone: 'success', text: logTexts.success(JSON.stringify({ token_type, telegram_id })) }];
}

/** Why a login failed. Secrets are hidden, also where the server has repeated them. */
function toFailureEntries(error: unknown, secrets: readonly string[]): Entry[] {
  return toReasons(error).map(({ tone, text }) => ({ tone, text: redact(text, secrets) }));
}

function toReasons(error: unknown): Entry[] {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ tone: 'error', text: logTexts.error(message) }];
  }
  if (error.code === 'no_response') {
    return [{ tone: 'error', text: logTexts.noResponse }];
  }
  if (error.code === 'unreadable') {
    return [{ tone: 'error', text: logTexts.unreadable }];
  }
  const { code, detail, retryAfterS } = error;
  const details = JSON.stringify({ code, detail, retry_after: retryAfterS });
  return [
    { tone: 'error', text: logTexts.status(error.status) },
    { tone: error.status === 429 ? 'warning' : 'error', text: logTexts.details(details) },
  ];
}

/** The values of secret fields in JSON or in a query, and session tokens. */
const secretPatterns = [
  /((?:access_token|token|password|otp_code|otp|init_data|attempt|device)\\*["']?\s*[:=]\s*\\*["']?)[^\s"'\\,}&]+/gi,
  /(\bBearer\s+)[^\s"'\\,}]+/gi,
];

function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.flatMap((secret) =>
    secret.length < minSecretLength ? [] : [secret, JSON.stringify(secret).slice(1, -1)],
  );
  const withoutKnown = known.reduce(
    (rest, secret) => rest.replaceAll(secret, logTexts.hidden),
    text,
  );
  return secretPatterns.reduce(
    (rest, pattern) => rest.replaceAll(pattern, `$1${logTexts.hidden}`),
    withoutKnown,
  );
}
