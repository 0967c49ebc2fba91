/** Answers to words: what the bot writes when a message has a word, in the whole chat or a topic. */
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';

import { type ContentBody } from '#contract/chats/contents';
import {
  type Filter,
  listedMax,
  listedName,
  readListed,
  readListedName,
  toTriggerKey,
} from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { useFocusKept } from '#lib/focus';
import { toSearchable } from '#lib/search-term';
import { MenuButton } from '#ui/menu';
import { SearchField } from '#ui/search-field';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { ContentEditor, ContentSummary } from '../editor/open-editor.tsx';
import { reportFailedWrite } from '../failed-writes.ts';
import { PlaceChoice, usePlace } from '../rule-rows.tsx';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { valueLine } from '../value-lines.ts';
import { Choice } from '../value-rows.tsx';
import { useAllShown, useContents } from '../value-writes.ts';
import { automaticTexts } from './texts.ts';

import styles from '../sections/sections.module.css';

const { answers: texts, answer: editorTexts, list: listTexts } = automaticTexts;

const max = listedMax('filter');
/** Answers that are shown before the rest is asked for. */
const maxAtFirst = 50;
/** With fewer answers there is nothing to search. */
const searchedFrom = 8;

type Answers = ReadonlyMap<string, Filter>;

/** What the editor has open: an answer by its word, or a new one. */
type Opened = { readonly trigger: string | undefined };

export function Answers({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const [place, setPlace] = usePlace(chat);
  const all = useAllShown(chatId);
  const [opened, setOpened] = useState<Opened>();
  const answers = readListed(Object.entries(all[place] ?? {}), 'filter');
  const total = Object.values(all).reduce(
    (sum, named) => sum + readListed(Object.entries(named), 'filter').size,
    0,
  );

  return (
    <Section
      heading={texts.heading}
      headingLevel={3}
      action={<span className={styles.total}>{listTexts.count(total, max)}</span>}
      remark={texts.about}
      {...(total >= max && { foot: listTexts.full(max) })}
    >
      <PlaceChoice chat={chat} place={place} onChoose={setPlace} />
      {total < max && (
        <Cell
          tone="accent"
          before={<Plus size={20} />}
          title={texts.add}
          onClick={() => setOpened({ trigger: undefined })}
        />
      )}
      <List key={place} {...{ chatId, place, answers }} onOpen={setOpened} />
      {opened && (
        <AnswerEditor
          {...{ chat, place, answers }}
          trigger={opened.trigger}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}

type ListProps = {
  readonly chatId: string;
  readonly place: string;
  readonly answers: Answers;
  readonly onOpen: (opened: Opened) => void;
};

function List({ chatId, place, answers, onOpen }: ListProps) {
  const contents = useContents(
    chatId,
    [...answers.values()].map(({ content }) => content),
  );
  const [term, setTerm] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const wanted = toSearchable(useDeferredValue(term).trim());
  const found = [...answers]
    .filter(([trigger, { content }]) =>
      toSearchable(`${trigger} ${contents[content]?.text ?? ''}`).includes(wanted),
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const shown = isWhole ? found : found.slice(0, maxAtFirst);
  // The menu is gone with its row.
  useFocusKept(list, answers.size);

  return (
    <>
      {answers.size >= searchedFrom && (
        <div className={styles.inset}>
          <SearchField
            label={texts.search}
            clearLabel={chatTexts.clearSearch}
            value={term}
            onChange={setTerm}
          />
        </div>
      )}
      <div aria-live="polite">
        {found.length === 0 && (
          <p className={styles.note}>{answers.size === 0 ? texts.none : listTexts.nothingFound}</p>
        )}
      </div>
      <ul ref={list} tabIndex={-1} aria-label={texts.heading}>
        {shown.map(([trigger, answer]) => (
          <AnswerRow
            key={trigger}
            {...{ chatId, place, trigger, answer }}
            body={contents[answer.content]}
            onOpen={() => onOpen({ trigger })}
          />
        ))}
      </ul>
      {shown.length < found.length && (
        <Cell
          tone="accent"
          title={listTexts.showAll(found.length)}
          onClick={() => setIsWhole(true)}
        />
      )}
    </>
  );
}

type AnswerRowProps = {
  readonly chatId: string;
  readonly place: string;
  readonly trigger: string;
  readonly answer: Filter;
  readonly body: ContentBody | undefined;
  readonly onOpen: () => void;
};

function AnswerRow({ chatId, place, trigger, answer, body, onOpen }: AnswerRowProps) {
  const choose = useChooseValue(chatId);
  const name = listedName('filter', trigger);
  return (
    <li className={styles.withMenu}>
      <Cell
        title={<bdi>{trigger}</bdi>}
        subtitle={<ContentSummary body={body} remark={texts.match[answer.match]} />}
        onClick={onOpen}
      />
      <MenuButton
        label={texts.menu(trigger)}
        items={() => [
          { text: texts.edit, onSelect: onOpen },
          {
            text: texts.remove,
            className: styles.refusal,
            onSelect: () => choose({ place, name, value: null, text: valueLine(name, null) }),
          },
        ]}
      />
    </li>
  );
}

const matches = ['anywhere', 'prefix', 'exact'] as const;

type AnswerEditorProps = {
  readonly chat: Chat;
  readonly place: string;
  /** Undefined for a new answer. */
  readonly trigger: string | undefined;
  readonly answers: Answers;
  readonly onClose: () => void;
};

function AnswerEditor({ chat, place, trigger, answers, onClose }: AnswerEditorProps) {
  const { chat_id: chatId } = chat;
  const client = useQueryClient();
  const choose = useChooseValue(chatId);
  const answer = trigger === undefined ? undefined : answers.get(trigger);
  const [match, setMatch] = useState<Filter['match']>(answer?.match ?? 'anywhere');

  function check(key: string): string | undefined {
    if (key === '') {
      return editorTexts.noTrigger;
    }
    if (readListedName(listedName('filter', key)) === undefined) {
      return editorTexts.badTrigger;
    }
    return key !== trigger && answers.has(key) ? editorTexts.taken(key) : undefined;
  }

  async function rename(former: string, key: string, value: Filter): Promise<void> {
    const name = listedName('filter', key);
    const values = { [place]: { [listedName('filter', former)]: null, [name]: value } };
    try {
      const change = await applyValues(client, { chatId, kind: 'values', values });
      if (change) {
        offerUndo(client, [{ chatId, change }], () => valueLine(name, value));
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  }

  function save(content: string, key: string): void {
    const value: Filter = { content, match };
    if (trigger !== undefined && key !== trigger) {
      void rename(trigger, key, value);
    } else {
      const name = listedName('filter', key);
      choose({ place, name, value, text: valueLine(name, value) });
    }
  }

  return (
    <ContentEditor
      chat={chat}
      title={trigger === undefined ? editorTexts.add : editorTexts.edit(trigger)}
      kind="filter"
      place={place}
      toName={(key) => listedName('filter', key)}
      keyField={{
        label: editorTexts.trigger,
        hint: editorTexts.hint,
        initial: trigger ?? '',
        check,
        toKey: toTriggerKey,
      }}
      extras={
        <Section>
          <Choice
            title={editorTexts.match}
            choices={matches.map((one) => [one, editorTexts.matches[one]] as const)}
            value={match}
            onChoose={setMatch}
          />
        </Section>
      }
      contentId={answer?.content}
      onSave={({ contentId, key }) => save(contentId, key)}
      onClose={onClose}
    />
  );
}
