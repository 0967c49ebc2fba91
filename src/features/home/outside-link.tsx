/** A link to a place in Telegram that looks like a button; one that nobody has set cannot be pressed. */
import { type ReactNode } from 'react';

import { usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';

type OutsideLinkProps = {
  /** Undefined when nobody has said where it leads. */
  readonly href: string | undefined;
  /** The id of what says why it cannot be pressed. */
  readonly reasonId: string;
  readonly kind?: 'primary' | 'plain';
  readonly icon?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

export function OutsideLink({
  href,
  reasonId,
  kind = 'plain',
  className = '',
  ...rest
}: OutsideLinkProps) {
  const platform = usePlatform();
  return href === undefined ? (
    <Button {...rest} kind={kind} className={className} disabled aria-describedby={reasonId} />
  ) : (
    <ButtonLink
      {...rest}
      kind={kind}
      className={className}
      to={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        event.preventDefault();
        platform.openTelegramLink(href);
      }}
    />
  );
}
