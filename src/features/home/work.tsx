/** What the bot does and how much it is used: two lists of figures and four cards. */
import { AtSign, ChartNoAxesColumn, Clock, Layers, Sparkles, Sun } from 'lucide-react';

import { figuresOfToday, totalFigures } from './figures.ts';
import { useUsage } from './queries.ts';
import { texts } from './texts.ts';
import { UsageBox } from './usage-box.tsx';

import styles from './home-screen.module.css';

const iconSize = 20;

const cards = [
  { ...texts.cards.multiPurpose, Icon: Layers, tone: 'accent' },
  { ...texts.cards.generate, Icon: Sparkles, tone: 'ume' },
  { ...texts.cards.inline, Icon: AtSign, tone: 'info' },
  { ...texts.cards.always, Icon: Clock, tone: 'yuzu' },
] as const;

export function Work() {
  const records = useUsage();
  const isDemo = records?.some(({ is_demo }) => is_demo) === true;

  return (
    <section className={styles.section} aria-labelledby="work">
      <div className={styles.intro}>
        <h2 id="work">{texts.work.heading}</h2>
        <p>{texts.work.lead}</p>
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
          figures={records && figuresOfToday(records)}
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
