/** Shows JSON in lines: objects and lists fold, text can be found, and of long JSON only visible lines are rendered. */
import { ChevronDown, ChevronsDownUp, ChevronsUpDown, ChevronUp } from 'lucide-react';
import {
  type ReactNode,
  type Ref,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';

import { IconButton } from '#ui/button';
import { SearchField } from '#ui/search-field';

import { fold, foldAll, type JsonLines, reveal, toRow, unfolded } from './json-lines.ts';
import { findHits, hiddenLength, lineParts, lineText, toPattern } from './json-text.ts';
import { texts } from './texts.ts';

import styles from './json-viewer.module.css';

/** JSON with more lines is shown in a window. */
const maxLinesWithoutWindow = 2000;

type JsonViewerProps = { readonly text: string; readonly lines: JsonLines };

export function JsonViewer({ text, lines }: JsonViewerProps) {
  const [folding, setFolding] = useState(unfolded);
  const box = useRef<BoxHandle>(null);
  // An object, so that a step to the same line scrolls to it again.
  const [target, setTarget] = useState<{ readonly line: number }>();
  const search = useSearch({ text, lines }, (line) => {
    setFolding(reveal(lines, folding, line));
    setTarget({ line });
  });
  const scrollTo = useEffectEvent((line: number) => box.current?.scrollTo(toRow(folding, line)));
  useEffect(() => {
    // After the rendering that has unfolded the line.
    if (target) {
      scrollTo(target.line);
    }
  }, [target]);

  const count = folding.visible?.length ?? lines.count;
  const renderRow = (row: number) => {
    const line = folding.visible ? (folding.visible[row] ?? 0) : row;
    const isFolded = folding.at.has(line);
    return (
      <Line
        key={line}
        text={text}
        lines={lines}
        line={line}
        isFolded={isFolded}
        isCurrent={line === search.line}
        pattern={search.pattern}
        onToggle={() => {
          const at = new Set(folding.at);
          if (!at.delete(line)) {
            at.add(line);
          }
          setFolding(fold(lines, at));
        }}
      />
    );
  };
  const Box = lines.count > maxLinesWithoutWindow ? WindowBox : PlainBox;

  return (
    <div className={styles.viewer}>
      <div className={styles.tools}>
        <SearchForm search={search} />
        <IconButton
          label={texts.foldAll}
          icon={<ChevronsDownUp aria-hidden size={18} />}
          onClick={() => setFolding(foldAll(lines))}
        />
        <IconButton
          label={texts.unfoldAll}
          icon={<ChevronsUpDown aria-hidden size={18} />}
          onClick={() => setFolding(unfolded)}
        />
      </div>
      <Box ref={box} count={count} renderRow={renderRow} />
    </div>
  );
}

type Search = ReturnType<typeof useSearch>;

/** `onShow` is called with the line of the hit to which the user has stepped. */
function useSearch({ text, lines }: JsonViewerProps, onShow: (line: number) => void) {
  const [term, setTerm] = useState('');
  const [current, setCurrent] = useState<number>();
  const applied = useDeferredValue(term.trim());
  // Reads all of the text, which may be 10 MB: not on each scroll.
  const hits = useMemo(() => findHits(text, lines, applied), [text, lines, applied]);
  const count = hits.lines.length;

  return {
    term,
    hits,
    index: current ?? 0,
    /** The line of the current hit. */
    line: current === undefined ? undefined : hits.lines[current],
    pattern: applied === '' ? undefined : toPattern(applied),
    setTerm: (next: string) => {
      setTerm(next);
      setCurrent(undefined);
    },
    step: (by: 1 | -1) => {
      if (count > 0) {
        const next =
          current === undefined ? (by === 1 ? 0 : count - 1) : (current + by + count) % count;
        setCurrent(next);
        onShow(hits.lines[next] ?? 0);
      }
    },
  };
}

function SearchForm({ search: { term, hits, index, setTerm, step } }: { readonly search: Search }) {
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault();
        step(1);
      }}
    >
      <SearchField
        label={texts.find}
        clearLabel={texts.clearFind}
        value={term}
        onChange={setTerm}
      />
      {term.trim() !== '' && (
        <>
          <output className={styles.hits}>{hitsText(index + 1, hits)}</output>
          <IconButton
            label={texts.previousHit}
            icon={<ChevronUp aria-hidden size={18} />}
            disabled={hits.lines.length === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            type="submit"
            label={texts.nextHit}
            icon={<ChevronDown aria-hidden size={18} />}
            disabled={hits.lines.length === 0}
          />
        </>
      )}
    </form>
  );
}

