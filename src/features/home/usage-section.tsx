/** How much the bot is used, in two lists of figures, and what it does, in four cards. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { AtSign, ChartNoAxesColumn, Clock, Layers, Sparkles, Sun } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useId, useState } from 'react';

import { Button } from '#ui/button';

import { texts } from './texts.ts';
import type { FigureListProps, Usage } from './usage-parts.tsx';

import styles from './home-screen.module.css';
import boxStyles from './usage-box.module.css';

const loadParts = () => import('./usage-parts.tsx');

/** If the chunk does not arrive, the page does without the part. */
const nothing = () => ({ default: () => null });
const FigureList = lazy<ComponentType<FigureListProps>>(() =>
  loadParts().then((parts) => ({ default: parts.FigureList }), nothing),
);
const FirstSteps = lazy<ComponentType>(() =>
  loadParts().then((parts) => ({ default: parts.FirstSteps }), nothing),
);

const usage = () =>
  queryOptions({
    queryKey: ['usage'],
    // The schema of the answer is loaded after the first paint.
    queryFn: async ({ signal }) => (await loadParts()).fetchUsage(signal),
    // The figures are not worth a delay.
    retry: false,
  });

type Outcome = {
  readonly data: Usage | undefined;
  /** Also true while figures that could not be loaded are loaded again. */
  readonly isKnown: boolean;
  readonly isLoading: boolean;
  /** Loads the figures again; undefined unless they could not be loaded. */
  readonly retry: (() => void) | undefined;
};

function useUsage(): Outcome {
  const { data, isError, isFetched, isFetching, isPending, refetch } = useQuery(usage());
  const hasFailed = isError && data === undefined;
  return {
    data,
    isKnown: isFetched,
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
  const { data, isKnown, isLoading, retry } = useUsage();
  const isDemo = data?.isDemo === true;
  const { total = [], today = [] } = data ?? {};
  const hasFigures = !isKnown || total.length > 0;
  const describe = (empty: string) => {
    if (isLoading) {
      return texts.usage.loading;
    }
    return data ? empty : texts.usage.failed;
  };

  return (
    <section className={styles.section} aria-labelledby="usage">
      <div className={styles.intro}>
        <h2 id="usage">{texts.usage.heading}</h2>
        <p>{texts.usage.lead}</p>
      </div>
      <div className={boxStyles.boxes}>
        <UsageBox
          title={texts.usage.total}
          icon={<ChartNoAxesColumn aria-hidden="true" size={iconSize} />}
          figures={total}
          note={describe(texts.usage.empty)}
          isShort={!hasFigures}
          isDemo={isDemo}
          retry={retry}
        />
        <UsageBox
          title={texts.usage.today}
          icon={<Sun aria-hidden="true" size={iconSize} />}
          figures={today}
          note={describe(texts.usage.emptyToday)}
          isShort={isKnown && today.length === 0}
          isDemo={isDemo}
          retry={retry}
        />
        {!hasFigures && (
          <Suspense fallback={null}>
            <FirstSteps />
          </Suspense>
        )}
      </div>
      <ul className={styles.cards}>
        {cards.map(({ title, body, Icon, tone }) => (
          <li key={title} className={styles.card}>
            <span className={styles.icon} data-tone={tone}>
              <Icon aria-hidden="true" />
            </span>
            <h3>{title}</h3>
            <p>{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The height of the box is made for this many rows. */
const collapsedRows = 6;

type UsageBoxProps = Pick<Outcome, 'retry'> & {
  readonly title: string;
  readonly icon: ReactNode;
  readonly figures: FigureListProps['figures'];
  /** The line instead of figures when there are none. */
  readonly note: string;
  /** There are no figures that need room. */
  readonly isShort: boolean;
  readonly isDemo: boolean;
};

/** One list of figures: what was used, and how often. */
function UsageBox(props: UsageBoxProps) {
  const { title, icon, figures, note, isShort, isDemo, retry } = props;
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const count = figures.length;

  return (
    <section className={boxStyles.box} data-short={isShort || undefined} aria-labelledby={id}>
      <h3 id={id} className={boxStyles.title}>
        {icon}
        {title}
      </h3>
      <Suspense fallback={<Note text={texts.usage.loading} />}>
        {count > 0 ? (
          <FigureList figures={isExpanded ? figures : figures.slice(0, collapsedRows)} />
        ) : (
          <Note text={note} />
        )}
      </Suspense>
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
    </section>
  );
}

function Note({ text }: { readonly text: string }) {
  return <p className={boxStyles.remark}>{text}</p>;
}
