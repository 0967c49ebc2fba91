/** A line of JSON as it is shown: its parts with their colours, and what was searched for in it. */
import { type JsonLines } from './json-lines.ts';

type Kind = 'key' | 'string' | 'number' | 'keyword' | 'punctuation';
export type Part = { readonly text: string; readonly kind: Kind; readonly isFound: boolean };

/** Characters of a line that are shown: pictures as text would fill the page. */
const longestLine = 2000;

const tokens = /"(?:\\.|[^"\\])*"?|[^\s[\]{},:"]+|[[\]{},:]/g;

/** A line as people read it, without what stands before it. */
export function textOfLine(text: string, lines: JsonLines, line: number): string {
  return tokensOf(text.slice(lines.starts[line], lines.ends[line]))
    .map((token) => shownAs(token))
    .join('');
}

/** How many characters of a line are left out. */
export function leftOut(lines: JsonLines, line: number): number {
  return Math.max(0, (lines.ends[line] ?? 0) - (lines.starts[line] ?? 0) - longestLine);
}

export function partsOfLine(
  text: string,
  { starts, ends }: JsonLines,
  { line, wanted }: { readonly line: number; readonly wanted: RegExp | undefined },
): readonly Part[] {
  const start = starts[line] ?? 0;
  const found = tokensOf(text.slice(start, Math.min(ends[line] ?? 0, start + longestLine)));
  const shown = found.map((token, index) => ({
    text: shownAs(token),
    kind: kindOf(token, found[index + 1]),
  }));
  return wanted
    ? marked(shown, wanted)
    : shown.map(({ text: part, kind }) => ({ text: part, kind, isFound: false }));
}

/** The whole of it, two spaces for each level. */
export function prettyText(text: string, lines: JsonLines): string {
  const all = Array.from(
    { length: lines.count },
    (_line, line) => '  '.repeat(lines.depths[line] ?? 0) + textOfLine(text, lines, line),
  );
  return all.join('\n');
}

/** Finds a term in any case, also where the text as it came has other spaces than what is shown. */
export function finderOf(term: string): RegExp {
  const escaped = term.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(escaped.replaceAll(/:\s*/g, String.raw`\s*:\s*`), 'gi');
}

function tokensOf(line: string): readonly string[] {
  return line.match(tokens) ?? [];
}

function shownAs(token: string): string {
  return token === ':' ? ': ' : token;
}

function kindOf(token: string, next: string | undefined): Kind {
  if (token.startsWith('"')) {
    return next === ':' ? 'key' : 'string';
  }
  if (/^[-\d]/.test(token)) {
    return 'number';
  }
  return /^[a-z]/.test(token) ? 'keyword' : 'punctuation';
}

/** Cuts the parts where what was found begins and ends. */
function marked(parts: readonly Omit<Part, 'isFound'>[], wanted: RegExp): readonly Part[] {
  const line = parts.map(({ text }) => text).join('');
  const hits = [...line.matchAll(wanted)].map(({ 0: hit, index }) => [index, index + hit.length]);
  const cuts = hits.flat();
  const cut: Part[] = [];
  let at = 0;
  for (const { text, kind } of parts) {
    const end = at + text.length;
    const edges = [at, ...cuts.filter((place) => place > at && place < end), end];
    for (const [index, from] of edges.slice(0, -1).entries()) {
      const to = edges[index + 1] ?? end;
      const isFound = hits.some(([first = 0, last = 0]) => from >= first && to <= last);
      cut.push({ text: line.slice(from, to), kind, isFound });
    }
    at = end;
  }
  return cut;
}
