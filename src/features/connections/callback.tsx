/**
 * The page to which a service sends the user back: exchanges the code once and shows the result. Works
 * without a session, because Telegram opens services in another browser.
 */
import { useQueryClient } from '@tanstack/react-query';
import { LayoutDashboard, Send } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { useBotLink } from '#lib/bot-link';
import { useIsHydrated } from '#lib/hydrated';
import { useIsOperator } from '#lib/operator';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button, ButtonLink, SubmitButton } from '#ui/button';
import { Mascot, type Mood } from '#ui/mascot';
import { Notice } from '#ui/notice';
import { emptyOtp, OtpInput, useOtpFocus } from '#ui/otp-input';
import { OutsideButton } from '#ui/outside-button';
import { Spinner } from '#ui/spinner';

import {
  confirm,
  exchangeOnce,
  readResult,
  resultSchema,
  type Unconfirmed,
  unconfirmedSchema,
} from './exchange.ts';
import { connectionQueries } from './queries.ts';
import { callbackTexts as texts } from './texts.ts';

import styles from './connections.module.css';

const progressSchema = v.variant('kind', [
  /** The service agreed; the code has yet to be exchanged. */
  v.object({ kind: v.literal('code'), code: v.string(), state: v.string() }),
  unconfirmedSchema,
  resultSchema,
]);
type Progress = v.InferOutput<typeof progressSchema>;
type Code = Extract<Progress, { readonly kind: 'code' }>;

export function CallbackScreen() {
  const { pathname } = useLocation();
  const service = pathname.startsWith(paths.anilistAuth) ? 'anilist' : 'spotify';
  return <Callback key={service} service={service} />;
}

function Callback({ service }: { readonly service: ServiceId }) {
  const { label } = connectedServices[service];
  const [progress, setProgress] = useProgress(label);
  const [attempt, setAttempt] = useState(1);
  const [unansweredAttempt, setUnansweredAttempt] = useState(0);

  if (progress === undefined || (progress.kind === 'code' && unansweredAttempt !== attempt)) {
    return (
      <Page mood="happy" title={texts.connecting(label)} isBusy>
        {progress && (
          <Exchange
            key={attempt}
            service={service}
            code={progress}
            onSettled={(result) => (result ? setProgress(result) : setUnansweredAttempt(attempt))}
          />
        )}
      </Page>
    );
  }
  if (progress.kind === 'code') {
    return (
      <Page mood="surprised" title={texts.failed} text={texts.notCompleted(label)}>
        <NextSteps>
          <Button kind="primary" isWide onClick={() => setAttempt(attempt + 1)}>
            {texts.retry}
          </Button>
        </NextSteps>
      </Page>
    );
  }
  if (progress.kind === 'unconfirmed') {
    return (
      <Page
        mood="happy"
        title={texts.confirm}
        text={texts.confirmLead(label, progress.telegramUser)}
      >
        <CodeForm service={service} unconfirmed={progress} onSettled={setProgress} />
        <NextSteps isAside />
      </Page>
    );
  }
  const isLinked = progress.kind === 'linked';
  return (
    <Page
      mood={isLinked ? 'winking' : 'surprised'}
      title={isLinked ? texts.linked : texts.failed}
      text={isLinked ? texts.success[service] : progress.message}
    >
      <p className={styles.small}>{isLinked ? texts.canClose : texts.startAgain}</p>
      <NextSteps />
    </Page>
  );
}

/**
 * What the service sent the user back with, and what has become of it; undefined while the prerendered page
 * is hydrated. The query is read once and then removed: a code must not be seen, shared or kept in the
 * browser's history. The state of the history entry keeps what a reload needs.
 */
function useProgress(
  label: string,
): readonly [progress: Progress | undefined, setProgress: (progress: Progress) => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const { pathname, search } = location;

  useEffect(() => {
    if (search !== '') {
      void navigate(pathname, { replace: true, state: readProgress({ search }, label) });
    }
  }, [label, pathname, search, navigate]);

  return [
    isHydrated ? readProgress(location, label) : undefined,
    (next) => void navigate(pathname, { replace: true, state: next }),
  ];
}

/** Characters of a service's error that are shown. */
const maxErrorLength = 200;

function readProgress(
  { search, state: stored }: Pick<Location, 'search'> & { readonly state?: unknown },
  label: string,
): Progress {
  const query = new URLSearchParams(search);
  const [error, code, state] = ['error', 'code', 'state'].map((name) => query.get(name)?.trim());
  if (error) {
    return { kind: 'failed', message: texts.refused(label, error.slice(0, maxErrorLength)) };
  }
  if (code && state) {
    return { kind: 'code', code, state };
  }
  const known = v.safeParse(progressSchema, stored);
  if (!known.success || search !== '') {
    return { kind: 'failed', message: texts.missing };
  }
  const { output } = known;
  // Another tab may have got the code.
  return output.kind === 'unconfirmed' ? (readResult(output.id) ?? output) : output;
}

type ExchangeProps = {
  readonly service: ServiceId;
  readonly code: Code;
  /** Undefined when the server did not answer. */
  readonly onSettled: (result: Progress | undefined) => void;
};

