/** The way to somebody who helps: a chat in Telegram. */
import { brand } from '#lib/brand';
import { usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';

import { texts } from './texts.ts';

export function SupportLink({ kind = 'plain' }: { readonly kind?: 'plain' | 'quiet' }) {
  const platform = usePlatform();
  const { href, variable } = brand.support;
  return href === undefined ? (
    <Button kind={kind} disabled title={texts.notSet(variable)}>
      {texts.support}
    </Button>
  ) : (
    <ButtonLink
      kind={kind}
      to={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        event.preventDefault();
        platform.openTelegramLink(href);
      }}
    >
      {texts.support}
    </ButtonLink>
  );
}
