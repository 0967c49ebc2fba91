/** How the bot fares in a chat: four facts, and the one thing to do about it. */
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ReactNode } from 'react';

import { type ChatHealth } from '#contract/endpoints/chat-activity';
import { usePlatform } from '#lib/platform';
import { Button, passFocusOn } from '#ui/button';
import { OutsideButton } from '#ui/outside-button';

import { chatQueries } from '../queries.ts';
import { useOnReturn } from '../use-on-return.ts';
import { healthTexts as texts } from './care-texts.ts';

import styles from './health-strip.module.css';

export function HealthStrip({ chatId }: { readonly chatId: string }) {
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.health(chatId));
  useOnReturn(() => void refetch({ cancelRefetch: false }));

  return (
    // Its room is kept while Telegram is being asked: what stands below must not move.
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
                {texts.retry}
              </Button>
            }
          />
        )}
        {!data && isFetching && <p className={styles.loading}>{texts.loading}</p>}
      </div>
    </section>
  );
}

const facts = ['is_in', 'may_delete', 'sees_all', 'is_forum'] as const;

function Facts({ health }: { readonly health: ChatHealth }) {
  return (
    <ul className={styles.facts}>
      {facts.map((fact) => {
        // A group without topics is as good as one with them.
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

/** The most important of all that is wrong, and what helps. */
function Verdict({ health }: { readonly health: ChatHealth }) {
  const { bot, is_listening, is_in, may_delete, sees_all } = health;
  if (bot === null) {
    return <Line tone="info" text={texts.noBot} />;
  }
  if (!is_listening) {
    return <Line tone="warning" text={texts.notListening} />;
  }
  if (!is_in) {
    return (
      <Line
        tone="warning"
        text={texts.addBot(bot)}
        action={<Invite bot={bot}>{texts.addBotAction}</Invite>}
      />
    );
  }
  if (!may_delete) {
    return (
      <Line
        tone="warning"
        text={texts.giveRight(bot)}
        action={<Invite bot={bot}>{texts.giveRightAction}</Invite>}
      />
    );
  }
  if (!sees_all) {
    return (
      <Line
        tone="warning"
        text={texts.seeAll(bot)}
        action={<Invite bot={bot}>{texts.seeAllAction}</Invite>}
      />
    );
  }
  return <Line tone="good" text={texts.good} />;
}

/** Telegram's own dialog: it adds a bot to a group, or gives it the right in a group where it is already. */
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
