/** The way to the bot: as built in, else as the server that runs it says. */
import { brand } from './brand.ts';
import { useCapabilities } from './capabilities.ts';

type BotLink = {
  /** `https://t.me/<bot>`; undefined when nobody has said which bot it is. */
  readonly href: string | undefined;
  /** Whether the server has been asked. */
  readonly isKnown: boolean;
};

export function useBotLink(): BotLink {
  const { botUsername, isKnown } = useCapabilities({ isWanted: brand.bot.href === undefined });
  return brand.bot.href === undefined
    ? { href: botUsername === undefined ? undefined : `https://t.me/${botUsername}`, isKnown }
    : { href: brand.bot.href, isKnown: true };
}
