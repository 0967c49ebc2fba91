/** A chat's state: four facts about the bot, what to do first, what it has deleted, and what no bot can do. */
import { useQuery, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { type ChatHealth, type readDeletions } from '#contract/endpoints/chat-activity';
import { type Chat, setChatLanguage } from '#contract/endpoints/chats';
import { type Answer } from '#contract/endpoints/endpoint';
import { type Language, languages, sourceLanguage } from '#contract/languages';
import { call } from '#lib/api';
import { formatCount } from '#lib/format';
import { tellOtherTabs } from '#lib/other-tabs';
import { usePlatform } from '#lib/platform';
import { createWriteQueue, type WriteQueue } from '#lib/write-queue';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Disclosure } from '#ui/disclosure';
import { passFocusOn } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';

import { reportFailedWrite } from '../failed-writes.ts';
import { AddBotButton } from '../first-run.tsx';
import { chatQueries } from '../queries.ts';
import { chatKey } from '../setting-writes.ts';
import { chatTexts } from '../texts.ts';
import { findProblem } from './chat-bar.tsx';
import { languageTexts as langTexts } from './language-texts.ts';

import styles from './state-dialog.module.css';

const texts = chatTexts.health;

/** The id of the button that opens the numbers. */
const deletedId = 'deleted';

type StateDialogProps = {
  readonly chatId: string;
  /** Whether the user asked for the deleted messages, which are folded otherwise. */
  readonly isAboutDeleted: boolean;
  readonly onClose: () => void;
};

export function StateDialog({ chatId, isAboutDeleted, onClose }: StateDialogProps) {
  useEffect(() => {
    if (isAboutDeleted) {
      // Focusing also scrolls to it.
      document.getElementById(deletedId)?.focus();
    }
  }, [isAboutDeleted]);

  return (
    <Dialog
      title={texts.label}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {chatTexts.close}
        </Button>
      }
    >
      <Health chatId={chatId} />
      <DeletedSection chatId={chatId} isOpenAtFirst={isAboutDeleted} />
      <details className={styles.limits}>
        <summary>{texts.limits.heading}</summary>
        {texts.limits.all.map((limit) => (
          <p key={limit}>{limit}</p>
        ))}
      </details>
    </Dialog>
  );
}

