/** A log in the style of a terminal: lines with time and tone, and formatted JSON. */
import { useEffect, useRef } from 'react';

import styles from './terminal.module.css';

export type TerminalLine = {
  readonly id: number;
  readonly at: Date;
  readonly tone: 'info' | 'success' | 'error' | 'warning';
  readonly text: string;
};

type TerminalProps = {
  readonly title: string;
  readonly lines: readonly TerminalLine[];
  /** Shown while there is no line. */
  readonly placeholder: string;
};

export function Terminal({ title, lines, placeholder }: TerminalProps) {
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // Not `scrollIntoView`, which would also scroll the page.
    const box = end.current?.parentElement;
    if (lines.length > 0) {
      box?.scrollTo({ top: box.scrollHeight });
    }
  }, [lines]);

  return (
    <section className={styles.terminal} aria-label={title}>
      <header className={styles.bar}>
        <span className={styles.lights} aria-hidden="true" />
        <h2 className={styles.title}>{title}</h2>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrollable box must be reachable by keyboard. */}
      <div className={styles.lines} role="log" aria-live="polite" aria-label={title} tabIndex={0}>
        {lines.length === 0 ? <p className={styles.placeholder}>{placeholder}</p> : null}
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
        <div ref={end} />
      </div>
    </section>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function Line({ line: { at, tone, text } }: { readonly line: TerminalLine }) {
  const { before, json, after } = splitAtJson(text);
  return (
    <div className={styles.line}>
      <time className={styles.time} dateTime={at.toISOString()}>
        [{clock.format(at)}]
      </time>{' '}
      <span className={styles[tone]}>{tone.toUpperCase()}</span> {before}
      {json === undefined ? null : (
        <pre className={styles.json}>
          <code>{colourJson(JSON.stringify(json, undefined, 2))}</code>
        </pre>
      )}
      {after}
    </div>
  );
}

/** Splits a text at its first JSON object or array. */
function splitAtJson(text: string): { before: string; json?: unknown; after: string } {
  for (const { index } of text.matchAll(/[[{]/g)) {
    for (let end = text.length; end > index + 1; end -= 1) {
      const json = '}]'.includes(text[end - 1] ?? ' ') ? read(text.slice(index, end)) : undefined;
      if (json !== undefined) {
        return { before: text.slice(0, index), json, after: text.slice(end) };
      }
    }
  }
  return { before: text, after: '' };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Strings with an optional colon, which makes them keys; numbers; keywords. */
const parts = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

function colourJson(text: string) {
  const coloured = [];
  let done = 0;
  for (const match of text.matchAll(parts)) {
    const [whole, string, colon, number] = match;
    const value = string ?? whole;
    const kind =
      string === undefined
        ? number === undefined
          ? styles.keyword
          : styles.number
        : colon === undefined
          ? styles.string
          : styles.key;
    coloured.push(
      text.slice(done, match.index),
      <span key={match.index} className={kind}>
        {value}
      </span>,
    );
    done = match.index + value.length;
  }
  return [...coloured, text.slice(done)];
}
