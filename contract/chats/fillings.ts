/** Fills names and numbers into what the bot sends, and shifts its formatting. Pure, so that the page shows what the bot sends. */
import { type ContentEntity } from './contents.ts';

/** What can stand in a text, in braces. */
export const fillingNames = [
  'first',
  'last',
  'mention',
  'username',
  'id',
  'chatname',
  'count',
  'rules',
] as const;
export type FillingName = (typeof fillingNames)[number];

/** A user, in the words of Telegram. */
export type FilledPerson = {
  readonly id: number;
  readonly first_name: string;
  readonly last_name?: string | undefined;
  readonly username?: string | undefined;
};

export type Fillings = {
  /** Whom it is about: one, or all who are greeted together. */
  readonly people: readonly FilledPerson[];
  readonly chatName: string;
  /** How many members the chat has; undefined where that is not known. */
  readonly count?: number | undefined;
  /** How the rules are called; a link to them where the chat has some. */
  readonly rules: { readonly label: string; readonly url?: string | undefined };
};

/** A link to a person, which also reaches those without a @name. */
type MentionEntity = {
  readonly type: 'text_mention';
  readonly offset: number;
  readonly length: number;
  readonly user: { readonly id: number; readonly is_bot: false; readonly first_name: string };
};
export type FilledEntity = ContentEntity | MentionEntity;
export type FilledText = { readonly text: string; readonly entities: readonly FilledEntity[] };

/** Telegram's own limits of what is sent, in UTF-16 code units. */
export const sentLimits = { text: 4096, caption: 1024 } as const;

/** How many are named when several are greeted together; the others are counted. */
const maxNamed = 10;

const slot = /\{(first|last|mention|username|id|chatname|count|rules)\}/g;

export function hasFilling(text: string, name: FillingName): boolean {
  return text.includes(`{${name}}`);
}

/** Fills a text and cuts it to `max` UTF-16 code units, never within a sign that a reader sees as one. */
export function fillText(
  { text, entities }: { readonly text: string; readonly entities: readonly ContentEntity[] },
  fillings: Fillings,
  max: number = sentLimits.text,
): FilledText {
  let filled = '';
  let readTo = 0;
  const replaced: Replaced[] = [];
  const added: FilledEntity[] = [];
  for (const match of text.matchAll(slot)) {
    filled += text.slice(readTo, match.index);
    readTo = match.index + match[0].length;
    const becomes = toFilled(match[1], fillings);
    added.push(...becomes.entities.map((entity) => moveBy(entity, filled.length)));
    replaced.push({
      from: match.index,
      to: readTo,
      becomesFrom: filled.length,
      becomesTo: filled.length + becomes.text.length,
    });
    filled += becomes.text;
  }
  filled += text.slice(readTo);
  const moved = entities.map((entity) => move(entity, replaced));
  const fixed = moved.filter(({ type }) => takesNoOthers.has(type));
  const all = [...moved, ...added.filter((one) => !fixed.some((other) => overlaps(one, other)))];
  const cut = cutText(filled, max);
  return {
    text: cut,
    entities: all
      .map((entity) => endAt(entity, cut.length))
      .filter(({ length }) => length > 0)
      .toSorted((one, other) => one.offset - other.offset || other.length - one.length),
  };
}

const endAt = (entity: FilledEntity, end: number): FilledEntity => ({
  ...entity,
  length: Math.min(entity.offset + entity.length, end) - entity.offset,
});

/** Telegram takes no links to people or addresses inside of these. */
const takesNoOthers: ReadonlySet<string> = new Set(['code', 'pre', 'text_link']);

type Span = { readonly offset: number; readonly length: number };

const overlaps = (one: Span, other: Span) =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;

/** A filling: where it stood, and where what replaces it stands. */
type Replaced = {
  readonly from: number;
  readonly to: number;
  readonly becomesFrom: number;
  readonly becomesTo: number;
};

function move(entity: ContentEntity, replaced: readonly Replaced[]): ContentEntity {
  const start = movePosition(entity.offset, replaced, 'becomesFrom');
  const end = movePosition(entity.offset + entity.length, replaced, 'becomesTo');
  return { ...entity, offset: start, length: end - start };
}

/** Formatting that begins or ends within a filling covers all of it. */
function movePosition(
  position: number,
  replaced: readonly Replaced[],
  within: 'becomesFrom' | 'becomesTo',
): number {
  let shift = 0;
  for (const one of replaced) {
    if (position <= one.from) {
      break;
    }
    if (position < one.to) {
      return one[within];
    }
    shift = one.becomesTo - one.to;
  }
  return position + shift;
}

const moveBy = (entity: FilledEntity, by: number): FilledEntity => ({
  ...entity,
  offset: entity.offset + by,
});

const plain = (text: string): FilledText => ({ text, entities: [] });

function toFilled(name: string | undefined, fillings: Fillings): FilledText {
  const { people, chatName, count, rules } = fillings;
  const [first] = people;
  if (name === 'chatname') {
    return plain(toPlainName(chatName));
  }
  if (name === 'count') {
    return plain(count === undefined ? '' : String(count));
  }
  if (name === 'rules') {
    return toRulesLink(rules);
  }
  if (name === 'last' && people.length === 1) {
    return plain(toPlainName(first?.last_name ?? ''));
  }
  return joinPeople(people, writers[name ?? ''] ?? toFirstName);
}

function toRulesLink({ label, url }: Fillings['rules']): FilledText {
  const { length } = label;
  return url === undefined
    ? plain(label)
    : { text: label, entities: [{ type: 'text_link', offset: 0, length, url }] };
}

const writers: Readonly<Record<string, (person: FilledPerson) => FilledText>> = {
  mention: toMention,
  username: (person) =>
    person.username === undefined ? toMention(person) : plain(`@${person.username}`),
  id: ({ id }) => plain(String(id)),
};

function toFirstName({ first_name, id }: FilledPerson): FilledText {
  return plain(toPlainName(first_name) || String(id));
}

function toMention(person: FilledPerson): FilledText {
  const { text } = toFirstName(person);
  const user = { id: person.id, is_bot: false, first_name: text } as const;
  return { text, entities: [{ type: 'text_mention', offset: 0, length: text.length, user }] };
}

function joinPeople(
  people: readonly FilledPerson[],
  write: (person: FilledPerson) => FilledText,
): FilledText {
  let text = '';
  const entities: FilledEntity[] = [];
  for (const person of people.slice(0, maxNamed)) {
    text += text === '' ? '' : ', ';
    const written = write(person);
    entities.push(...written.entities.map((entity) => moveBy(entity, text.length)));
    text += written.text;
  }
  const others = people.length - maxNamed;
  return { text: others > 0 ? `${text}, +${others}` : text, entities };
}

/** Signs that turn the direction of what follows have no place in a name: they would turn the rest of the text. */
const toPlainName = (name: string) => name.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '').trim();

/** Longer than any sign that a reader sees as one, such as a family or a flag. */
const longestSign = 64;

/** The beginning of a text, with whole signs alone. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const from = Math.max(0, max - longestSign);
  // Where the look begins inside of a sign, that one ends long before the cut.
  const near = text.slice(from, max + longestSign);
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(near)) {
    if (from + index + segment.length > max) {
      break;
    }
    end = index + segment.length;
  }
  return text.slice(0, from + end).toWellFormed();
}
