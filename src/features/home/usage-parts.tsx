/** What Home shows once the usage of the bot is known: figures with bars, or first steps. A chunk that is loaded after the first paint. */
import { Ban, Blocks, ImagePlus, SquareTerminal, UserPlus } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';

import { addBotLink } from '#contract/chats/bot-links';
import { type CountedFeature, readUsage } from '#contract/endpoints/usage';
import { call } from '#lib/api';
import { useBotLink } from '#lib/bot-link';
import { formatCount } from '#lib/format';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Cell, Section } from '#ui/section';

import { stepTexts } from './step-texts.ts';
import { featureNames } from './usage-texts.ts';

import styles from './usage-parts.module.css';

type Figure = { readonly name: string; readonly count: number };

export type Usage = {
  /** The counts of all time, largest first. */
  readonly total: readonly Figure[];
  /** The counts of today, largest first, without zeros. */
  readonly today: readonly Figure[];
  /** The figures are examples. */
  readonly isDemo: boolean;
};

/** Reads the usage of the bot. Rejects with an `ApiError`. */
export async function fetchUsage(signal: AbortSignal): Promise<Usage> {
  const records = await call(readUsage, {}, signal);
  return {
    total: records.map(({ _id: name, count }) => ({ name, count })).toSorted(byCount),
    today: records
      .filter(({ today }) => today !== 0)
      .map(({ _id: name, today: count }) => ({ name, count }))
      .toSorted(byCount),
    isDemo: records.some(({ is_demo }) => is_demo),
  };
}

const byCount = (a: Figure, b: Figure) => b.count - a.count;

export type FigureListProps = { readonly figures: readonly Figure[] };

export function FigureList({ figures }: FigureListProps) {
  const list = useRef<HTMLUListElement>(null);
  const share = useCountUp(list);
  const largest = figures[0]?.count ?? 0;

  return (
    <ul ref={list} className={styles.list}>
      {figures.map(({ name, count }) => (
        <li key={name} className={styles.row}>
          {isFeature(name) ? (
            <span className={styles.name}>{featureNames[name]}</span>
          ) : (
            <span className={styles.name} dir="auto">
              {name}
            </span>
          )}
          <span className={styles.count}>{formatCount(Math.round(count * share))}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ transform: `scaleX(${largest === 0 ? 0 : (count / largest) * share})` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

const isFeature = (name: string): name is CountedFeature => Object.hasOwn(featureNames, name);

const icon = { size: 22 } as const;

/** What to do first with a bot that was never used: to set it up for users, to look around for visitors. */
export function FirstSteps() {
  const session = useSession();
  const { href } = useBotLink();
  const { openTelegramLink } = usePlatform();
  if (session.status === 'unknown') {
    return null;
  }

  return (
    <Section heading={stepTexts.heading} headingLevel={3} className={styles.steps}>
      {session.status === 'member' ? (
        <>
          {href !== undefined && (
            <Cell
              {...stepTexts.addBot}
              before={<UserPlus {...icon} />}
              to={addBotLink(href)}
              onOpen={openTelegramLink}
            />
          )}
          <Cell {...stepTexts.block} before={<Ban {...icon} />} to={paths.dashboard} />
        </>
      ) : (
        <Cell {...stepTexts.features} before={<Blocks {...icon} />} to={paths.features} />
      )}
      <Cell {...stepTexts.picture} before={<ImagePlus {...icon} />} to={paths.models} />
      {session.status !== 'member' && (
        <Cell {...stepTexts.api} before={<SquareTerminal {...icon} />} to={paths.api} />
      )}
    </Section>
  );
}

const countUpMs = 1000;

/**
 * The share of each figure to show: rises from 0 to 1 within a second once `box` is in view. Always 1
 * where the user has asked for less motion.
 */
function useCountUp(box: RefObject<HTMLElement | null>): number {
  const [share, setShare] = useState(() => (isMotionAllowed() ? 0 : 1));

  useEffect(() => {
    const element = box.current;
    if (!element || !isMotionAllowed()) {
      return undefined;
    }
    let frame = 0;
    let startedAt: number | undefined;
    const step = (now: number) => {
      startedAt ??= now;
      const passed = Math.min((now - startedAt) / countUpMs, 1);
      // Fast at first, slow at the end.
      setShare(1 - (1 - passed) ** 3);
      if (passed < 1) {
        frame = requestAnimationFrame(step);
      }
    };
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        frame = requestAnimationFrame(step);
      }
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [box]);

  return share;
}

function isMotionAllowed(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
