/** How much the bot is used, in two lists of figures, and what it does, in four cards. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { AtSign, ChartNoAxesColumn, Clock, Layers, Sparkles, Sun } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useId, useState } from 'react';

import type { UsageRecord } from '#contract/endpoints/usage';
import { Button } from '#ui/button';

import type { FigureListProps } from './figure-list.tsx';
import { type Figure, todayFigures, totalFigures } from './figures.ts';
import { texts } from './texts.ts';

import styles from './home-screen.module.css';
import boxStyles from './usage-box.module.css';

// Loaded after the first paint. If the chunk does not arrive, the box shows no figures.
const FigureList = lazy<ComponentType<FigureListProps>>(() =>
  import('./figure-list.tsx').then(
    (part) => ({ default: part.FigureList }),
    () => ({ default: () => null }),
  ),
);

const usage = () =>
  queryOptions({
    queryKey: ['usage'],
    // The schema of the answer is loaded after the first paint.
    queryFn: async ({ signal }) => (await import('./figure-list.tsx')).fetchUsage(signal),
    // The figures are not worth a delay.
    retry: false,
  });

type Usage = {
  /** Undefined until they are loaded. */
  readonly records: readonly UsageRecord[] | undefined;
  readonly isLoading: boolean;
  /** Loads them again; undefined unless they could not be loaded. */
  readonly retry: (() => void) | undefined;
};

function useUsage(): Usage {
  const { data, isError, isFetching, isPending, refetch } = useQuery(usage());
  const hasFailed = isError && data === undefined;
  return {
    records: data,
    isLoading: isPending || (hasFailed && isFetching),
    retry: hasFailed ? () => void refetch({ cancelRefetch: false }) : undefined,
  };
}

const iconSize = 20;

const cards = [
  { ...texts.cards.multiPurpose, Icon: Layers, tone: 'accent' },
  { ...texts.cards.generate, Icon: Sparkles, tone: 'ume' },
  { ...texts.cards.inline, Icon: AtSign, tone: 'info' },
  { ...texts.cards.always, Icon: Clock, tone: 'yuzu' },
] as const;

export function UsageSection() {
  const { records, ...state } = useUsage();
  const isDemo = records?.some(({ is_demo }) => is_demo) === true;

  return (
    <section className={styles.section} aria-labelledby="usage">
      <div className={styles.intro}>
        <h2 id="usage">{texts.usage.heading}</h2>
        <p>{texts.usage.lead}</p>
      </div>
      <div className={styles.boxes}>
        <UsageBox
          title={texts.usage.total}
          icon={<ChartNoAxesColumn aria-hidden="true" size={iconSize} />}
          figures={records && totalFigures(records)}
          isDemo={isDemo}
          {...state}
        />
        <UsageBox
          title={texts.usage.today}
          icon={<Sun aria-hidden="true" size={iconSize} />}
          figures={records && todayFigures(records)}
          isDemo={isDemo}
          {...state}
        />
      </div>
      <ul className={styles.cards}>
        {cards.map(({ title, text, Icon, tone }) => (
          <li key={title} className={styles.card}>
            <span className={styles.icon} data-tone={tone}>
              <Icon aria-hidden="true" />
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The height of the box is made for this many rows. */
const collapsedRows = 6;

type UsageBoxProps = Omit<Usage, 'records'> & {
  readonly title: string;
  readonly icon: ReactNode;
  /** Undefined until they are loaded. */
  readonly figures: readonly Figure[] | undefined;
  readonly isDemo: boolean;
};

/** One list of figures: what was used, and how often. */
function UsageBox({ title, icon, figures, isDemo, isLoading, retry }: UsageBoxProps) {
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const count = figures?.length ?? 0;
  const outcome = figures ? texts.usage.empty : texts.usage.failed;

  return (
    <section className={boxStyles.box} aria-labelledby={id}>
      <h3 id={id} className={boxStyles.title}>
        {icon}
        {title}
      </h3>
      <div className={boxStyles.content}>
        <Suspense fallback={<Note text={texts.usage.loading} />}>
          {figures && count > 0 ? (
            <FigureList figures={isExpanded ? figures : figures.slice(0, collapsedRows)} />
          ) : (
            <Note text={isLoading ? texts.usage.loading : outcome} />
          )}
        </Suspense>
      </div>
      <div className={boxStyles.foot}>
        {retry && (
          <Button kind="quiet" className={boxStyles.more} onClick={retry}>
            {texts.usage.retry}
          </Button>
        )}
        {count > collapsedRows && (
          <Button
            kind="quiet"
            className={boxStyles.more}
            aria-expanded={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? texts.usage.showFewer : texts.usage.showAll(count)}
          </Button>
        )}
        {isDemo && <span className={boxStyles.demo}>{texts.usage.demo}</span>}
      </div>
    </section>
  );
}

function Note({ text }: { readonly text: string }) {
  return <p className={boxStyles.remark}>{text}</p>;
}
