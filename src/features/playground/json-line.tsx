/** One line of JSON: its number, what folds it, and its parts in their colours. */
import { ChevronDown } from 'lucide-react';

import { type JsonLines } from './json-lines.ts';
import { leftOut, partsOfLine, textOfLine } from './json-text.ts';
import { texts } from './texts.ts';

import styles from './json-viewer.module.css';

type JsonLineProps = {
  readonly text: string;
  readonly lines: JsonLines;
  readonly line: number;
  readonly isFolded: boolean;
  /** The find that one is at is in it. */
  readonly isCurrent: boolean;
  readonly wanted: RegExp | undefined;
  readonly onToggle: () => void;
};

export function JsonLine(props: JsonLineProps) {
  const { text, lines, line, isFolded, isCurrent, wanted, onToggle } = props;
  const closes = lines.closes[line] ?? 0;
  const cut = leftOut(lines, line);

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
        {partsOfLine(text, lines, { line, wanted }).map((part, index) => {
          const Tag = part.isFound ? 'mark' : 'span';
          return (
            // Parts have no names, and stay where they are.
            // oxlint-disable-next-line react/no-array-index-key
            <Tag key={index} className={styles[part.kind]}>
              {part.text}
            </Tag>
          );
        })}
        {cut > 0 && <span className={styles.cut}>{texts.moreCharacters(cut)}</span>}
        {isFolded && <span className={styles.cut}> … {textOfLine(text, lines, closes)}</span>}
      </code>
    </div>
  );
}
