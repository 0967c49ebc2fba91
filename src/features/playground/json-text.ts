/** The text of JSON lines as the viewer shows it: coloured parts, cut lines, indentation, and search. */
import { findLine, type JsonLines } from './json-lines.ts';

type Kind = 'key' | 'string' | 'number' | 'keyword' | 'punctuation';
type Part = { readonly text: string; readonly kind: Kind; readonly isFound: boolean };

/** Characters of a line that are shown, because a picture as text would fill the page. */
const maxLineLength = 2000;

const tokenPattern = /"(?:\\.|[^"\\])*"?|[^\s[\]{},:"]+|[[\]{},:]/g;

/** A line without its indentation. */
export function lineText(text: string, lines: JsonLines, line: number): string {
  return tokenize(text.slice(lines.starts[line], lines.ends[line]))
    .map((token) => formatToken(token))
    .join('');
}

/** How many characters of a line are not shown. */
export function hiddenLength(lines: JsonLines, line: number): number {
  return Math.max(0, (lines.ends[line] ?? 0) - (lines.starts[line] ?? 0) - maxLineLength);
}

export function lineParts(
  text: string,
  { starts, ends }: JsonLines,
  { line, pattern }: { readonly line: number; readonly pattern: RegExp | undefined },
): readonly Part[] {
  const start = starts[line] ?? 0;
  const tokens = tokenize(text.slice(start, Math.min(ends[line] ?? 0, start + maxLineLength)));
  const parts = tokens.map((token, index) => ({
    text: formatToken(token),
    kind: tokenKind(token, tokens[index + 1]),
    isFound: false,
  }));
  return pattern ? markFound(parts, pattern) : parts;
}

/** The whole text, with two spaces for each level. */
export function prettyText(text: string, lines: JsonLines): string {
  const all = Array.from(
    { length: lines.count },
    (_line, line) => '  '.repeat(lines.depths[line] ?? 0) + lineText(text, lines, line),
  );
  return all.join('\n');
}

/** Ignores case, and spaces around colons, which the original text may have or not. */
export function toPattern(term: string): RegExp {
  const escaped = term.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(escaped.replaceAll(/:\s*/g, String.raw`\s*:\s*`), 'gi');
}

const maxHits = 10_000;

export type Hits = { readonly lines: readonly number[]; readonly isMore: boolean };

/** The line of each hit, in order; a line with two hits is listed twice. */
export function findHits(text: string, lines: JsonLines, term: string): Hits {
  const hits: number[] = [];
  if (term === '') {
    return { lines: hits, isMore: false };
  }
  for (const { index } of text.matchAll(toPattern(term))) {
    if (hits.length === maxHits) {
      return { lines: hits, isMore: true };
    }
    hits.push(findLine(lines, index));
  }
  return { lines: hits, isMore: false };
}

function tokenize(line: string): readonly string[] {
  return line.match(tokenPattern) ?? [];
}

function formatToken(token: string): string {
  return token === ':' ? ': ' : token;
}

function tokenKind(token: string, next: string | undefined): Kind {
  if (token.startsWith('"')) {
    return next === ':' ? 'key' : 'string';
  }
  if (/^[-\d]/.test(token)) {
    return 'number';
  }
  return /^[a-z]/.test(token) ? 'keyword' : 'punctuation';
}

/** Splits the parts where a hit begins or ends. */
function markFound(parts: readonly Part[], pattern: RegExp): readonly Part[] {
  const line = parts.map(({ text }) => text).join('');
  const hits = [...line.matchAll(pattern)].map(({ 0: hit, index }) => [index, index + hit.length]);
  const edges = hits.flat();
  const split: Part[] = [];
  let at = 0;
  for (const { text, kind } of parts) {
    const end = at + text.length;
    const cuts = [at, ...edges.filter((edge) => edge > at && edge < end), end];
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] ?? end;
      const isFound = hits.some(([first = 0, last = 0]) => from >= first && to <= last);
      split.push({ text: line.slice(from, to), kind, isFound });
    }
    at = end;
  }
  return split;
}
