/** The blocklist of a chat or a topic, and the links that stay: adding several at once, finding, and removing entries. */
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useRef, useState } from 'react';

import {
  type BlockAction,
  listedMax,
  listedName,
  readListed,
  readListedName,
  readStickerSet,
  readValue,
  toStickerKey,
  toTriggerKey,
} from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { useFocusKept } from '#lib/focus';
import { language } from '#lib/language';
import { toSearchable } from '#lib/search-term';
import { Button, IconButton } from '#ui/button';
import { AreaField } from '#ui/field';
import { SearchField } from '#ui/search-field';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { reportFailedWrite } from '../failed-writes.ts';
import { parseTime } from '../moderation/times.ts';
import { ActionRows, PlaceChoice, usePlace } from '../rule-rows.tsx';
import { offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { actText, valueLine } from '../value-lines.ts';
import { MissingRight } from '../value-rows.tsx';
import { isSame, useAllShown, useShownValues } from '../value-writes.ts';
import { automaticTexts } from './texts.ts';

import styles from '../sections/sections.module.css';

const { blocklist: texts, allowed: allowedTexts, list: listTexts } = automaticTexts;

/** Entries that are shown before the rest is asked for. */
const maxAtFirst = 50;
/** With fewer entries there is nothing to search. */
const searchedFrom = 8;

const day = 86_400;
const actionNames = ['blocklist_action'] as const;
const actionKinds = ['delete', 'warn', 'mute', 'ban'] as const;

export function Blocklist({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const [place, setPlace] = usePlace(chat);
  const action = readValue(useShownValues({ chatId, names: actionNames }), 'blocklist_action');
  const choose = useChooseValue(chatId);
  const blocked = useEntries({ chatId, place, kind: 'block' });
  const allowed = useEntries({ chatId, place, kind: 'allow' });

  return (
    <>
      <Section
        heading={texts.heading}
        headingLevel={3}
        action={<Total count={blocked.total} max={listedMax('block')} />}
        remark={texts.about}
      >
        <MissingRight
          chatId={chatId}
          right="delete"
          {...((action.kind === 'mute' || action.kind === 'ban') && { and: 'restrict' })}
        />
        <ActionRows
          title={texts.action}
          kinds={actionKinds}
          action={action}
          usualSeconds={day}
          onChoose={(value) =>
            choose({ name: 'blocklist_action', value, text: valueLine('blocklist_action', value) })
          }
        />
        <PlaceChoice chat={chat} place={place} onChoose={setPlace} />
        <Entries
          key={place}
          {...{ chatId, place, ...blocked }}
          kind="block"
          words={texts}
          hasAction
        />
      </Section>
      <Section
        heading={allowedTexts.heading}
        headingLevel={3}
        action={<Total count={allowed.total} max={listedMax('allow')} />}
        remark={allowedTexts.about}
      >
        <PlaceChoice chat={chat} place={place} onChoose={setPlace} />
        <Entries key={place} {...{ chatId, place, ...allowed }} kind="allow" words={allowedTexts} />
      </Section>
    </>
  );
}

function Total({ count, max }: { readonly count: number; readonly max: number }) {
  return <span className={styles.total}>{listTexts.count(count, max)}</span>;
}

type Kind = 'block' | 'allow';

type EntriesOptions = { readonly chatId: string; readonly place: string; readonly kind: Kind };

/** Pattern → what follows, which is undefined where that of the chat counts. */
type EntryMap = ReadonlyMap<string, BlockAction | undefined>;

/** The entries of a place, and how many the whole chat has. */
function useEntries({ chatId, place, kind }: EntriesOptions) {
  const all = useAllShown(chatId);
  const read = (named: Readonly<Record<string, unknown>>): EntryMap => {
    const stored = Object.entries(named);
    return kind === 'allow'
      ? new Map([...readListed(stored, kind).keys()].map((key) => [key, undefined]))
      : new Map([...readListed(stored, kind)].map(([key, entry]) => [key, entry.action]));
  };
  return {
    entries: read(all[place] ?? {}),
    total: Object.values(all).reduce((sum, named) => sum + read(named).size, 0),
  };
}

type EntriesProps = EntriesOptions & {
  readonly entries: EntryMap;
  readonly total: number;
  readonly words: typeof texts | typeof allowedTexts;
  readonly hasAction?: boolean;
};

function Entries({ entries, total, words, hasAction = false, ...where }: EntriesProps) {
  const [term, setTerm] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const wanted = toSearchable(useDeferredValue(term).trim());
  const found = [...entries]
    .filter(([pattern]) => toSearchable(pattern).includes(wanted))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const shown = isWhole ? found : found.slice(0, maxAtFirst);
  // The pressed button is gone with its row.
  useFocusKept(list, entries.size);

  return (
    <>
      <AddLines {...where} room={listedMax(where.kind) - total} known={entries} words={words} />
      {entries.size >= searchedFrom && (
        <div className={styles.inset}>
          <SearchField
            label={words.search}
            clearLabel={chatTexts.clearSearch}
            value={term}
            onChange={setTerm}
          />
        </div>
      )}
      <div aria-live="polite">
        {found.length === 0 && (
          <p className={styles.note}>{entries.size === 0 ? words.none : listTexts.nothingFound}</p>
        )}
      </div>
      <ul ref={list} tabIndex={-1} aria-label={words.label}>
        {shown.map(([pattern, action]) => (
          <EntryRow key={pattern} {...where} {...{ pattern, action, hasAction }} />
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

type AddLinesProps = EntriesOptions & {
  /** How many more the chat may have. */
  readonly room: number;
  readonly known: EntryMap;
  readonly words: EntriesProps['words'];
};

/** A field for one entry or many. Lines that are none stay in it. */
function AddLines({ chatId, place, kind, room, known, words }: AddLinesProps) {
  const id = useId();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  async function add(entries: ReadonlyMap<string, unknown>): Promise<void> {
    const named = [...entries].map(([key, value]) => [listedName(kind, key), value] as const);
    const values = { [place]: Object.fromEntries(named) };
    try {
      const change = await applyValues(client, { chatId, kind: 'values', values });
      if (change) {
        offerUndo(client, [{ chatId, change }], texts.added);
      }
    } catch (failure) {
      reportFailedWrite(chatId, failure);
      setText((typed) => [...entries.keys(), ...(typed === '' ? [] : [typed])].join('\n'));
    }
  }

  function submit(): void {
    const { entries, invalid } = readLines(text, kind);
    const added = [...entries.keys()].filter((key) => !known.has(key)).length;
    const problem =
      added > room
        ? room > 0
          ? listTexts.tooMany(room)
          : listTexts.full(listedMax(kind))
        : invalid.length > 0
          ? words.unusable(invalid.length)
          : undefined;
    setError(problem);
    if (problem !== undefined || entries.size === 0) {
      document.getElementById(id)?.focus();
    }
    if (added <= room) {
      setText(invalid.join('\n'));
      if (entries.size > 0) {
        void add(entries);
      }
    }
  }

  return (
    <form
      noValidate
      className={styles.inset}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AreaField
        id={id}
        label={words.add}
        hint={words.addHint}
        error={error}
        rows={2}
        dir="auto"
        value={text}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          setError(undefined);
        }}
      />
      <Button type="submit">{words.addButton}</Button>
    </form>
  );
}

type EntryRowProps = EntriesOptions & {
  readonly pattern: string;
  readonly action: BlockAction | undefined;
  readonly hasAction: boolean;
};

function EntryRow({ chatId, place, kind, pattern, action, hasAction }: EntryRowProps) {
  const choose = useChooseValue(chatId);
  const name = listedName(kind, pattern);
  return (
    <li className={styles.withMenu}>
      <Cell
        className={styles.choice}
        title={<bdi>{pattern}</bdi>}
        after={
          hasAction && (
            <EntryAction
              label={texts.actionFor(pattern)}
              action={action}
              onChoose={(chosen) =>
                choose({ place, name, value: chosen === undefined ? {} : { action: chosen } })
              }
            />
          )
        }
      />
      <IconButton
        label={texts.remove(pattern)}
        icon={<Trash2 aria-hidden size={20} />}
        onClick={() => choose({ place, name, value: null, text: valueLine(name, null) })}
      />
    </li>
  );
}

const entryActions: readonly BlockAction[] = [
  { kind: 'delete' },
  { kind: 'warn' },
  { kind: 'mute', seconds: 3600 },
  { kind: 'mute', seconds: day },
  { kind: 'mute' },
  { kind: 'ban', seconds: day },
  { kind: 'ban' },
];

type EntryActionProps = {
  readonly label: string;
  readonly action: BlockAction | undefined;
  readonly onChoose: (action: BlockAction | undefined) => void;
};

/** What follows one entry. A command may have set any time. */
function EntryAction({ label, action, onChoose }: EntryActionProps): ReactNode {
  const isOffered = action === undefined || entryActions.some((one) => isSame(one, action));
  const offered = isOffered ? entryActions : [...entryActions, action];
  const chosen = offered.findIndex((one) => isSame(one, action));
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ target }) => onChoose(offered[Number(target.value)])}
    >
      <option value={-1}>{texts.usual}</option>
      {offered.map((one, index) => (
        <option key={actText(one)} value={index}>
          {asSentence(actText(one))}
        </option>
      ))}
    </select>
  );
}

const asSentence = (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

type ReadLines = {
  /** Key → what is stored for it; of two lines with the same key the last counts. */
  readonly entries: ReadonlyMap<string, unknown>;
  /** The lines that are none, as they were typed. */
  readonly invalid: readonly string[];
};

/** Each line is an entry; what follows a blocked word may stand behind it as in the command: `{mute 1h}`. */
function readLines(text: string, kind: Kind): ReadLines {
  const entries = new Map<string, unknown>();
  const invalid: string[] = [];
  for (const line of text.split(/\r?\n/).filter((typed) => typed.trim() !== '')) {
    const entry = kind === 'block' ? readBlockLine(line) : { key: toKey(line), value: true };
    if (entry === undefined || readListedName(listedName(kind, entry.key)) === undefined) {
      invalid.push(line);
    } else {
      entries.set(entry.key, entry.value);
    }
  }
  return { entries, invalid };
}

/** Written as in the command. */
function readBlockLine(
  line: string,
): { readonly key: string; readonly value: unknown } | undefined {
  const [, typed = '', action] = /^(.*?)(?:\{([^{}]*)\})?\s*$/.exec(line) ?? [];
  if (action === undefined) {
    return { key: toKey(typed), value: {} };
  }
  const read = readAction(action.trim().toLowerCase());
  return read && { key: toKey(typed), value: { action: read } };
}

/** "ban", "mute 1h". */
function readAction(text: string): BlockAction | undefined {
  const [kind, ...time] = text.split(/\s+/);
  if ((kind === 'delete' || kind === 'warn') && time.length === 0) {
    return { kind };
  }
  if (kind !== 'mute' && kind !== 'ban') {
    return undefined;
  }
  if (time.length === 0) {
    return { kind };
  }
  const seconds = parseTime(time.join(''));
  return seconds === undefined ? undefined : { kind, seconds };
}

function toKey(typed: string): string {
  const [, linked] = /^\s*(?:https?:\/\/)?t\.me\/addstickers\/(\w+)\s*$/i.exec(typed) ?? [];
  const key = toTriggerKey(typed).replace(/^https?:\/\//, '');
  const set = linked ?? readStickerSet(key);
  return set === undefined ? key : toStickerKey(set);
}
