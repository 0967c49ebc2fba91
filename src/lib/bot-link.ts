/** The way to the bot: as built in, else as the server that runs it says. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { readCapabilities } from '#contract/endpoints/site';

import { call } from './api.ts';
import { brand } from './brand.ts';

/** What the backend can do beyond the specification; a backend without the call can do nothing more. */
const capabilities = () =>
  queryOptions({
    queryKey: ['capabilities'],
    queryFn: ({ signal }) => call(readCapabilities, {}, signal).catch(() => ({ capabilities: [] })),
    staleTime: Number.POSITIVE_INFINITY,
  });

type BotLink = {
  /** `https://t.me/<bot>`; undefined when nobody has said which bot it is. */
  readonly href: string | undefined;
  /** Whether the server has been asked. */
  readonly isKnown: boolean;
};

export function useBotLink(): BotLink {
  const { data, isSuccess } = useQuery({
    ...capabilities(),
    enabled: brand.bot.href === undefined,
  });
  const username = data && 'bot_username' in data ? data.bot_username : undefined;
  return brand.bot.href === undefined
    ? { href: username === undefined ? undefined : `https://t.me/${username}`, isKnown: isSuccess }
    : { href: brand.bot.href, isKnown: true };
}
