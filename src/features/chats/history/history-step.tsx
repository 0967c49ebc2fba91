/** The history of a chat: its changes, newest first, by day. */
import { useInfiniteQuery, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { formatDay, formatTime } from '#lib/dates';
import { useFocusKept } from '#lib/focus';
import { dashboardPaths } from '#lib/paths';
import { type Platform, usePlatform } from '#lib/platform';
import { getSession } from '#lib/session';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';

import { handleLostAccess, showFailure, showInfo } from '../failed-writes.ts';
import { useManagedChat } from '../managed-chat.ts';
import { chatTitle, userName } from '../names.ts';
import { NearView, toBlocks } from '../near-view.tsx';
import { Pending, SeenAt } from '../pending.tsx';
import { changesKey, chatQueries } from '../queries.ts';
import { applyRevert, countChanged, offerUndo } from '../settings-change.ts';
import { BackButton, StepHeading } from '../step-heading.tsx';
import { chatTexts } from '../texts.ts';
import {
  type ChangedPlace,
  channelTitle,
  describeAction,
  describePlace,
  isSaidWhole,
  languageName,
  toChangedPlaces,
} from './describe.ts';
import { historyTexts as texts } from './texts.ts';

import sections from '../sections/sections.module.css';
import styles from './history.module.css';

type HistoryStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function HistoryStep({ chatId, hasMoved }: HistoryStepProps) {
  const { data: chat, refusal } = useManagedChat(chatId);

  if (refusal !== undefined && chat === undefined) {
    return <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal }} />;
  }
  return (
    <>
      <BackButton to={dashboardPaths.chat(chatId)} text={texts.back} />
      <div>
        <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
        <p className={sections.subject} dir="auto">
          {chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
        </p>
      </div>
      <HistoryList chatId={chatId} chat={chat ?? { topic_names: {} }} />
    </>
  );
}

type HistoryListProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
};

function HistoryList({ chatId, chat }: HistoryListProps) {
  const { data, ...query } = useInfiniteQuery(chatQueries.changes(chatId));
  const changes = data?.pages.flatMap((page) => page.changes);

  if (changes === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  if (changes.length === 0) {
    return (
      <EmptyState mood="sleepy" title={texts.none}>
        {texts.noneHint}
      </EmptyState>
    );
  }
  return (
    <div className={styles.days}>
      <SeenAt id={changesKey(chatId)} refetch={query.refetch} />
      {groupByDay(changes).map(([day, changesOnDay]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ol className={styles.entries}>
            {changesOnDay.map((change) => (
              <HistoryEntry key={change.change_id} chatId={chatId} chat={chat} change={change} />
            ))}
          </ol>
        </section>
      ))}
      {query.isFetchNextPageError && <Notice tone="error">{texts.moreFailed}</Notice>}
      {query.hasNextPage ? (
        <Button
          className={styles.more}
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.more}
        </Button>
      ) : (
        <p className={styles.end}>{texts.end}</p>
      )}
    </div>
  );
}

function groupByDay(changes: readonly Change[]) {
  const days = new Map<string, Change[]>();
  for (const change of changes) {
    const day = formatDay(change.changed_at, { datesFrom: 2, style: 'full' });
    const changesOnDay = days.get(day) ?? [];
    changesOnDay.push(change);
    days.set(day, changesOnDay);
  }
  return [...days];
}

/** Topics that are rendered together. */
const topicsPerBlock = 30;

/** For the parts of the sentence that are more than text. */
const slots = { author: '{author}', where: '{where}', title: '{title}' } as const;

type HistoryEntryProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
  readonly change: Change;
};

