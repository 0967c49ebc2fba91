/** Links a service, and unlinks it once that was meant. */
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';

import { connectedServices, type ServiceId } from '#contract/endpoints/connections';
import { errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';

import { connectionQueries, startLinking, unlink as callUnlink } from './queries.ts';
import { accountTexts as texts } from './texts.ts';
import { useWaits } from './waits.ts';

type Linking = {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly link: () => void;
  readonly unlink: () => void;
};

/** The heading takes the focus that a button loses by working. */
export function useLinking(service: ServiceId, heading: RefObject<HTMLElement | null>): Linking {
  const { label } = connectedServices[service];
  const platform = usePlatform();
  const client = useQueryClient();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useFocusKept(heading, isBusy);

  async function run(work: () => Promise<void>, fallback: string): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      platform.haptic('error');
      setProblem(errorText(error, fallback));
      // The page may be behind: linked or unlinked elsewhere, or no longer set up.
      void client.invalidateQueries(connectionQueries.list());
    } finally {
      setIsBusy(false);
    }
  }

  /** A second press while the first one works, or asks, does nothing. */
  async function once(work: () => Promise<void>): Promise<void> {
    if (!isRunning.current) {
      isRunning.current = true;
      await work();
      isRunning.current = false;
    }
  }

  const link = () =>
    run(async () => {
      const address = await startLinking(service);
      useWaits.getState().begin(service, address);
      platform.openLink(address);
    }, texts.startFailed(label));

  async function unlink(): Promise<void> {
    platform.haptic('warning');
    const answer = await platform.popup({
      title: texts.question(label),
      message: texts.questionText[service],
      buttons: [
        { id: 'cancel', text: texts.cancel, kind: 'cancel' },
        { id: 'unlink', text: texts.confirm, kind: 'destructive' },
      ],
    });
    if (answer === 'unlink') {
      await run(() => callUnlink(client, service), texts.unlinkFailed(label));
    }
  }

  return {
    isBusy,
    problem,
    link: () => void once(link),
    unlink: () => void once(unlink),
  };
}

/** A disabled button loses the focus; the heading takes it when nothing else has. */
function useFocusKept(heading: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const wasBusy = useRef(false);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    if (wasBusy.current && !isBusy && isLost) {
      heading.current?.focus({ preventScroll: true });
    }
    wasBusy.current = isBusy;
  }, [heading, isBusy]);
}
