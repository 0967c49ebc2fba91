/** Buttons, and links that look like them. */
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

import { Spinner } from './spinner.tsx';
import { uiTexts } from './texts.ts';

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

export type OutsideLinkProps = {
  readonly href: string | undefined;
  readonly kind?: Exclude<Kind, 'danger'>;
  readonly isWide?: boolean;
  readonly icon?: ReactNode;
  readonly className?: string | undefined;
  /** Opens the address the way the container requires. */
  readonly onOpen: (href: string) => void;
  readonly children: ReactNode;
};

type DisabledProps = {
  /** The id of the element that says why there is no address. */
  readonly reasonId?: string;
  /** The reason itself, where the page has no room for it. */
  readonly title?: string;
};

/** A link that leaves the app and looks like a button. Without an address it is disabled. */
export function OutsideLink({
  href,
  reasonId,
  title,
  onOpen,
  ...rest
}: OutsideLinkProps & DisabledProps) {
  return href === undefined ? (
    <Button {...rest} disabled aria-describedby={reasonId} title={title} />
  ) : (
    <ButtonLink
      {...rest}
      to={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        event.preventDefault();
        onOpen(href);
      }}
    />
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

const copyMessageMs = 2000;

/** Copies a text; resolves to whether that worked. */
export type Copy = () => Promise<boolean>;

/** `said` is the message to show instead of the label or beside it; `press` copies. */
export function useCopied(copy: Copy) {
  const [isCopied, setIsCopied] = useState<boolean>();

  useEffect(() => {
    if (isCopied === undefined) {
      return undefined;
    }
    const timer = setTimeout(setIsCopied, copyMessageMs, undefined);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return {
    isCopied,
    said: isCopied === undefined ? undefined : isCopied ? uiTexts.copied : uiTexts.notCopied,
    press: async (): Promise<void> => setIsCopied(await copy()),
  };
}
