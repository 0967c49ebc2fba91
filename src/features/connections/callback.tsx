/**
 * Where a service sends people back to: exchanges the code, once, and says what became of it. Works
 * without a session, as Telegram opens services in another browser.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Mascot, type Mood } from '#ui/mascot';
import { Spinner } from '#ui/spinner';

import { type Arrival, useArrival } from './arrival.ts';
import { exchange } from './exchange.ts';
import { connectionQueries } from './queries.ts';
import { callbackTexts as texts } from './texts.ts';
import { WaysBack } from './ways-back.tsx';

import styles from './connections.module.css';

export function CallbackScreen() {
  const { pathname } = useLocation();
  const service = pathname.startsWith(paths.anilistAuth) ? 'anilist' : 'spotify';
  return <Callback key={service} service={service} />;
}

function Callback({ service }: { readonly service: ServiceId }) {
  const { label } = connectedServices[service];
  const [arrival, remember] = useArrival(label);
  const [attempt, setAttempt] = useState(1);
  /** The attempt to which no answer came. */
  const [lost, setLost] = useState(0);

  if (arrival === undefined || (arrival.kind === 'code' && lost !== attempt)) {
    return (
      <Page mood="happy" title={texts.connecting(label)} isBusy>
        {arrival && (
          <Exchange
            key={attempt}
            service={service}
            arrival={arrival}
            onSettled={(outcome) => (outcome ? remember(outcome) : setLost(attempt))}
          />
        )}
      </Page>
    );
  }
  if (arrival.kind === 'code') {
    return (
      <Page mood="surprised" title={texts.failed} text={texts.notCompleted(label)}>
        <WaysBack>
          <Button kind="primary" isWide onClick={() => setAttempt(attempt + 1)}>
            {texts.retry}
          </Button>
        </WaysBack>
      </Page>
    );
  }
  const isLinked = arrival.kind === 'linked';
  return (
    <Page
      mood={isLinked ? 'winking' : 'surprised'}
      title={isLinked ? texts.linked : texts.failed}
      text={isLinked ? texts.success[service] : arrival.message}
    >
      <p className={styles.small}>{isLinked ? texts.canClose : texts.startAgain}</p>
      <WaysBack />
    </Page>
  );
}

type ExchangeProps = {
  readonly service: ServiceId;
  readonly arrival: Extract<Arrival, { readonly kind: 'code' }>;
  /** Undefined when no answer came. */
  readonly onSettled: (outcome: Arrival | undefined) => void;
};

/** Draws nothing: exchanges the code while it is there. */
function Exchange({ service, arrival: { code, state }, onSettled }: ExchangeProps) {
  const platform = usePlatform();
  const client = useQueryClient();

  const settle = useEffectEvent((outcome: Arrival | undefined) => {
    platform.haptic(outcome?.kind === 'linked' ? 'success' : 'error');
    void client.invalidateQueries(connectionQueries.list());
    onSettled(outcome);
  });

  useEffect(() => {
    let isShown = true;
    const run = async () => {
      const outcome = await exchange(service, { code, state });
      if (isShown) {
        settle(outcome);
      }
    };
    void run();
    return () => {
      isShown = false;
    };
  }, [service, code, state]);

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
