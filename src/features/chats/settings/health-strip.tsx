/** The health of a chat: four facts about the bot, the most important thing to do, and what no bot can do. */
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ReactNode } from 'react';

import { type ChatHealth } from '#contract/endpoints/chat-activity';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { passFocusOn } from '#ui/empty-state';
import { OutsideButton } from '#ui/outside-button';

import { chatQueries, useRefetchOnFocus } from '../queries.ts';
import { chatTexts } from '../texts.ts';

import styles from './health-strip.module.css';

const texts = chatTexts.health;

export function HealthStrip({ chatId }: { readonly chatId: string }) {
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.health(chatId));
  useRefetchOnFocus(refetch);

  return (
    // Its height is reserved while it loads, so that the content below does not move.
    <section className={styles.strip} aria-label={texts.label} aria-busy={isFetching}>
      {data && data.bot !== null && <Facts health={data} />}
      <div className={styles.verdict} aria-live="polite">
        {data && !isError && <Verdict health={data} />}
        {isError && !isFetching && (
          <Line
            tone="warning"
            text={data ? texts.stale : texts.failed}
            action={
              <Button
                ref={passFocusOn}
                icon={<RefreshCw aria-hidden size={18} />}
                onClick={() => void refetch()}
              >
                {chatTexts.retry}
              </Button>
            }
          />
        )}
        {!data && isFetching && <p className={styles.loading}>{texts.loading}</p>}
      </div>
      <details className={styles.limits}>
        <summary>{texts.limits.heading}</summary>
        {texts.limits.all.map((limit) => (
          <p key={limit}>{limit}</p>
        ))}
      </details>
    </section>
  );
}

const facts = ['is_in', 'may_delete', 'sees_all', 'is_forum'] as const;

function Facts({ health }: { readonly health: ChatHealth }) {
  return (
    <ul className={styles.facts}>
      {facts.map((fact) => {
        // Topics are a choice of the group, neither good nor bad.
        const tone = fact === 'is_forum' ? 'neutral' : health[fact] ? 'good' : 'bad';
        const Icon = { good: CircleCheck, bad: CircleAlert, neutral: Info }[tone];
        return (
          <li key={fact} className={styles[tone]}>
            <Icon aria-hidden size={18} />
            {texts.facts[fact][health[fact] ? 'yes' : 'no']}
          </li>
        );
      })}
    </ul>
  );
}

/** The most important problem, with a button that solves it. */
function Verdict({ health }: { readonly health: ChatHealth }) {
  const { bot, is_listening, is_in, may_delete, sees_all } = health;
  if (bot === null) {
    return <Line tone="info" text={texts.noBot} />;
  }
  if (!is_listening) {
    return <Line tone="warning" text={texts.notListening} />;
  }
  if (is_in && may_delete && sees_all) {
    return <Line tone="good" text={texts.good} />;
  }
  const problem = !is_in ? 'addBot' : !may_delete ? 'giveRight' : 'seeAll';
  return (
    <Line
      tone="warning"
      text={texts[problem](bot)}
      action={<Invite bot={bot}>{texts[`${problem}Action`]}</Invite>}
    />
  );
}

/** Opens Telegram's own dialog, which adds the bot to a group or gives it the right. */
function Invite({ bot, children }: { readonly bot: string; readonly children: string }) {
  const platform = usePlatform();
  return (
    <OutsideButton
      href={`https://t.me/${bot}?startgroup=settings&admin=delete_messages`}
      reason=""
      kind="primary"
      icon={null}
      onOpen={(href) => platform.openTelegramLink(href)}
    >
      {children}
    </OutsideButton>
  );
}

type LineProps = {
  readonly tone: 'good' | 'info' | 'warning';
  readonly text: string;
  readonly action?: ReactNode;
};

function Line({ tone, text, action }: LineProps) {
  const Icon = { good: CircleCheck, info: Info, warning: TriangleAlert }[tone];
  return (
    <>
      <Icon aria-hidden size={20} className={styles[tone]} />
      <p className={styles.text}>{text}</p>
      {action}
    </>
  );
}
