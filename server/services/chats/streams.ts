/**
 * Passes what happens in a chat on to the pages that follow it, and looks again and again whether
 * those who follow still may.
 */
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { AppError } from '#server/lib/errors';
import { type EventStream } from '#server/lib/event-stream';
import { followRules } from '#server/lib/limits';
import { type Person } from '#server/lib/person';
import { createSeats } from '#server/lib/turns';
import { type Sessions } from '#services/accounts';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly sessions: Sessions;
};

/** Somebody's page that follows a chat. */
type Follower = {
  readonly person: Person;
  readonly stream: EventStream<ChatEvent>;
  /** Changes when the chat gets another id. */
  chatId: number;
  /** False while nobody can say whether the person may: then settings are not passed on. */
  isConfirmed: boolean;
  unfollow: () => void;
};

export function createChatStreams(
  { log }: Pick<Dependencies, 'log'>,
  { access, events, sessions }: Tools,
) {
  const followers = new Set<Follower>();
  const seats = createSeats(followRules.perPerson);
  const checks = new Set<Promise<void>>();
  const judges = { access, sessions, log };
  let timer: ReturnType<typeof setInterval> | undefined;
  let isStopped = false;

  /** Looks whether the follower still may follow; Telegram's last answer counts for `maxAgeMs`. */
  function check(follower: Follower, maxAgeMs: number): Promise<void> {
    const run = judge(follower, maxAgeMs, judges)
      .then((verdict) => carryOut(follower, verdict))
      .finally(() => checks.delete(run));
    checks.add(run);
    return run;
  }

  function follow(follower: Follower): void {
    follower.unfollow();
    follower.unfollow = events.follow(follower.chatId, (event) => pass(follower, event));
  }

  /** Must not throw, as it runs while somebody else's change is told to all. */
  function pass(follower: Follower, event: ChatEvent): void {
    if (isFor(follower, event)) {
      follower.stream.send(event);
    }
    if (event.kind === 'upgraded') {
      follower.chatId = Number(event.chat_id);
      follow(follower);
    }
    if (!isContent(event)) {
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

  function keep(follower: Follower, leave: () => void): void {
    followers.add(follower);
    timer ??= setInterval(() => void beat(), followRules.beatMs).unref();
    follower.stream.ended.addEventListener('abort', () => {
      follower.unfollow();
      followers.delete(follower);
      leave();
      if (followers.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    });
  }

  sessions.onEnd((telegramId) => {
    for (const follower of [...followers].filter(
      ({ person }) => person.telegramId === telegramId,
    )) {
      void check(follower, followRules.checkAgeMs);
    }
  });

  return {
    beat,

    /**
     * Passes events on until one side ends the stream. Throws what `requireManager` throws, but lets a
     * manager wait for a bot that is out of the chat; `rate_limited` when somebody has too many pages
     * open, and `busy` when the server stops.
     */
    async open(person: Person, askedId: number, stream: EventStream<ChatEvent>): Promise<void> {
      const leave = seats.take(String(person.telegramId)) ?? refuse();
      try {
        const place = await access.requireKnown(askedId, person.telegramId, followRules.checkAgeMs);
        if (isStopped) {
          throw new AppError('busy', { retryAfterS: 1 });
        }
        const follower = { person, stream, ...place, unfollow: () => undefined };
        keep(follower, leave);
        follow(follower);
      } catch (error) {
        leave();
        throw error;
      }
    },

    /** Ends all streams, for good. Resolves when nothing that was asked for them is under way. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { stream } of followers) {
        stream.end();
      }
      await Promise.allSettled(checks);
    },
  };
}

function refuse(): never {
  const retryAfterS = followRules.beatMs / 1000;
  throw new AppError('rate_limited', { detail: chatTexts.tooManyPages, retryAfterS });
}

/** What is in the chat, as against who may see it. */
function isContent({ kind }: ChatEvent): boolean {
  return kind === 'settings' || kind === 'topics';
}

/** That somebody has lost the chat is for each to find out for themselves. */
function isFor({ isConfirmed }: Follower, event: ChatEvent): boolean {
  return isContent(event) ? isConfirmed : event.kind !== 'lost';
}

type Verdict = 'allowed' | 'lost' | 'unknown' | 'failed';

type Judges = Pick<Tools, 'access' | 'sessions'> & Pick<Dependencies, 'log'>;

async function judge(
  { person, chatId }: Follower,
  maxAgeMs: number,
  { access, sessions, log }: Judges,
): Promise<Verdict> {
  try {
    if (!(await sessions.isAlive(person))) {
      return 'lost';
    }
    await access.recheck(chatId, person.telegramId, maxAgeMs);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof AppError)) {
      log.error({ err: error }, 'a follower could not be checked');
      return 'failed';
    }
    const isLost = error.code === 'chat_not_found' || error.code === 'chat_not_verified';
    return isLost ? 'lost' : 'unknown';
  }
}

function carryOut(follower: Follower, verdict: Verdict): void {
  const { stream } = follower;
  if (verdict === 'lost') {
    stream.send({ kind: 'lost' });
    stream.end();
  } else if (verdict === 'unknown') {
    follower.isConfirmed = false;
  } else if (verdict === 'failed' || !follower.isConfirmed) {
    // What was held back meanwhile is read by the page when it connects again.
    stream.end();
  }
}
