/**
 * The page to which a service sends the user back: exchanges the code once and shows the result. Works
 * without a session, because Telegram opens services in another browser.
 */
import { useQueryClient } from '@tanstack/react-query';
import { LayoutDashboard, Send } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { useBotLink } from '#lib/bot-link';
import { useIsHydrated } from '#lib/hydrated';
import { useIsOperator } from '#lib/operator';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { Mascot, type Mood } from '#ui/mascot';
import { OutsideButton } from '#ui/outside-button';
import { Spinner } from '#ui/spinner';

import { exchangeOnce, resultSchema } from './exchange.ts';
import { connectionQueries } from './queries.ts';
import { callbackTexts as texts } from './texts.ts';

import styles from './connections.module.css';

const progressSchema = v.variant('kind', [
  /** The service agreed; the code has yet to be exchanged. */
  v.object({ kind: v.literal('code'), code: v.string(), state: v.string() }),
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
  return known.success && search === '' ? known.output : { kind: 'failed', message: texts.missing };
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
      platform.haptic(result?.kind === 'linked' ? 'success' : 'error');
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

/** Links to Telegram and to the dashboard. `children`: a button that comes first. */
function NextSteps({ children }: { readonly children?: ReactNode }) {
  const { container, openTelegramLink } = usePlatform();
  const isMember = useSession().status === 'member';
  const isOperator = useIsOperator();
  const { href, isKnown } = useBotLink();
  const isInTelegram = container === 'telegram';
  // A user with a session began here; all others come from Telegram's browser.
  const hasDashboard = isMember || isInTelegram || href === undefined;
  const firstKind = children === undefined ? 'primary' : 'plain';

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
