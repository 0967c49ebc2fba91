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

/** The records; undefined while loading, empty when the call failed. */
function useUsage(): readonly UsageRecord[] | undefined {
  const { data, isPending } = useQuery(usage());
  return isPending ? undefined : (data ?? []);
}

const iconSize = 20;

const cards = [
  { ...texts.cards.multiPurpose, Icon: Layers, tone: 'accent' },
  { ...texts.cards.generate, Icon: Sparkles, tone: 'ume' },
  { ...texts.cards.inline, Icon: AtSign, tone: 'info' },
  { ...texts.cards.always, Icon: Clock, tone: 'yuzu' },
] as const;

export function UsageSection() {
  const records = useUsage();
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
        />
        <UsageBox
          title={texts.usage.today}
          icon={<Sun aria-hidden="true" size={iconSize} />}
          figures={records && todayFigures(records)}
          isDemo={isDemo}
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

type UsageBoxProps = {
  readonly title: string;
  readonly icon: ReactNode;
  /** Undefined while they are loading. */
  readonly figures: readonly Figure[] | undefined;
  readonly isDemo: boolean;
};

/** One list of figures: what was used, and how often. */
function UsageBox({ title, icon, figures, isDemo }: UsageBoxProps) {
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const count = figures?.length ?? 0;

  return (
    <section className={boxStyles.box} aria-labelledby={id}>
      <h3 id={id} className={boxStyles.title}>
        {icon}
        {title}
      </h3>
      <div className={boxStyles.content}>
        <Suspense fallback={<Note text={texts.usage.loading} />}>
          {figures === undefined && <Note text={texts.usage.loading} />}
          {figures?.length === 0 && <Note text={texts.usage.empty} />}
          {figures !== undefined && figures.length > 0 && (
            <FigureList figures={isExpanded ? figures : figures.slice(0, collapsedRows)} />
          )}
        </Suspense>
      </div>
      <div className={boxStyles.foot}>
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
