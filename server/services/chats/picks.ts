/** Has Telegram prepare its own list of groups, from which a person picks the one to manage. */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { chatTexts } from './texts.ts';

export function createChatPicks(
  { telegram, env }: Dependencies,
  { limiter }: { readonly limiter: Limiter },
) {
  return {
    /** Whether a chat that is picked arrives: the bot is told of it, so it has to listen. */
    isPossible: telegram !== undefined && env.botMode !== 'off',

    /**
     * What the person's client opens the list with. Throws `service_not_set_up` without a bot that
     * listens, `bot_not_started`, `rate_limited` or `telegram_unavailable`.
     */
    async prepare(telegramId: number): Promise<string> {
      if (telegram === undefined || env.botMode === 'off') {
        throw new AppError('service_not_set_up', { detail: chatTexts.noBotToPick });
      }
      await limiter.take(limits.chatPicks, telegramId);
      const prepared = await telegram.preparePick(telegramId);
      if (prepared === 'unreachable') {
        throw new AppError('bot_not_started');
      }
      return prepared.id;
    },
  };
}
