/** A link to the support chat in Telegram. */
import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { usePlatform } from '#lib/platform';
import { OutsideLink } from '#ui/button';

import { texts } from './texts.ts';

export function SupportLink({ kind = 'plain' }: { readonly kind?: 'plain' | 'quiet' }) {
  const platform = usePlatform();
  const isOperator = useIsOperator();
  const { href, variable } = brand.support;

  return (
    <OutsideLink
      kind={kind}
      href={href}
      title={isOperator ? texts.setVariable(variable) : texts.noSupport}
      onOpen={platform.openTelegramLink}
    >
      {texts.support}
    </OutsideLink>
  );
}
