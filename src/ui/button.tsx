/** Buttons, and links that look like them. */
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

import { Spinner } from './spinner.tsx';

import styles from './button.module.css';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

type ButtonProps = ComponentProps<'button'> & {
  readonly kind?: Kind;
  /** Work is in progress: the button keeps its width and is disabled. */
  readonly isBusy?: boolean;
  readonly isWide?: boolean;
  readonly icon?: ReactNode;
};

function classes(kind: Kind, isWide: boolean, className: string | undefined): string {
  return [styles.button, styles[kind], isWide ? styles.wide : '', className]
    .filter(Boolean)
    .join(' ');
}

/** A button. At most one per screen is `primary`. */
export function Button({
  kind = 'plain',
  isBusy = false,
  isWide = false,
  icon,
  className,
  disabled,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    // Not telegram-ui's button, which is 9 kB on every page.
    <button
      {...rest}
      type={type}
      className={classes(kind, isWide, className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
    >
      <span className={styles.content}>
        {isBusy ? (
          <span className={icon ? '' : styles.beside}>
            <Spinner size="small" />
          </span>
        ) : (
          icon
        )}
        {children}
      </span>
    </button>
  );
}

type SubmitButtonProps = {
  readonly text: string;
  /** The text while busy; absent when the form shows one elsewhere. */
  readonly busyText?: string;
  readonly isBusy: boolean;
  /** The container shows the action on its main button. */
  readonly isElsewhere: boolean;
  readonly isWide?: boolean;
};

/** The submit button of a form; hidden where the container's main button replaces it. */
export function SubmitButton({
  text,
  busyText = text,
  isBusy,
  isElsewhere,
  isWide = true,
}: SubmitButtonProps) {
  if (isElsewhere) {
    return (
      // Without a submit button, Enter in a field would do nothing.
      <button type="submit" hidden>
        {text}
      </button>
    );
  }
  return (
    <Button kind="primary" type="submit" isWide={isWide} isBusy={isBusy}>
      {isBusy ? busyText : text}
    </Button>
  );
}

type ButtonLinkProps = LinkProps & {
  readonly kind?: Kind;
  readonly isWide?: boolean;
  readonly icon?: ReactNode;
};

/** A link to another screen that looks like a button. */
export function ButtonLink({
  kind = 'plain',
  isWide = false,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={`${styles.link} ${classes(kind, isWide, className)}`}>
      <span className={styles.content}>
        {icon}
        {children}
      </span>
    </Link>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  readonly label: string;
  readonly icon: ReactNode;
};

/** A square button with an icon; `label` is its accessible name. */
export function IconButton({ label, icon, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={[styles.icon, className].filter(Boolean).join(' ')}
    >
      {icon}
    </button>
  );
}

/**
 * A `ref` for an element that may be removed while it has the focus, such as a button that its own
 * press removes. The focus then goes to the nearest element around it that can hold it
 * (`tabIndex={-1}`), at the latest to the page's content.
 */
export function passFocusOn(part: HTMLElement | null): () => void {
  return () => {
    if (part?.contains(document.activeElement) === true) {
      part.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
    }
  };
}

const copyMessageMs = 2000;
const copyMessages = { copied: 'Copied!', refused: 'Could not copy' } as const;

/** Copies a text; resolves to whether that worked. */
export type Copy = () => Promise<boolean>;

/** `said` is the message to show instead of the label or beside it; `press` copies. */
export function useCopied(copy: Copy) {
  const [outcome, setOutcome] = useState<keyof typeof copyMessages>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, copyMessageMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  return {
    isCopied: outcome === 'copied',
    said: outcome && copyMessages[outcome],
    press: async (): Promise<void> => setOutcome((await copy()) ? 'copied' : 'refused'),
  };
}