function hitsText(position: number, { lines: { length }, isMore }: Search['hits']): string {
  if (length === 0) {
    return texts.noHits;
  }
  return isMore ? texts.manyHits(position, length) : texts.hits(position, length);
}

type LineProps = {
  readonly text: string;
  readonly lines: JsonLines;
  readonly line: number;
  readonly isFolded: boolean;
  /** The current hit is in it. */
  readonly isCurrent: boolean;
  readonly pattern: RegExp | undefined;
  readonly onToggle: () => void;
};

function Line({ text, lines, line, isFolded, isCurrent, pattern, onToggle }: LineProps) {
  const closes = lines.closes[line] ?? 0;
  const hidden = hiddenLength(lines, line);

  return (
    <div className={styles.line} data-current={isCurrent || undefined}>
      <span className={styles.gutter}>
        {closes > 0 && (
          <button
            type="button"
            className={styles.fold}
            aria-expanded={!isFolded}
            aria-label={isFolded ? texts.unfold(line + 1) : texts.fold(line + 1)}
            onClick={onToggle}
          >
            <ChevronDown aria-hidden size={14} />
          </button>
        )}
      </span>
      <code className={styles.code}>
        {'  '.repeat(lines.depths[line] ?? 0)}
        {lineParts(text, lines, { line, pattern }).map((part, index) => {
          const Tag = part.isFound ? 'mark' : 'span';
          return (
            // Parts have no other key, and never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Tag key={index} className={styles[part.kind]}>
              {part.text}
            </Tag>
          );
        })}
        {hidden > 0 && <span className={styles.cut}>{texts.moreCharacters(hidden)}</span>}
        {isFolded && <span className={styles.cut}> … {lineText(text, lines, closes)}</span>}
      </code>
    </div>
  );
}

type BoxHandle = { readonly scrollTo: (row: number) => void };

type BoxProps = {
  readonly ref: Ref<BoxHandle>;
  /** How many rows there are: lines that are not hidden by a fold. */
  readonly count: number;
  readonly renderRow: (row: number) => ReactNode;
};

/** Renders all rows. */
function PlainBox({ ref, count, renderRow }: BoxProps) {
  const box = useRef<HTMLElement>(null);

  useImperativeHandle(ref, () => ({
    scrollTo: (row) => box.current?.children[row]?.scrollIntoView({ block: 'nearest' }),
  }));

  return (
    <section
      ref={box}
      className={styles.all}
      aria-label={texts.body}
      // A box that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {Array.from({ length: count }, (_row, row) => renderRow(row))}
    </section>
  );
}

/** Rows rendered above and below the visible ones. */
const extraRows = 12;
/** Browsers cut off taller elements; with three device pixels to a CSS pixel this is their limit. */
const maxHeightPx = 6_000_000;
/** In rem, as in the style sheet. */
const rowRem = 1.5;

/** A box with the full height of all rows, in which only those in view are rendered. */
function WindowBox({ ref, count, renderRow }: BoxProps) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const rowPx = rowRem * readRootPx();
  const windowPx = window.innerHeight;
  const fullPx = count * rowPx;
  const heightPx = Math.min(fullPx, maxHeightPx);
  // Where the box is shorter than its rows, scrolling by a pixel moves the rows by more.
  const stretch = heightPx === fullPx ? 1 : (fullPx - windowPx) / (heightPx - windowPx);
  const first = Math.max(0, Math.floor((top * stretch) / rowPx) - extraRows);
  const last = Math.min(count, first + Math.ceil(windowPx / rowPx) + 2 * extraRows);

  useImperativeHandle(ref, () => ({
    scrollTo: (row) => {
      const middle = row * rowPx - (box.current?.clientHeight ?? 0) / 2;
      box.current?.scrollTo({ top: Math.max(0, middle) / stretch });
    },
  }));

  return (
    <section
      ref={box}
      className={styles.window}
      aria-label={texts.body}
      // See PlainBox.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div style={{ blockSize: heightPx }}>
        <div
          className={styles.seen}
          style={{ transform: `translateY(${top - (top * stretch - first * rowPx)}px)` }}
        >
          {Array.from({ length: Math.max(0, last - first) }, (_row, index) =>
            renderRow(first + index),
          )}
        </div>
      </div>
    </section>
  );
}

function readRootPx(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(size) && size > 0 ? size : 16;
}