function HistoryEntry({ chatId, chat, change }: HistoryEntryProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const [isReverting, setIsReverting] = useState(false);
  const { botId } = useCapabilities();
  const author = readAuthor(change, botId);
  const where = describePlace(change, chat);
  const time = formatTime(change.changed_at);
  const sentence = describeAction(change, slots);
  const names = { author, where, title: channelTitle(change) };
  const nodes = {
    author: <strong dir="auto">{author}</strong>,
    where,
    title: <bdi>{names.title}</bdi>,
  };

  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button, isReverting);

  function revert(): void {
    void askToRevert(
      { client, platform },
      { chatId, change, onBegin: () => setIsReverting(true) },
    ).finally(() => setIsReverting(false));
  }

  return (
    <li className={styles.entry}>
      <p className={styles.action}>
        {fillSlots(
          sentence,
          Object.fromEntries(
            Object.entries(nodes).filter(([name]) => sentence.includes(`{${name}}`)),
          ),
        )}
      </p>
      <time className={styles.time} dateTime={new Date(change.changed_at).toISOString()}>
        {time}
      </time>
      <Button
        ref={button}
        kind="quiet"
        className={styles.revert}
        isBusy={isReverting}
        icon={<Undo2 aria-hidden size={18} />}
        aria-label={texts.revert.name(describeAction(change, names), time)}
        onClick={revert}
      >
        {texts.revert.button}
      </Button>
      {!isSaidWhole(change) && countChanged(change) > 0 && <Items change={change} chat={chat} />}
    </li>
  );
}

function Items({ change, chat }: Pick<HistoryEntryProps, 'change' | 'chat'>) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const count = countChanged(change);
  return (
    <>
      <Button
        kind="quiet"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? texts.hideItems(count) : texts.showItems(count)}
      </Button>
      {isOpen && (
        <div id={id} className={styles.items}>
          {toBlocks(toChangedPlaces(change, chat), topicsPerBlock).map((block, index) => (
            <NearView key={block[0]?.place} isFirst={index === 0} counts={[block.length]}>
              {() => <dl>{block.map(TopicLines)}</dl>}
            </NearView>
          ))}
        </div>
      )}
    </>
  );
}

function TopicLines({ place, title, lines }: ChangedPlace) {
  return (
    <div key={place} className={styles.topic}>
      <dt dir="auto">{title}</dt>
      {lines.map((line) => (
        <dd key={line}>{line}</dd>
      ))}
    </div>
  );
}

type RevertRequest = {
  readonly chatId: string;
  readonly change: Change;
  /** The user has agreed. Not called earlier: the popup returns the focus, which a busy button cannot take. */
  readonly onBegin: () => void;
};

/** Reverts a change after a question. Resolves when it is over and the user has seen the outcome. */
async function askToRevert(
  { client, platform }: { readonly client: QueryClient; readonly platform: Platform },
  { chatId, change, onBegin }: RevertRequest,
): Promise<void> {
  const { language } = change;
  platform.haptic('warning');
  const answer = await platform.popup({
    title: texts.revert.title,
    message: language
      ? texts.revert.languageQuestion(languageName(language.was))
      : texts.revert.question(countChanged(change)),
    buttons: [
      { id: 'cancel', text: chatTexts.cancel, kind: 'cancel' },
      { id: 'revert', text: texts.revert.confirm, kind: 'destructive' },
    ],
  });
  if (answer !== 'revert') {
    return;
  }
  onBegin();
  try {
    const { change: reverting, skipped } = await applyRevert(client, { chatId, change }, 'revert');
    platform.haptic('success');
    if (reverting) {
      offerUndo(client, [{ chatId, change: reverting }], (reverted) =>
        [
          reverting.language
            ? texts.revert.languageDone(languageName(reverting.language.becomes))
            : texts.revert.done(reverted),
          ...(skipped === 0 ? [] : [texts.revert.skipped(skipped)]),
        ].join(' '),
      );
    } else {
      showInfo('reverted', texts.revert.nothing);
    }
  } catch (error) {
    if (!handleLostAccess(chatId, error)) {
      platform.haptic('error');
      showFailure('revert-failed', errorText(error, texts.revert.failed));
    }
  }
  await client.invalidateQueries(chatQueries.changes(chatId));
}

function readAuthor({ changed_by }: Change, botId: number | undefined): string {
  if (changed_by.telegram_id === String(botId)) {
    return texts.bot;
  }
  const session = getSession();
  return session.status === 'member' && session.telegramId === changed_by.telegram_id
    ? texts.you
    : userName(changed_by);
}
