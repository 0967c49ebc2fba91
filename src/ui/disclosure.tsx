/** A section that opens and closes under its heading. */
import { ChevronDown } from 'lucide-react';
import { type ReactNode } from 'react';

import styles from './disclosure.module.css';

type DisclosureProps = {
  /** The button's id, unique on the page. The content's is `<id>-content`. */
  readonly id: string;
  readonly heading: string;
  /** At the end of the heading's line. */
  readonly remark?: string | undefined;
  /** A sentence under the heading, also visible while the section is closed. */
  readonly summary?: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
};

export function Disclosure({
  id,
  heading,
  remark,
  summary,
  isOpen,
  onToggle,
  children,
}: DisclosureProps) {
  const contentId = `${id}-content`;
  const head = (
    <h3 className={styles.heading}>
      <button
        id={id}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={onToggle}
      >
        <span className={styles.title}>{heading}</span>
        {remark && <span className={styles.remark}>{remark}</span>}
        <ChevronDown aria-hidden className={styles.arrow} size={20} />
      </button>
    </h3>
  );
  return (
    <section className={styles.disclosure} aria-labelledby={id}>
      {summary === undefined ? (
        head
      ) : (
        <div className={styles.summarized}>
          {head}
          <p className={styles.summary}>{summary}</p>
        </div>
      )}
      {isOpen && (
        <div id={contentId} className={styles.content}>
          {children}
        </div>
      )}
    </section>
  );
}
