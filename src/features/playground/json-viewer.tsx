/** JSON, laid out: its objects and lists fold, and a text can be found in it. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import { Button, IconButton } from '#ui/button';
import { SearchField } from '#ui/search-field';

import { findIn, fold, foldAll, placeOf, showing, unfolded } from './json-find.ts';
import { JsonLine } from './json-line.tsx';
import { type JsonLines } from './json-lines.ts';
import { finderOf } from './json-text.ts';
import { AllLines, type BoxHandle, LinesInSight } from './json-window.tsx';
import { texts } from './texts.ts';

import styles from './json-viewer.module.css';

/** From so many lines on, only those in sight are drawn. */
const mostDrawn = 2000;

type JsonViewerProps = { readonly text: string; readonly lines: JsonLines };

export function JsonViewer({ text, lines }: JsonViewerProps) {
  const [folded, setFolded] = useState(unfolded);
  const box = useRef<BoxHandle>(null);
  // A step to where one already is scrolls there again: each is an object of its own.
  const [goal, setGoal] = useState<{ readonly line: number }>();
  const finder = useFinder({ text, lines }, (line) => {
    setFolded(showing(lines, folded, line));
    setGoal({ line });
  });
  const reach = useEffectEvent((line: number) => box.current?.scrollTo(placeOf(folded, line)));
  useEffect(() => {
    // Only now is it unfolded, and the box as tall as it has to be.
    if (goal) {
      reach(goal.line);
    }
  }, [goal]);

  const count = folded.visible?.length ?? lines.count;
  const draw = (place: number) => {
    const line = folded.visible ? (folded.visible[place] ?? 0) : place;
    const isFolded = folded.at.has(line);
    return (
      <JsonLine
        key={line}
        text={text}
        lines={lines}
        line={line}
        isFolded={isFolded}
        isCurrent={line === finder.line}
        wanted={finder.wanted}
        onToggle={() => {
          const at = new Set(folded.at);
          if (!at.delete(line)) {
            at.add(line);
          }
          setFolded(fold(lines, at));
        }}
      />
    );
  };

  return (
    <div className={styles.viewer}>
      <div className={styles.tools}>
        <FindBox finder={finder} />
        <Button kind="quiet" onClick={() => setFolded(foldAll(lines))}>
          {texts.foldAll}
        </Button>
        <Button kind="quiet" onClick={() => setFolded(unfolded)}>
          {texts.unfoldAll}
        </Button>
      </div>
      {lines.count > mostDrawn ? (
        <LinesInSight ref={box} count={count} draw={draw} />
      ) : (
        <AllLines ref={box} count={count} draw={draw} />
      )}
    </div>
  );
}

type Finder = ReturnType<typeof useFinder>;

/** What is searched for, where it is, and which of the finds one is at; `show` brings a line into sight. */
function useFinder({ text, lines }: JsonViewerProps, show: (line: number) => void) {
  const [term, setTerm] = useState('');
  const [current, setCurrent] = useState<number>();
  const wanted = useDeferredValue(term.trim());
  // Walks through all of the text, which may be 10 MB: not for each line that scrolls by.
  const hits = useMemo(() => findIn(text, lines, wanted), [text, lines, wanted]);
  const count = hits.lines.length;

  return {
    term,
    hits,
    index: current ?? 0,
    /** The line that one is at. */
    line: current === undefined ? undefined : hits.lines[current],
    wanted: wanted === '' ? undefined : finderOf(wanted),
    type: (next: string) => {
      setTerm(next);
      setCurrent(undefined);
    },
    step: (by: 1 | -1) => {
      if (count > 0) {
        const next =
          current === undefined ? (by === 1 ? 0 : count - 1) : (current + by + count) % count;
        setCurrent(next);
        show(hits.lines[next] ?? 0);
      }
    },
  };
}

function FindBox({ finder: { term, hits, index, type, step } }: { readonly finder: Finder }) {
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault();
        step(1);
      }}
    >
      <SearchField label={texts.find} clearLabel={texts.clearFind} value={term} onChange={type} />
      {term.trim() !== '' && (
        <>
          <output className={styles.hits}>
            {texts.hits(index, hits.lines.length, hits.isMore)}
          </output>
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
