/** Linking and unlinking a service, and the links that the user has begun at a service. */
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';

import {
  connectedServices,
  type Connection,
  type ServiceId,
} from '#contract/endpoints/connections';
import { errorText } from '#lib/api';
import { useFocusKept } from '#lib/focus';
import { useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { onSessionChange } from '#lib/session';

import { connectionQueries, startLinking, unlink as unlinkService } from './queries.ts';
import { accountTexts as texts } from './texts.ts';

/** As long as the server accepts the code. */
const pendingMs = 10 * 60_000;

type PendingLink = {
  /** The page of the service on which the user agrees. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

type PendingLinks = {
  readonly links: Partial<Readonly<Record<ServiceId, PendingLink>>>;
  readonly add: (service: ServiceId, url: string) => void;
  /** Returns whether there was one. */
  readonly remove: (service: ServiceId) => boolean;
};

/** Kept outside the section, so that they outlive it. */
export const usePendingLinks = create<PendingLinks>()((set, get) => ({
  links: {},
  add: (service, url) =>
    set(({ links }) => ({
      links: { ...links, [service]: { url, expiresAt: Date.now() + pendingMs } },
    })),
  remove: (service) => {
    const { [service]: link, ...others } = get().links;
    set({ links: others });
    return link !== undefined;
  },
}));

onSessionChange((session) => {
  if (session.status !== 'member') {
    usePendingLinks.setState({ links: {} });
  }
});

/** The pending link of a service, until it expires. */
export function usePendingLink(service: ServiceId): PendingLink | undefined {
  const link = usePendingLinks(({ links }) => links[service]);

  useEffect(() => {
    if (link === undefined) {
      return undefined;
    }
    const timer = setTimeout(
      () => usePendingLinks.getState().remove(service),
      link.expiresAt - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [service, link]);

  return link;
}

/** Shows a notice when the service of a pending link has been linked. */
export function useLinkedNotice({ service, state }: Connection): void {
  const platform = usePlatform();
  useEffect(() => {
    if (state === 'linked' && usePendingLinks.getState().remove(service)) {
      platform.haptic('success');
      useNotices.getState().show({
        id: `linked-${service}`,
        tone: 'success',
        text: texts.isLinked(connectedServices[service].label),
      });
    }
  }, [platform, service, state]);
}

type Linking = {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  readonly link: () => void;
  readonly unlink: () => void;
};

/** `heading` gets the focus that a button loses when it is disabled. */
export function useLinking(service: ServiceId, heading: RefObject<HTMLElement | null>): Linking {
  const { label } = connectedServices[service];
  const platform = usePlatform();
  const client = useQueryClient();
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useFocusKept(heading, isBusy);

  async function run(task: () => Promise<void>, fallback: string): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await task();
    } catch (error) {
      platform.haptic('error');
      setProblem(errorText(error, fallback));
      // The list may be outdated: the service was linked or unlinked elsewhere, or is no longer set up.
      void client.invalidateQueries(connectionQueries.list());
    } finally {
      setIsBusy(false);
    }
  }

  /** Ignores a second press while the first one runs or its question is open. */
  async function once(task: () => Promise<void>): Promise<void> {
    if (!isRunning.current) {
      isRunning.current = true;
      await task();
      isRunning.current = false;
    }
  }

  const link = () =>
    run(async () => {
      const url = await startLinking(service);
      usePendingLinks.getState().add(service, url);
      platform.openLink(url);
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
      await run(() => unlinkService(client, service), texts.unlinkFailed(label));
    }
  }

  return {
    isBusy,
    problem,
    link: () => void once(link),
    unlink: () => void once(unlink),
  };
}
