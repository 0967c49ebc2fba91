/** The tab "Content": the rules of the group, what is for adults, and its notes. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ScrollText, Plus } from 'lucide-react';
import { useState, useDeferredValue, useRef } from 'react';

import { rulesPayload, notePayload } from '#contract/chats/bot-links';
import { type ContentBody } from '#contract/chats/contents';
import {
  adultKeepLimits,
  readValue,
  listedMax,
  listedName,
  type Note,
  readListed,
  readListedName,
  wholeChat,
} from '#contract/chats/values';
import { type StoredValues } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { useBotLink } from '#lib/bot-link';
import { useCopyText } from '#lib/copy-text';
import { useFocusKept } from '#lib/focus';
import { useIsOffered } from '#lib/offered-commands';
import { getPlatform } from '#lib/platform';
import { toSearchable } from '#lib/search-term';
import { CopyButton } from '#ui/copy-button';
import { MenuButton } from '#ui/menu';
import { SearchField } from '#ui/search-field';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { ContentEditor, ContentSummary } from '../editor/open-editor.tsx';
import { reportFailedWrite, showFailure, showInfo } from '../failed-writes.ts';
import { Pending } from '../pending.tsx';
import { PlaceChoice, usePlace } from '../rule-rows.tsx';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { valueLine } from '../value-lines.ts';
import { SwitchCell, TimeChoice } from '../value-rows.tsx';
import { useContents, useShownValues, valueQuery, useAllShown } from '../value-writes.ts';
import { contentTexts } from './texts.ts';

import styles from '../sections/sections.module.css';

const { rules: texts, notes: noteTexts, editor: editorTexts } = contentTexts;
const names = ['rules_content', 'rules_public'] as const;

export function ContentSection({ chat }: { readonly chat: Chat }) {
  const query = useQuery(valueQuery(chat.chat_id));
  const isOffered = useIsOffered();
  const { loading, failed } = contentTexts;

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={loading} failed={failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Rules chat={chat} />
        {isOffered('nsfwmode') && <Adults chat={chat} />}
      </div>
      <div className={styles.column}>
        <NotesList chat={chat} />
      </div>
    </div>
  );
}

function Rules({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const [isOpen, setIsOpen] = useState(false);
  const shown = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);
  const contentId = readValue(shown, 'rules_content');
  const contents = useContents(chatId, contentId === undefined ? [] : [contentId]);
  const { href: bot } = useBotLink();
  const copy = useCopyText();
  const link = bot && `${bot}?start=${rulesPayload(Number(chatId))}`;
  const set = (value: string | null) =>
    choose({ name: 'rules_content', value, text: valueLine('rules_content', value) });

  return (
    <Section heading={texts.heading} headingLevel={3} remark={texts.about}>
      {contentId === undefined ? (
        <Cell
          tone="accent"
          before={<ScrollText size={20} />}
          title={texts.write}
          subtitle={texts.none}
          onClick={() => setIsOpen(true)}
        />
      ) : (
        <Cell
          before={<ScrollText size={20} />}
          title={texts.text}
          subtitle={<ContentSummary body={contents[contentId]} />}
          onClick={() => setIsOpen(true)}
        />
      )}
      <SwitchCell
        title={texts.public}
        about={texts.publicAbout}
        isOn={readValue(shown, 'rules_public')}
        onChange={(value) => choose({ name: 'rules_public', value })}
      />
      {contentId !== undefined && link !== undefined && (
        <Cell
          title={texts.link}
          subtitle={<bdi dir="ltr">{link}</bdi>}
          after={<CopyButton label={texts.copyLink} copy={() => copy(link)} />}
        />
      )}
      {contentId !== undefined && (
        <Cell tone="danger" title={texts.remove} onClick={() => set(null)} />
      )}
      {isOpen && (
        <ContentEditor
          chat={chat}
          title={texts.heading}
          kind="rules"
          toName={() => 'rules_content'}
          contentId={contentId}
          fillings={['chatname', 'count']}
          onSave={({ contentId: saved }) => set(saved)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Section>
  );
}

/** In seconds. */
const keepTimes = [60, 5 * 60, 10 * 60, 3600, 86_400] as const;