/** The bar above the settings keeps it fresh. */
function Health({ chatId }: { readonly chatId: string }) {
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.health(chatId));

  return (
    <div className={styles.health} aria-busy={isFetching}>
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
    </div>
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
  const { bot, is_listening } = health;
  if (bot === null) {
    return <Line tone="info" text={texts.noBot} />;
  }
  if (!is_listening) {
    return <Line tone="warning" text={texts.notListening} />;
  }
  const problem = findProblem(health);
  return problem === undefined ? (
    <Line tone="good" text={texts.good} />
  ) : (
    <Line
      tone="warning"
      text={texts[problem.todo](bot)}
      action={
        <AddBotButton bot={bot} icon={null}>
          {texts[`${problem.todo}Action`]}
        </AddBotButton>
      }
    />
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

const deletionTexts = chatTexts.deletions;

type Deletions = Answer<typeof readDeletions>;

type DeletedSectionProps = { readonly chatId: string; readonly isOpenAtFirst: boolean };

/** How many messages of each type the bot has deleted in the last 24 hours and 7 days. */
function DeletedSection({ chatId, isOpenAtFirst }: DeletedSectionProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.deletions(chatId));

  return (
    <Disclosure
      id={deletedId}
      heading={deletionTexts.heading}
      // Its line is there before the numbers are, so that nothing moves.
      summary={data ? summarize(totalCount(data, 'day'), totalCount(data, 'week')) : '\u00A0'}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <div className={styles.content}>
        {data ? (
          <Numbers deletions={data} />
        ) : isError && !isFetching ? (
          <Notice
            tone="warning"
            action={
              <Button ref={passFocusOn} onClick={() => void refetch()}>
                {chatTexts.retry}
              </Button>
            }
          >
            {deletionTexts.failed}
          </Notice>
        ) : (
          <output className={styles.none}>{deletionTexts.loading}</output>
        )}
      </div>
    </Disclosure>
  );
}

function Numbers({ deletions }: { readonly deletions: Deletions }) {
  const types = Object.entries(deletions.week)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => ({
      name,
      inWeek: typeCount(deletions, 'week', name),
      inDay: typeCount(deletions, 'day', name),
    }));
  const max = types[0]?.inWeek.atMost ?? 0;
  const all = totalCount(deletions, 'week');

  if (max === 0) {
    return <p className={styles.none}>{deletionTexts.none}</p>;
  }
  return (
    <>
      <table className={styles.table}>
        <caption className="visually-hidden">{deletionTexts.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{deletionTexts.kind}</th>
            <th scope="col">{deletionTexts.day}</th>
            <th scope="col">{deletionTexts.week}</th>
          </tr>
        </thead>
        <tbody>
          {types.map(({ name, inDay, inWeek }) => (
            <tr key={name}>
              <th scope="row">
                <span className={styles.label}>{settingLabel(name)}</span>
                <span aria-hidden className={styles.track}>
                  <span className={styles.week} style={{ inlineSize: share(inWeek.atMost, max) }} />
                  <span className={styles.day} style={{ inlineSize: share(inDay.atMost, max) }} />
                </span>
              </th>
              <td>{formatDeleted(inDay)}</td>
              <td>{formatDeleted(inWeek)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{deletionTexts.total}</th>
            <td>{formatDeleted(totalCount(deletions, 'day'))}</td>
            <td>{formatDeleted(all)}</td>
          </tr>
        </tfoot>
      </table>
      {all.exact < all.atMost && <p className={styles.none}>{deletionTexts.atMost}</p>}
    </>
  );
}

/** Messages that the bot has deleted; `exact` of them were certainly still there. */
type DeletedCount = { readonly atMost: number; readonly exact: number };

function formatDeleted({ atMost, exact }: DeletedCount): string {
  return exact < atMost ? deletionTexts.upTo(formatCount(atMost)) : formatCount(atMost);
}

function summarize(inDay: DeletedCount, inWeek: DeletedCount): string {
  return inWeek.atMost === 0
    ? deletionTexts.noneInWeek
    : deletionTexts.summary(formatDeleted(inDay), formatDeleted(inWeek));
}

type Period = 'day' | 'week';

function typeCount({ exact, ...counts }: Deletions, period: Period, name: string): DeletedCount {
  const atMost = counts[period][name] ?? 0;
  return { atMost, exact: exact === undefined ? atMost : (exact[period][name] ?? 0) };
}

function totalCount({ exact, ...counts }: Deletions, period: Period): DeletedCount {
  return { atMost: sum(counts[period]), exact: sum((exact ?? counts)[period]) };
}

function sum(counts: Deletions['day']): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function share(count: number, max: number): string {
  return `${(count / max) * 100}%`;
}

type LanguageDialogProps = {
  readonly chat: Pick<Chat, 'chat_id' | 'language' | 'languages'>;
  readonly onClose: () => void;
};

export function LanguageDialog({ chat, onClose }: LanguageDialogProps) {
  const { chat_id: chatId, language, languages: offered } = chat;
  const platform = usePlatform();
  const writes = languageWrites(useQueryClient());
  const pending = useSyncExternalStore(writes.subscribe, () => writes.getPending(chatId));
  const chosen = pending ?? language ?? sourceLanguage;

  return (
    <Dialog
      title={langTexts.open}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {chatTexts.close}
        </Button>
      }
    >
      <p>{langTexts.hint}</p>
      <fieldset>
        <legend className="visually-hidden">{langTexts.choices}</legend>
        <Section>
          {offered.map((tag) => (
            <Cell
              key={tag}
              isLabel
              title={<span lang={tag}>{languages[tag].name}</span>}
              after={
                <input
                  type="radio"
                  name="language"
                  value={tag}
                  checked={tag === chosen}
                  onChange={() => {
                    platform.haptic('selection');
                    writes.choose(chatId, tag);
                  }}
                />
              }
            />
          ))}
        </Section>
      </fieldset>
    </Dialog>
  );
}

const queues = new WeakMap<QueryClient, WriteQueue<Language>>();

/** The queue of writes; its keys are IDs of chats. It goes on when the dialog is closed. */
function languageWrites(client: QueryClient): WriteQueue<Language> {
  const queue = queues.get(client) ?? createLanguageQueue(client);
  queues.set(client, queue);
  return queue;
}

function createLanguageQueue(client: QueryClient): WriteQueue<Language> {
  return createWriteQueue<Language>({
    write: async (chatId, language) => {
      await call(setChatLanguage, { chat_id: chatId, language });
    },
    onConfirmed: (chatId, language) => {
      tellOtherTabs('chats');
      const queryKey = chatKey(chatId);
      client.setQueryData<Chat>(queryKey, (chat) => chat && { ...chat, language });
      // An open history has one more entry.
      void client.invalidateQueries(chatQueries.changes(chatId));
    },
    onFailed: (chatId, error) => {
      reportFailedWrite(chatId, error);
      // The server may have stored the language although its answer got lost.
      void client.invalidateQueries({ queryKey: chatKey(chatId) });
    },
  });
}
