/** The link to the bot: from the build, else from the server. */
import { brand } from './brand.ts';
import { useCapabilities } from './capabilities.ts';

type BotLink = {
  /** `https://t.me/<bot>`; undefined when no bot is set. */
  readonly href: string | undefined;
  /** Whether the server's answer is known. */
  readonly isKnown: boolean;
};

export function useBotLink(): BotLink {
  const { botUsername, isKnown } = useCapabilities({ isWanted: brand.bot.href === undefined });
  return brand.bot.href === undefined
    ? { href: botUsername === undefined ? undefined : `https://t.me/${botUsername}`, isKnown }
    : { href: brand.bot.href, isKnown: true };
}