/** Whether the bot shows what is for adults, and how long. Nothing of it is shown where the server does not offer it. */
function Adults({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const client = useQueryClient();
  const [place, setPlace] = usePlace(chat);
  const all = useAllShown(chatId);
  const isOnIn = (where: string) => all[where]?.['adult_mode'];
  const isOnInChat = isOnIn(wholeChat) === true;
  const choose = useChooseValue(chatId);

  /** As the command does: the whole chat decides for its topics anew, and a topic is off by itself only where the others are on. */
  function toValues(isOn: boolean): StoredValues {
    if (place !== wholeChat) {
      return { [place]: { adult_mode: isOn === isOnInChat ? null : isOn } };
    }
    const others = Object.keys(all).filter((where) => isOnIn(where) !== undefined);
    return Object.fromEntries([
      ...others.map((where) => [where, { adult_mode: null }] as const),
      [wholeChat, { adult_mode: isOn ? true : null }],
    ]);
  }

  async function set(isOn: boolean): Promise<void> {
    getPlatform().haptic('light');
    try {
      await applyValues(client, { chatId, kind: 'values', values: toValues(isOn) });
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  }

  const { heading, about, on, onAbout, keep } = contentTexts.adults;
  return (
    <Section heading={heading} headingLevel={3} foot={about}>
      <PlaceChoice chat={chat} place={place} onChoose={setPlace} />
      <SwitchCell
        key={place}
        title={on}
        about={onAbout}
        isOn={(isOnIn(place) ?? isOnInChat) === true}
        onChange={(isOn) => void set(isOn)}
      />
      <TimeChoice
        title={keep}
        times={keepTimes}
        typed={{ limits: adultKeepLimits }}
        value={readValue(all[wholeChat], 'adult_clean')}
        onChoose={(value) => choose({ name: 'adult_clean', value })}
      />
    </Section>
  );
}

const max = listedMax('note');
/** Notes that are shown before the rest is asked for. */
const maxAtFirst = 50;
/** With fewer notes there is nothing to search. */
const searchedFrom = 8;

/** What the editor has open: a note by its name, or a new one. */
type Opened = { readonly name: string | undefined };

function NotesList({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const notes = readListed(Object.entries(useAllShown(chatId)[wholeChat] ?? {}), 'note');
  const contents = useContents(
    chatId,
    [...notes.values()].map(({ content }) => content),
  );
  const [term, setTerm] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const list = useRef<HTMLUListElement>(null);
  const wanted = toSearchable(useDeferredValue(term).trim().replace(/^#/, ''));
  const found = [...notes]
    .filter(([name, { content }]) =>
      toSearchable(`${name} ${contents[content]?.text ?? ''}`).includes(wanted),
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const shown = isWhole || wanted !== '' ? found : found.slice(0, maxAtFirst);
  // The menu is gone with its row.
  useFocusKept(list, notes.size);

  return (
    <Section
      heading={noteTexts.heading}
      headingLevel={3}
      action={<span className={styles.total}>{noteTexts.count(notes.size, max)}</span>}
      remark={noteTexts.about}
      foot={notes.size >= max && noteTexts.full(max)}
    >
      {notes.size >= searchedFrom && (
        <div className={styles.inset}>
          <SearchField
            label={noteTexts.search}
            clearLabel={chatTexts.clearSearch}
            value={term}
            onChange={setTerm}
          />
        </div>
      )}
      {notes.size < max && (
        <Cell
          tone="accent"
          before={<Plus size={20} />}
          title={noteTexts.add}
          onClick={() => setOpened({ name: undefined })}
        />
      )}
      <div aria-live="polite">
        {found.length === 0 && (
          <p className={styles.note}>
            {notes.size === 0 ? noteTexts.none : noteTexts.nothingFound}
          </p>
        )}
      </div>
      <ul ref={list} tabIndex={-1} aria-label={noteTexts.heading}>
        {shown.map(([name, note]) => (
          <NoteRow
            key={name}
            chatId={chatId}
            name={name}
            note={note}
            body={contents[note.content]}
            onOpen={() => setOpened({ name })}
          />
        ))}
      </ul>
      {shown.length < found.length && (
        <Cell
          tone="accent"
          title={noteTexts.showAll(found.length)}
          onClick={() => setIsWhole(true)}
        />
      )}
      {opened && (
        <NoteEditor
          chat={chat}
          name={opened.name}
          notes={notes}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}

type NoteRowProps = {
  readonly chatId: string;
  readonly name: string;
  readonly note: Note;
  readonly body: ContentBody | undefined;
  readonly onOpen: () => void;
};

function NoteRow({ chatId, name, note, body, onOpen }: NoteRowProps) {
  const choose = useChooseValue(chatId);
  const copy = useCopyText();
  const { href: bot } = useBotLink();
  const link = note.isPrivate && bot && `${bot}?start=${notePayload(Number(chatId), name)}`;
  const flags = (['isPrivate', 'isForAdmins', 'isProtected'] as const)
    .filter((flag) => note[flag] === true)
    .map((flag) => noteTexts[flag])
    .join(' · ');

  async function copyLink(address: string): Promise<void> {
    const isCopied = await copy(address);
    if (isCopied) {
      showInfo('note-link', noteTexts.copied);
    } else {
      showFailure('note-link', noteTexts.notCopied);
    }
  }

  return (
    <li className={styles.withMenu}>
      <Cell
        title={<bdi>{`#${name}`}</bdi>}
        subtitle={<ContentSummary body={body} remark={flags} />}
        onClick={onOpen}
      />
      <MenuButton
        label={noteTexts.menu(name)}
        items={() => [
          { text: noteTexts.edit, onSelect: onOpen },
          ...(link ? [{ text: noteTexts.copyLink, onSelect: () => void copyLink(link) }] : []),
          {
            text: noteTexts.remove,
            className: styles.refusal,
            onSelect: () => {
              const value = listedName('note', name);
              choose({ name: value, value: null, text: valueLine(value, null) });
            },
          },
        ]}
      />
    </li>
  );
}

type NoteEditorProps = {
  readonly chat: Chat;
  /** Undefined for a new note. */
  readonly name: string | undefined;
  readonly notes: ReadonlyMap<string, Note>;
  readonly onClose: () => void;
};

const flags = ['isPrivate', 'isForAdmins', 'isProtected'] as const;
type Flags = { readonly [Flag in (typeof flags)[number]]: boolean };

function NoteEditor({ chat, name, notes, onClose }: NoteEditorProps) {
  const { chat_id: chatId } = chat;
  const client = useQueryClient();
  const choose = useChooseValue(chatId);
  const note = name === undefined ? undefined : notes.get(name);
  const [chosen, setChosen] = useState<Flags>({
    isPrivate: note?.isPrivate ?? false,
    isForAdmins: note?.isForAdmins ?? false,
    isProtected: note?.isProtected ?? false,
  });

  function check(key: string): string | undefined {
    if (key === '') {
      return editorTexts.noName;
    }
    if (readListedName(listedName('note', key)) === undefined) {
      return editorTexts.badName;
    }
    return key !== name && notes.has(key) ? editorTexts.taken(key) : undefined;
  }

  async function rename(former: string, key: string, value: Note): Promise<void> {
    const values = {
      [wholeChat]: { [listedName('note', former)]: null, [listedName('note', key)]: value },
    };
    try {
      const change = await applyValues(client, { chatId, kind: 'values', values });
      if (change) {
        offerUndo(client, [{ chatId, change }], () => valueLine(listedName('note', key), value));
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  }

  function save(content: string, key: string): void {
    const on = flags.filter((flag) => chosen[flag]).map((flag) => [flag, true] as const);
    const value: Note = { content, ...Object.fromEntries(on) };
    if (name !== undefined && key !== name) {
      void rename(name, key, value);
    } else {
      const valueName = listedName('note', key);
      choose({ name: valueName, value, text: valueLine(valueName, value) });
    }
  }

  const flagRow = (flag: keyof Flags, title: string, about: string) => (
    <SwitchCell
      title={title}
      about={about}
      isOn={chosen[flag]}
      onChange={(isOn) => setChosen({ ...chosen, [flag]: isOn })}
    />
  );
  return (
    <ContentEditor
      chat={chat}
      title={name === undefined ? editorTexts.add : editorTexts.edit(name)}
      kind="note"
      toName={(key) => listedName('note', key)}
      keyField={{
        label: editorTexts.name,
        hint: editorTexts.hint,
        initial: name ?? '',
        check,
        toKey: (typed) => typed.trim().replace(/^#/, '').toLowerCase(),
      }}
      options={
        <Section heading={editorTexts.options} headingLevel={3}>
          {flagRow('isPrivate', editorTexts.private, editorTexts.privateAbout)}
          {flagRow('isForAdmins', editorTexts.admins, editorTexts.adminsAbout)}
          {flagRow('isProtected', editorTexts.protected, editorTexts.protectedAbout)}
        </Section>
      }
      contentId={note?.content}
      onSave={({ contentId, key }) => save(contentId, key)}
      onClose={onClose}
    />
  );
}
