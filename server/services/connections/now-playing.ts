/** What a person listens to, asked of Spotify at most every few seconds however many pages poll. */
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { createRestraint, unavailable } from '#server/upstream/connections/oauth';
import { type Playing, type Spotify } from '#server/upstream/connections/spotify';

import { type ServiceTokens } from './service-tokens.ts';
import { connectionTexts } from './texts.ts';

/** How long an answer is good for everybody who asks. */
const freshMs = 5000;
const mostKept = 10_000;
const label = 'Spotify';

type Glance = {
  readonly at: number;
  /** With which it was asked: whoever links another account sees what that one plays. */
  readonly token: string;
  readonly playing: Promise<Playing | undefined>;
};

export type NowPlayingService = {
  /**
   * `askerId` asks for what `telegramId` listens to (themselves when absent); only for oneself.
   * Undefined when nothing plays.
   */
  readonly read: (askerId: number, telegramId?: string) => Promise<Playing | undefined>;
};

export function createNowPlaying(
  { clock }: Pick<Dependencies, 'clock'>,
  { tokens, spotify }: { tokens: ServiceTokens; spotify: Spotify | undefined },
): NowPlayingService {
  const glances = new Map<number, Glance>();
  const unlessBusy = createRestraint(label, clock);

  async function ask(telegramId: number, token: string): Promise<Playing | undefined> {
    const answer = await askOnce(token);
    if (answer !== 'token refused') {
      return answer;
    }
    const whose = { telegramId, service: 'spotify' } as const;
    const second = await askOnce(await tokens.read(whose, token));
    if (second === 'token refused') {
      throw unavailable(label);
    }
    return second;
  }

  async function askOnce(token: string): Promise<Playing | 'token refused' | undefined> {
    const answer = await unlessBusy(async () => spotify?.nowPlaying(token));
    return answer === 'nothing' ? undefined : answer;
  }

  function keep(telegramId: number, glance: Glance): void {
    // Old entries go first: a map remembers the order in which they came.
    glances.delete(telegramId);
    glances.set(telegramId, glance);
    const [oldest] = glances.keys();
    if (glances.size > mostKept && oldest !== undefined) {
      glances.delete(oldest);
    }
    glance.playing.catch(() => {
      if (glances.get(telegramId) === glance) {
        glances.delete(telegramId);
      }
    });
  }

  return {
    read: async (askerId, telegramId = String(askerId)) => {
      if (String(askerId) !== telegramId) {
        throw new AppError('foreign_person', { detail: connectionTexts.foreignPlaying });
      }
      // Before what is known is looked at: an account that is no longer linked tells nothing.
      const token = await tokens.read({ telegramId: askerId, service: 'spotify' });
      const known = glances.get(askerId);
      if (known?.token === token && clock() - known.at < freshMs) {
        return known.playing;
      }
      const playing = ask(askerId, token);
      keep(askerId, { at: clock(), token, playing });
      return playing;
    },
  };
}
