/** Makes the English messages from the text modules, for translators. */
import { type MessageFiles } from './files.ts';
import { englishSpeech, parseMessage, quoteText, sampleValues, sayMessage } from './messages.ts';
import { type Finding, type Text, type TextFunction, type Value } from './texts.ts';

/**
 * The English messages of all texts in the order of the modules. A sentence of `kept` stays while it says
 * what its function says; else one is made from what the function answers. The findings name functions for
 * which that fails.
 */
export function makeEnglish(texts: readonly Text[], kept: MessageFiles) {
  const files: Record<string, Record<string, string>> = {};
  const findings: Finding[] = [];
  for (const { file, namespace, key, english } of texts) {
    const known = kept[namespace]?.[key];
    const message = typeof english === 'string' ? quoteText(english) : toMessage(english, known);
    if (message === undefined) {
      findings.push({ file, key, what: adviceFor(english, namespace) });
    } else {
      files[namespace] = { ...files[namespace], [key]: message };
    }
  }
  return { files, findings };
}

function adviceFor(english: Text['english'], namespace: string): string {
  const names =
    typeof english === 'string' ? [] : english.parameters.map(({ name }) => `{${name}}`);
  return `no sentence could be made of this function: write its message with ${names.join(' and ')} to locales/en/${namespace}.json, or let the caller choose between simpler texts`;
}

function toMessage(text: TextFunction, known: string | undefined): string | undefined {
  if (known !== undefined && isSaid(text, known)) {
    return known;
  }
  const made = makeMessage(text);
  return isSaid(text, made) ? made : undefined;
}

/** Whether the message says what the function says for all sample values. */
function isSaid(text: TextFunction, message: string): boolean {
  try {
    const elements = parseMessage(message);
    return sampleValues(text.parameters).every((values) => {
      const named = text.parameters.map(({ name }, index) => [name, values[index] ?? '']);
      return sayMessage(elements, Object.fromEntries(named), englishSpeech) === text.call(values);
    });
  } catch {
    return false;
  }
}

/** Numbers that no text contains, one for each parameter. */
const markers = [7_654_301, 7_654_302, 7_654_303, 7_654_304, 7_654_305];
const markerAt = (index: number) => markers[index] ?? 0;

/**
 * Finds the sentence by asking the function. Strings and numbers are replaced by markers, booleans are tried
 * out, and so are one and none of a number that changes the words.
 */
function makeMessage(text: TextFunction): string {
  const { parameters } = text;
  const unknown = parameters.map(({ name, type }, index) =>
    type === 'string' ? marked(name) : type === 'number' ? markerAt(index) : true,
  );
  const decide = (values: readonly Value[], index: number): string => {
    const parameter = parameters[index];
    if (parameter === undefined) {
      return markArguments(text, quoteText(text.call(values)));
    }
    const { name, type } = parameter;
    const make = (value: Value) => decide(values.with(index, value), index + 1);
    const other = make(values[index] ?? '');
    if (type === 'boolean') {
      const no = make(false);
      return other === no ? other : branch(`${name}, select`, { true: other, other: no });
    }
    if (type === 'string') {
      return other;
    }
    // Whether one or none is said in other words, while the other numbers are unknown.
    const differs = (count: number) =>
      withoutCount(text.call(unknown.with(index, count)), count) !==
      withoutCount(text.call(unknown), markerAt(index));
    const forms = {
      ...(differs(0) && { '=0': withoutCount(make(0), 0) }),
      ...(differs(1) && { one: withoutCount(make(1), 1) }),
    };
    return Object.keys(forms).length === 0
      ? other
      : branch(`${name}, plural`, { ...forms, other: other.replaceAll(`{${name}}`, '#') });
  };
  return decide(unknown, 0);
}

/** The text with `#` for the number, with or without commas. */
function withoutCount(text: string, count: number): string {
  return text
    .replaceAll(englishSpeech.formatCount(count), String(count))
    .replaceAll(new RegExp(`(?<![\\w.])${count}(?!\\w|\\.\\d)`, 'g'), '#');
}

const marked = (name: string) => `\uE000${name}\uE001`;

/** Puts arguments in the place of the markers. */
function markArguments({ parameters }: TextFunction, text: string): string {
  const strings = text.replaceAll(/\uE000(\w+)\uE001/g, '{$1}');
  return markers.reduce(
    (message, marker, index) =>
      message
        .replaceAll(String(marker), `{${parameters[index]?.name}}`)
        .replaceAll(englishSpeech.formatCount(marker), `{${parameters[index]?.name}, number}`),
    strings,
  );
}

/** A word, a space, or an argument with all that is in its braces. */
const piece = /\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[\s.,:;!?]|[^\s.,:;!?{}]+/g;

/** A branching argument around what differs; what all forms begin and end with stands outside. */
function branch(head: string, forms: Readonly<Record<string, string>>): string {
  const pieces = Object.values(forms).map((form) => form.match(piece) ?? []);
  const [first = []] = pieces;
  const isShared = (at: (parts: readonly string[]) => string | undefined) =>
    pieces.every((parts) => at(parts) === at(first) && !at(parts)?.includes('#'));
  const shortest = Math.min(...pieces.map(({ length }) => length));
  let start = 0;
  while (start < shortest && isShared((parts) => parts[start])) {
    start += 1;
  }
  let end = 0;
  while (end < shortest - start && isShared((parts) => parts[parts.length - 1 - end])) {
    end += 1;
  }
  const cases = Object.keys(forms).map(
    (name, index) =>
      `${name} {${pieces[index]?.slice(start, pieces[index].length - end).join('')}}`,
  );
  return [
    ...first.slice(0, start),
    `{${head}, ${cases.join(' ')}}`,
    ...first.slice(first.length - end),
  ].join('');
}

/** What differs between the English messages and the files in which translators read them. */
export function checkEnglish(made: MessageFiles, written: MessageFiles): Finding[] {
  const namespaces = new Set([...Object.keys(made), ...Object.keys(written)]);
  return [...namespaces].flatMap((namespace) => {
    const [now, then] = [made[namespace] ?? {}, written[namespace] ?? {}];
    const keys = [...new Set([...Object.keys(now), ...Object.keys(then)])];
    return keys
      .filter((key) => now[key] !== then[key])
      .map((key) => ({
        file: `locales/en/${namespace}.json`,
        key,
        what: 'is not what the code says: run `npm run languages`',
      }));
  });
}
