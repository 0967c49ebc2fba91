/** Links that leave the app and look like buttons. Without an address they are shown disabled. */
import { type ReactNode, useId } from 'react';

import { Button, ButtonLink } from './button.tsx';

import styles from './outside-button.module.css';

type OutsideLinkProps = {
  readonly href: string | undefined;
  readonly kind?: 'primary' | 'plain' | 'quiet';
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

/** A real link, so that its address can be copied. */
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

/** An outside link with the reason below it, which is shown only without an address. */
export function OutsideButton({
  reason,
  ...props
}: OutsideLinkProps & { readonly reason: string }) {
  const reasonId = useId();
  return props.href === undefined ? (
    <div className={styles.unset}>
      <OutsideLink {...props} reasonId={reasonId} />
      <p id={reasonId} className={styles.reason}>
        {reason}
      </p>
    </div>
  ) : (
    <OutsideLink {...props} />
  );
}