/** Exchanges the code when it is mounted. Renders nothing. */
function Exchange({ service, code, onSettled }: ExchangeProps) {
  const platform = usePlatform();
  const client = useQueryClient();

  const exchange = useEffectEvent(async (isMounted: () => boolean) => {
    const result = await exchangeOnce(service, code);
    if (isMounted()) {
      if (result?.kind !== 'unconfirmed') {
        platform.haptic(result?.kind === 'linked' ? 'success' : 'error');
      }
      void client.invalidateQueries(connectionQueries.list());
      onSettled(result);
    }
  });

  useEffect(() => {
    let isMounted = true;
    void exchange(() => isMounted);
    return () => {
      isMounted = false;
    };
  }, []);

  return null;
}

type CodeFormProps = {
  readonly service: ServiceId;
  readonly unconfirmed: Unconfirmed;
  readonly onSettled: (result: Progress) => void;
};

/** Asks for the code that the bot has sent to the user who began. */
function CodeForm({ service, unconfirmed, onSettled }: CodeFormProps) {
  const { label } = connectedServices[service];
  const problemId = useId();
  const { otp, setOtp, problem, isBusy, submit } = useConfirmation({
    service,
    unconfirmed,
    onSettled,
  });

  const boxes = useOtpFocus(otp, !isBusy);

  function send(event: FormEvent): void {
    event.preventDefault();
    submit();
    boxes.current?.focus(otp.indexOf(''));
  }

  return (
    <form className={styles.form} method="post" onSubmit={send} noValidate>
      {problem !== undefined && (
        <Notice tone="error">
          <span id={problemId}>{problem}</span>
        </Notice>
      )}
      <fieldset className={styles.fields} disabled={isBusy}>
        <OtpInput
          ref={boxes}
          label={texts.codeLabel}
          boxLabel={texts.codeBox}
          value={otp}
          onChange={setOtp}
          isInvalid={problem !== undefined}
          describedBy={problem === undefined ? undefined : problemId}
        />
        <SubmitButton
          text={texts.link(label)}
          busyText={texts.linking}
          isBusy={isBusy}
          isElsewhere={false}
        />
      </fieldset>
      <p className={styles.small}>{texts.confirmCare}</p>
    </form>
  );
}

function useConfirmation({ service, unconfirmed, onSettled }: CodeFormProps) {
  const platform = usePlatform();
  const client = useQueryClient();
  const [otp, setOtp] = useState(emptyOtp);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function enter(code: string): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    const result = await confirm(service, unconfirmed, code);
    platform.haptic(result.kind === 'linked' ? 'success' : 'error');
    if (result.kind === 'problem') {
      setProblem(result.message);
      setOtp(result.isWrong ? emptyOtp : otp);
      setBusy(false);
      return;
    }
    void client.invalidateQueries(connectionQueries.list());
    onSettled(result);
  }

  function submit(): void {
    if (otp.includes('')) {
      setProblem(texts.codeIncomplete);
      platform.haptic('error');
    } else if (!isBusy) {
      void enter(otp.join(''));
    }
  }

  return { otp, setOtp, problem, isBusy, submit };
}

type PageProps = {
  readonly mood: Mood;
  readonly title: string;
  readonly text?: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
};

function Page({ mood, title, text, isBusy = false, children }: PageProps) {
  return (
    <div className={styles.page}>
      <Mascot mood={mood} className={styles.mascot} />
      <div className={styles.words} aria-live="polite">
        <h1 tabIndex={-1}>{title}</h1>
        {text !== undefined && <p>{text}</p>}
      </div>
      {isBusy && <Spinner />}
      {children}
    </div>
  );
}

type NextStepsProps = {
  /** A button that comes first. */
  readonly children?: ReactNode;
  /** What comes first is elsewhere on the page. */
  readonly isAside?: boolean;
};

/** Links to Telegram and to the dashboard. */
function NextSteps({ children, isAside = children !== undefined }: NextStepsProps) {
  const { container, openTelegramLink } = usePlatform();
  const isMember = useSession().status === 'member';
  const isOperator = useIsOperator();
  const { href, isKnown } = useBotLink();
  const isInTelegram = container === 'telegram';
  // A user with a session began here; all others come from Telegram's browser.
  const hasDashboard = isMember || isInTelegram || href === undefined;
  const firstKind = isAside ? 'plain' : 'primary';

  return (
    <div className={styles.ways}>
      {children}
      {hasDashboard && (
        <ButtonLink
          kind={firstKind}
          isWide
          to={paths.dashboard}
          icon={<LayoutDashboard aria-hidden size={20} />}
        >
          {texts.toDashboard}
        </ButtonLink>
      )}
      {!isInTelegram && (
        <OutsideButton
          kind={hasDashboard ? 'plain' : firstKind}
          isWide
          href={href}
          reason={isKnown ? (isOperator ? texts.setBot : texts.noBot) : ''}
          icon={<Send aria-hidden size={20} />}
          onOpen={openTelegramLink}
        >
          {texts.toTelegram}
        </OutsideButton>
      )}
    </div>
  );
}
