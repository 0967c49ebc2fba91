/** One change of the history: its author, what it changed and when, and the button that reverts it. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { isLanguage, languages } from '#contract/languages';
import { errorText } from '#lib/api';
import { formatTime } from '#lib/dates';
import { useFocusKept } from '#lib/focus';
import { joinList } from '#lib/format';
import { type Platform, usePlatform } from '#lib/platform';
import { getSession } from '#lib/session';
import { Button } from '#ui/button';
import { fillSlots } from '#ui/fill-slots';

import { handleLostAccess, showFailure, showInfo } from '../failed-writes.ts';
import { presetTexts } from '../message-type-texts.ts';
import { byTopicId, topicTitle, userName } from '../names.ts';
import { NearView, toBlocks } from '../near-view.tsx';
import { chatQueries } from '../queries.ts';
import { toListOrder } from '../setting-order.ts';
import { applyRevert, offerUndo } from '../settings-change.ts';
import { chatTexts, countTexts } from '../texts.ts';
import { historyTexts as texts } from './texts.ts';

import styles from './history.module.css';

/** Topics that are rendered together. */
const topicsPerBlock = 30;

type HistoryEntryProps = {
  readonly chatId: string;
  readonly chat: Pick<Chat, 'topic_names'>;
  readonly change: Change;
};

export function HistoryEntry({ chatId, chat, change }: HistoryEntryProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const [isReverting, setIsReverting] = useState(false);
  const author = readAuthor(change);
  const where = describePlace(change, chat);
  const time = formatTime(change.changed_at);
  // The title says all about a single toggle, and about a language.
  const hasMore = change.items.length > (change.kind === 'toggle' ? 1 : 0);

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
        {fillSlots(describeAction(change, '{author}', '{where}'), {
          author: <strong dir="auto">{author}</strong>,
          ...(change.language ? {} : { where }),
        })}
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
        aria-label={texts.revert.name(describeAction(change, author, where), time)}
        onClick={revert}
      >
        {texts.revert.button}
      </Button>
      {hasMore && <Items change={change} chat={chat} />}
    </li>
  );
}

function Items({ change, chat }: Pick<HistoryEntryProps, 'change' | 'chat'>) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const count = change.items.length;
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
          {toBlocks(toChangedTopics(change, chat), topicsPerBlock).map((block, index) => (
            <NearView key={block[0]?.topicId} isFirst={index === 0} counts={[block.length]}>
              {() => <dl>{block.map(TopicLines)}</dl>}
            </NearView>
          ))}
        </div>
      )}
    </>
  );
}

function TopicLines({ topicId, title, lines }: ChangedTopic) {
  return (
    <div key={topicId} className={styles.topic}>
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
  const { items, language } = change;
  platform.haptic('warning');
  const answer = await platform.popup({
    title: texts.revert.title,
    message: language
      ? texts.revert.languageQuestion(languageName(language.was))
      : texts.revert.question(items.length),
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

type ChangedTopic = {
  readonly topicId: string;
  readonly title: string;
  /** The blocked and the allowed settings, in one line each. */
  readonly lines: readonly string[];
};

function readAuthor({ changed_by }: Change): string {
  const session = getSession();
  return session.status === 'member' && session.telegramId === changed_by.telegram_id
    ? texts.you
    : userName(changed_by);
}

/** The title of the topic that was changed, or how many were. */
function describePlace({ items }: Change, chat: HistoryEntryProps['chat']): string {
  const [topicId = '', ...others] = new Set(items.map(({ topic_id }) => topic_id));
  return others.length === 0 ? topicTitle(chat, topicId) : countTexts.topics(others.length + 1);
}

/** As the language names itself. */
function languageName(tag: string): string {
  return isLanguage(tag) ? languages[tag].name : tag;
}

/** Who did what and where, in one sentence. */
function describeAction(change: Change, author: string, where: string): string {
  const { kind, preset, items, language } = change;
  const [only] = items;
  if (language) {
    const { was, becomes } = language;
    return texts.action.language(author, languageName(was), languageName(becomes));
  }
  if (kind === 'preset') {
    return texts.action.preset(author, preset ? presetTexts.name[preset] : '', items.length, where);
  }
  if (kind === 'toggle' && items.length === 1 && only) {
    const toText = only.becomes ? texts.action.blocked : texts.action.allowed;
    return toText(author, settingLabel(only.setting_name), where);
  }
  return texts.action[kind === 'language' ? 'toggle' : kind](author, items.length, where);
}

/** The topics of a change by number, each with its settings in list order. */
function toChangedTopics(
  { items }: Change,
  chat: HistoryEntryProps['chat'],
): readonly ChangedTopic[] {
  const byTopic = new Map<string, Change['items']>();
  for (const item of items) {
    const topicItems = byTopic.get(item.topic_id) ?? [];
    topicItems.push(item);
    byTopic.set(item.topic_id, topicItems);
  }
  return [...byTopic]
    .toSorted(([one], [other]) => byTopicId(one, other))
    .map(([topicId, changed]) => {
      const labels = (isBlocked: boolean) =>
        joinList(
          toListOrder(
            changed.filter(({ becomes }) => becomes === isBlocked).map((item) => item.setting_name),
          ).map(settingLabel),
        );
      const [blocked, allowed] = [labels(true), labels(false)];
      return {
        topicId,
        title: topicTitle(chat, topicId),
        lines: [
          ...(blocked === '' ? [] : [texts.blocked(blocked)]),
          ...(allowed === '' ? [] : [texts.allowed(allowed)]),
        ],
      };
    });
}
