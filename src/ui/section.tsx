/** Grouped lists in the shape of the platform: sections with a heading, and their cells. */
import { ChevronRight } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { Link } from 'react-router-dom';

import styles from './section.module.css';

type SectionProps = {
  readonly heading?: string;
  readonly headingLevel?: 2 | 3;
  /** The heading can then take the focus. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  /** At the end of the heading's line: a button, a count. */
  readonly action?: ReactNode;
  /** Above the cells. */
  readonly remark?: ReactNode;
  /** Below the cells. */
  readonly foot?: ReactNode;
  readonly className?: string | undefined;
  /** Cells, or lists of cells. Anything else brings its own padding. */
  readonly children: ReactNode;
};

/** A region with the name of its heading. */
export function Section({
  heading,
  headingLevel = 2,
  headingRef,
  action,
  remark,
  foot,
  className,
  children,
}: SectionProps) {
  const id = useId();
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <section
      className={join(styles.section, className)}
      aria-labelledby={heading === undefined ? undefined : id}
    >
      {heading !== undefined && (
        <div className={styles.head}>
          <Heading ref={headingRef} id={id} tabIndex={headingRef ? -1 : undefined}>
            {heading}
          </Heading>
          {action}
        </div>
      )}
      {isShown(remark) && <div className={styles.remark}>{remark}</div>}
      <div className={styles.body}>{children}</div>
      {isShown(foot) && <div className={styles.remark}>{foot}</div>}
    </section>
  );
}

const isShown = (part: ReactNode) => part !== undefined && part !== false;

type CellProps = {
  readonly title: ReactNode;
  readonly subtitle?: ReactNode;
  /** An icon or an avatar, hidden from screen readers. */
  readonly before?: ReactNode;
  /** A value, a badge, a switch. A link without one ends with an arrow where the platform has arrows. */
  readonly after?: ReactNode;
  /** The cell is a link. */
  readonly to?: string | undefined;
  /** The cell is a button; with `to`, what to do besides. */
  readonly onClick?: (() => void) | undefined;
  /** `to` leaves the app: opens it the way the container requires. */
  readonly onOpen?: (href: string) => void;
  /** The cell is the label of the control in `after`. */
  readonly isLabel?: boolean;
  readonly isDisabled?: boolean;
  readonly isCurrent?: boolean;
  readonly tone?: 'plain' | 'danger' | 'accent';
  readonly className?: string | undefined;
};

/** A row of a section. */
export function Cell({
  to,
  onClick,
  onOpen,
  isLabel = false,
  isDisabled = false,
  isCurrent = false,
  tone = 'plain',
  className,
  ...parts
}: CellProps) {
  const classes = join(styles.cell, tone === 'plain' ? undefined : styles[tone], className);
  const content = <CellParts {...parts} hasArrow={to !== undefined && tone === 'plain'} />;
  if (to !== undefined) {
    return (
      <Link
        to={to}
        className={join(classes, styles.pressable)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onClick}
        {...(onOpen && {
          target: '_blank',
          rel: 'noopener noreferrer',
          onClick: (event) => {
            event.preventDefault();
            onOpen(to);
          },
        })}
      >
        {content}
      </Link>
    );
  }
  if (onClick) {
    return (
      <button
        type="button"
        className={join(classes, styles.pressable)}
        disabled={isDisabled}
        onClick={onClick}
      >
        {content}
      </button>
    );
  }
  return isLabel ? (
    <label className={join(classes, styles.pressable)}>{content}</label>
  ) : (
    <div className={classes}>{content}</div>
  );
}

type CellPartsProps = Pick<CellProps, 'title' | 'subtitle' | 'before' | 'after'> & {
  readonly hasArrow: boolean;
};

function CellParts({ title, subtitle, before, after, hasArrow }: CellPartsProps) {
  return (
    <>
      {before !== undefined && (
        <span aria-hidden className={styles.before}>
          {before}
        </span>
      )}
      <span className={styles.texts}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        {subtitle !== undefined && <span className={styles.subtitle}>{subtitle}</span>}
      </span>
      {after !== undefined && <span className={styles.after}>{after}</span>}
      {hasArrow && after === undefined && (
        <ChevronRight aria-hidden className={styles.arrow} size={20} />
      )}
    </>
  );
}

function join(...classes: readonly (string | undefined)[]): string {
  return classes.filter(Boolean).join(' ');
}
