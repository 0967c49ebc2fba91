/** What a person listens to, asked of Spotify at most every few seconds however many pages poll. */
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';
import { type Playing, type Spotify } from '#server/upstream/spotify';

import { connectionTexts } from './connection-texts.ts';
import { type ServiceTokens } from './service-tokens.ts';

const freshMs = 5000;
const mostKept = 10_000;

type Glance = { readonly at: number; readonly playing: Promise<Playing | undefined> };

export type NowPlayingService = {
  /** `askerId` asks for what `telegramId` listens to; only for oneself. Undefined when nothing plays. */
  readonly read: (askerId: number, telegramId: number) => Promise<Playing | undefined>;
};

export function createNowPlaying(
  { clock }: Pick<Dependencies, 'clock'>,
  { tokens, spotify }: { tokens: ServiceTokens; spotify: Spotify | undefined },
): NowPlayingService {
  const glances = new Map<number, Glance>();

  async function ask(telegramId: number): Promise<Playing | undefined> {
    const whose = { telegramId, service: 'spotify' } as const;
    const token = await tokens.read(whose);
    try {
      return await spotify?.nowPlaying(token);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'connection_expired')) {
        throw error;
      }
      return spotify?.nowPlaying(await tokens.read(whose, { isForced: true }));
    }
  }

  return {
    read: async (askerId, telegramId) => {
      if (askerId !== telegramId) {
        throw new AppError('foreign_person', { detail: connectionTexts.foreignPlaying });
      }
      const known = glances.get(telegramId);
      if (known && clock() - known.at < freshMs) {
        return known.playing;
      }
      const playing = ask(telegramId);
      // Old entries go first: a map remembers the order in which they came.
      glances.delete(telegramId);
      glances.set(telegramId, { at: clock(), playing });
      const [oldest] = glances.keys();
      if (glances.size > mostKept && oldest !== undefined) {
        glances.delete(oldest);
      }
      playing.catch(() => {
        if (glances.get(telegramId)?.playing === playing) {
          glances.delete(telegramId);
        }
      });
      return playing;
    },
  };
}
