/**
 * A text with its formatting beside it, as Telegram has it: positions in UTF-16 code units. The text is typed in a
 * plain text field, and each edit moves the formatting along.
 */
import { type ContentEntity } from '#contract/chats/contents';

export type MarkedText = {
  readonly text: string;
  readonly entities: readonly ContentEntity[];
};
/** From the first position to the one after the last. */
export type Range = { readonly from: number; readonly to: number };

/** What a button of the toolbar switches. */
export type MarkName =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'spoiler'
  | 'blockquote'
  | 'code';

type EntityType = ContentEntity['type'];

/** The forms that one button switches. */
const forms: Readonly<Record<MarkName, readonly EntityType[]>> = {
  bold: ['bold'],
  italic: ['italic'],
  underline: ['underline'],
  strikethrough: ['strikethrough'],
  spoiler: ['spoiler'],
  blockquote: ['blockquote', 'expandable_blockquote'],
  code: ['code', 'pre'],
};

/** What goes on when something is typed right after it. */
const growing: ReadonlySet<EntityType> = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'pre',
]);

/** Telegram takes no other formatting inside of code, except that a quote may hold all of it. */
const quotes: ReadonlySet<EntityType> = new Set(['blockquote', 'expandable_blockquote']);
const codes: ReadonlySet<EntityType> = new Set(['code', 'pre']);

type Edit = Range & { readonly inserted: string };

const isHigh = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text.charAt(at));

/**
 * What has changed between two texts; `caret` is where it stands after the change. Between equal letters the caret
 * alone says which of them is new.
 */
function findEdit(before: string, after: string, caret: number): Edit {
  const left = after.length - caret;
  const fitsCaret = left <= before.length && before.endsWith(after.slice(caret));
  const end = fitsCaret ? left : commonEnd(before, after);
  const max = Math.min(before.length, after.length) - end;
  let from = 0;
  while (from < max && before[from] === after[from]) {
    from += 1;
  }
  // Never between the halves of one sign.
  if (from > 0 && isHigh(before, from - 1)) {
    from -= 1;
  }
  return { from, to: before.length - end, inserted: after.slice(from, after.length - end) };
}

function commonEnd(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  let length = 0;
  while (length < max && one.at(-1 - length) === other.at(-1 - length)) {
    length += 1;
  }
  return length > 0 && /[\uDC00-\uDFFF]/.test(one.charAt(one.length - length))
    ? length - 1
    : length;
}

/** What the formatting at the caret was switched to before something was typed there. */
export type Switched = ReadonlyMap<MarkName, boolean>;

/** The text after the field has changed. */
export function editText(
  before: MarkedText,
  {
    text,
    caret,
    switched,
  }: { readonly text: string; readonly caret: number; readonly switched?: Switched },
): MarkedText {
  const edit = findEdit(before.text, text, caret);
  const edited = replaceRange(before, edit, edit.inserted);
  const typed = { from: edit.from, to: edit.from + edit.inserted.length };
  let result = edited;
  for (const [name, isOn] of typed.to > typed.from ? (switched ?? []) : []) {
    if (isMarked(result, typed, name) !== isOn) {
      result = toggleMark(result, typed, name);
    }
  }
  return result;
}

/** Replaces a part of the text. What replaces formatted text has its formatting. */
export function replaceRange(
  { text, entities }: MarkedText,
  { from, to }: Range,
  inserted: string,
): MarkedText {
  const edit = { from, to, inserted };
  return {
    text: text.slice(0, from) + inserted + text.slice(to),
    entities: toTidy(entities.flatMap((entity) => shift(entity, edit))),
  };
}

function shift(entity: ContentEntity, edit: Edit): readonly ContentEntity[] {
  const { from, to, inserted } = edit;
  const start = entity.offset;
  const end = ends(entity);
  const by = inserted.length - (to - from);
  const isTypedAtEnd = from === to && end === from && growing.has(entity.type);
  if (end <= from && !isTypedAtEnd) {
    return [entity];
  }
  if (start >= to) {
    return [{ ...entity, offset: start + by }];
  }
  // An emoji is one sign: what is written into it is something else.
  return entity.type === 'custom_emoji' ? [] : cut(entity, edit);
}

/** What is left of formatting when text that has some of it is replaced. */
function cut(entity: ContentEntity, { from, to, inserted }: Edit): readonly ContentEntity[] {
  const start = entity.offset;
  const end = ends(entity);
  const by = inserted.length - (to - from);
  if (start <= from && end >= to) {
    return [{ ...entity, length: entity.length + by }];
  }
  if (start < from) {
    return [{ ...entity, length: from - start }];
  }
  return end > to ? [{ ...entity, offset: from + inserted.length, length: end - to }] : [];
}

const ends = ({ offset, length }: ContentEntity) => offset + length;

const isSameKind = (one: ContentEntity, other: ContentEntity) =>
  one.type === other.type &&
  one.type !== 'custom_emoji' &&
  one.url === other.url &&
  one.language === other.language;

/** Sorted, without empty ones, and with those in one that touch each other. */
function toTidy(entities: readonly ContentEntity[]): readonly ContentEntity[] {
  const tidy: ContentEntity[] = [];
  for (const entity of entities
    .filter(({ length }) => length > 0)
    .toSorted((one, other) => one.offset - other.offset || other.length - one.length)) {
    const at = tidy.findIndex((other) => isSameKind(entity, other) && entity.offset <= ends(other));
    const former = tidy[at];
    if (former === undefined) {
      tidy.push(entity);
    } else {
      const end = Math.max(ends(former), ends(entity));
      tidy[at] = { ...former, length: end - former.offset };
    }
  }
  return tidy;
}

