/** Sends the events of a chat to the open pages that follow it, and rechecks regularly who may follow. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createSlotLimiter } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { type EventStream } from '#server/lib/event-stream';
import { followRules } from '#server/lib/limits';
import { outsideRequests } from '#server/lib/request-context';
import { type SessionUser } from '#server/lib/requester';
import { type Sessions } from '#services/accounts';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly sessions: Sessions;
};

/** An open page that follows a chat. */
type Follower = {
  readonly user: SessionUser;
  readonly stream: EventStream<ChatEvent>;
  /** Changes when the chat gets another ID. */
  chatId: number;
  /** False while the access of the user cannot be checked: then settings are not sent. */
  isConfirmed: boolean;
  unfollow: () => void;
};

export function createChatStreams(
  { log }: Pick<Dependencies, 'log'>,
  { access, events, sessions }: Tools,
) {
  const followers = new Set<Follower>();
  const slots = createSlotLimiter(followRules.maxPerUser);
  const checks = new Set<Promise<void>>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isStopped = false;

  /** Checks whether the user still may follow. Telegram's last answer counts for `maxAgeMs`. */
  function check(follower: Follower, maxAgeMs: number): Promise<void> {
    const run = checkAccess(follower, maxAgeMs, { access, sessions, log })
      .then((result) => applyResult(follower, result))
      .finally(() => checks.delete(run));
    checks.add(run);
    return run;
  }

  function follow(follower: Follower): void {
    follower.unfollow();
    follower.unfollow = events.follow(follower.chatId, (event) => forward(follower, event));
  }

  /** Must not throw: it runs while the change of another user is being published. */
  function forward(follower: Follower, event: ChatEvent): void {
    const isContent = contentKinds.has(event.kind);
    // `lost` concerns one user only: each follower is checked for itself.
    if (isContent ? follower.isConfirmed : event.kind !== 'lost') {
      follower.stream.send(event);
    }
    if (event.kind === 'upgraded') {
      follower.chatId = Number(event.chat_id);
      follow(follower);
    }
    if (!isContent) {
      void check(follower, 0);
    }
  }

  /** Keeps connections alive and checks all followers. Called every `followRules.beatMs`. */
  async function beat(): Promise<void> {
    await Promise.all(
      [...followers].map((follower) => {
        follower.stream.beat();
        return check(follower, followRules.checkAgeMs);
      }),
    );
  }

  function add(follower: Follower, release: () => void): void {
    followers.add(follower);
    timer ??= setInterval(() => void outsideRequests(beat), followRules.beatMs).unref();
    follower.stream.ended.addEventListener('abort', () => {
      follower.unfollow();
      followers.delete(follower);
      release();
      if (followers.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    });
  }

  /** The pages connect again and read everything anew. */
  const endAll = () => followers.forEach(({ stream }) => stream.end());

  followSessions({ sessions, events }, (telegramId) => {
    for (const follower of followers) {
      if (follower.user.telegramId === telegramId) {
        void check(follower, followRules.checkAgeMs);
      }
    }
  });
  events.onMissed(endAll);

  return {
    beat,

    /**
     * Sends events until one side ends the stream. Throws what `requireManager` throws, except that a
     * manager may wait for a bot that is out of the chat; `rate_limited` when the user has too many
     * pages open, and `busy` when the server stops.
     */
    async open(user: SessionUser, givenId: number, stream: EventStream<ChatEvent>): Promise<void> {
      const release = slots.take(String(user.telegramId)) ?? refuse();
      try {
        // The page reads the chat when the stream is open, and hears of every change since.
        await events.ready();
        const known = await access.requireKnown(givenId, user.telegramId, followRules.checkAgeMs);
        if (isStopped) {
          throw new AppError('busy', { retryAfterS: 1 });
        }
        const follower = { user, stream, ...known, unfollow: () => undefined };
        add(follower, release);
        follow(follower);
      } catch (error) {
        release();
        throw error;
      }
    },

    /** Ends all streams for good. Resolves when no check is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      endAll();
      await Promise.allSettled(checks);
    },
  };
}

/** Calls back when sessions of a user were ended, here or by another process. */
function followSessions(
  { sessions, events }: Pick<Tools, 'sessions' | 'events'>,
  onEnd: (telegramId: number) => void,
): void {
  sessions.onEnd((telegramId) => {
    onEnd(telegramId);
    events.tell({ kind: 'sessions', telegramId });
  });
  events.onTold((event) => {
    if (event.kind === 'sessions') {
      onEnd(event.telegramId);
    }
  });
}

/** Events about what is set in a chat or done there. Others concern who may follow. */
const contentKinds: ReadonlySet<ChatEvent['kind']> = new Set([
  'settings',
  'values',
  'topics',
  'language',
  'action',
  'approvals',
] as const);

function refuse(): never {
  const retryAfterS = followRules.beatMs / 1000;
  throw new AppError('rate_limited', { detail: (say) => say(chatTexts).tooManyPages, retryAfterS });
}

type CheckResult = 'allowed' | 'lost' | 'unknown' | 'failed';

async function checkAccess(
  { user, chatId }: Follower,
  maxAgeMs: number,
  { access, sessions, log }: Pick<Tools, 'access' | 'sessions'> & Pick<Dependencies, 'log'>,
): Promise<CheckResult> {
  try {
    if (!(await sessions.isAlive(user))) {
      return 'lost';
    }
    await access.recheck(chatId, user.telegramId, maxAgeMs);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof AppError)) {
      log.error({ err: error }, 'Could not check the access of a follower');
      return 'failed';
    }
    const isLost = error.code === 'chat_not_found' || error.code === 'chat_not_verified';
    return isLost ? 'lost' : 'unknown';
  }
}

function applyResult(follower: Follower, result: CheckResult): void {
  const { stream } = follower;
  if (result === 'lost') {
    stream.send({ kind: 'lost' });
    stream.end();
  } else if (result === 'unknown') {
    follower.isConfirmed = false;
  } else if (result === 'failed' || !follower.isConfirmed) {
    // The page connects again and reads what was not sent meanwhile.
    stream.end();
  }
}