/** Whether all of a range has the formatting; of an empty range, whether what is typed there gets it. */
export function isMarked({ entities }: MarkedText, { from, to }: Range, name: MarkName): boolean {
  const own = entities.filter(({ type }) => forms[name].includes(type));
  if (from === to) {
    return own.some((entity) =>
      growing.has(entity.type)
        ? entity.offset < from && ends(entity) >= from
        : entity.offset < from && ends(entity) > from,
    );
  }
  let covered = from;
  for (const entity of own) {
    if (entity.offset <= covered) {
      covered = Math.max(covered, ends(entity));
    }
  }
  return covered >= to;
}

/** Without the blanks around it, which have no formatting; the range itself where nothing else is in it. */
function toWords(text: string, { from, to }: Range): Range {
  const part = text.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  return part.trim() === '' ? { from, to } : { from: start, to: start + part.trim().length };
}

/** A quote holds whole lines. */
function toLines(text: string, { from, to }: Range): Range {
  const end = text.indexOf('\n', to);
  return { from: text.lastIndexOf('\n', from - 1) + 1, to: end === -1 ? text.length : end };
}

function getRange(text: string, range: Range, name: MarkName): Range {
  const words = toWords(text, range);
  return name === 'blockquote' ? toLines(text, words) : words;
}

/** Gives a range a formatting, or takes it away where all of the range has it. */
export function toggleMark(marked: MarkedText, range: Range, name: MarkName): MarkedText {
  const { text } = marked;
  const wanted = getRange(text, range, name);
  const { from, to } = wanted;
  if (from === to) {
    return marked;
  }
  const without = clear(marked.entities, wanted, (type) => forms[name].includes(type));
  if (isMarked(marked, wanted, name)) {
    return { text, entities: toTidy(without) };
  }
  const isLong = text.slice(from, to).includes('\n');
  const type = name === 'code' && isLong ? 'pre' : name;
  return { text, entities: add(without, { type, offset: from, length: to - from }) };
}

/** Makes a range a link; without an address, it is none any more. */
export function setLink(marked: MarkedText, range: Range, url: string | undefined): MarkedText {
  const { from, to } = toWords(marked.text, range);
  const without = clear(marked.entities, { from, to }, (type) => type === 'text_link');
  return {
    text: marked.text,
    entities:
      url === undefined
        ? toTidy(without)
        : add(without, { type: 'text_link', offset: from, length: to - from, url }),
  };
}

function add(entities: readonly ContentEntity[], entity: ContentEntity): readonly ContentEntity[] {
  const range = { from: entity.offset, to: ends(entity) };
  const others = quotes.has(entity.type)
    ? entities
    : clear(entities, range, (type) =>
        codes.has(entity.type) ? !quotes.has(type) : codes.has(type),
      );
  return toTidy([...others, entity]);
}

/** Takes the types that are meant away from a range. */
function clear(
  entities: readonly ContentEntity[],
  { from, to }: Range,
  isMeant: (type: EntityType) => boolean,
): readonly ContentEntity[] {
  return entities.flatMap((entity) => {
    const end = ends(entity);
    if (!isMeant(entity.type) || end <= from || entity.offset >= to) {
      return [entity];
    }
    return [
      { ...entity, length: from - entity.offset },
      { ...entity, offset: to, length: end - to },
    ].filter(({ length }) => length > 0);
  });
}

/** The link that touches a range. */
export function findLink(
  { entities }: MarkedText,
  { from, to }: Range,
): (Range & { readonly url: string }) | undefined {
  const link = entities.find(
    (entity) => entity.type === 'text_link' && entity.offset <= to && ends(entity) >= from,
  );
  return link && { from: link.offset, to: ends(link), url: link.url ?? '' };
}

/** Without blanks at its ends, which Telegram does not send. */
export function toTrimmed({ text, entities }: MarkedText): MarkedText {
  const trimmed = text.trim();
  const by = text.length - text.trimStart().length;
  return {
    text: trimmed,
    entities: toTidy(
      entities.map((entity) => {
        const start = Math.max(0, entity.offset - by);
        return {
          ...entity,
          offset: start,
          length: Math.min(trimmed.length, ends(entity) - by) - start,
        };
      }),
    ),
  };
}

/** A part of the text that has one formatting. */
export type Run = Range & {
  readonly text: string;
  readonly types: ReadonlySet<string>;
  readonly url?: string | undefined;
};

type AnyEntity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string | undefined;
};

/** The parts of a text between the ends of all its formatting, in their order. */
export function toRuns(text: string, entities: readonly AnyEntity[]): readonly Run[] {
  const edges = new Set([0, text.length]);
  for (const { offset, length } of entities) {
    edges.add(offset);
    edges.add(offset + length);
  }
  const sorted = [...edges].toSorted((one, other) => one - other);
  return sorted.slice(1).map((to, index) => {
    const from = sorted[index] ?? 0;
    const around = entities.filter(({ offset, length }) => offset <= from && offset + length >= to);
    return {
      from,
      to,
      text: text.slice(from, to),
      types: new Set(around.map(({ type }) => type)),
      url: around.find(({ url }) => url !== undefined)?.url,
    };
  });
}
