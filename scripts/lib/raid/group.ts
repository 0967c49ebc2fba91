/**
 * The group that `npm run bench:raid` has raided, on Telegram's side: who may come in and write, and what Telegram tells the
 * bot of it. It is as strict as Telegram: who is muted writes nothing, who is banned stays out, and a bot that calls too
 * often is told to wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type BotApi, type Failure, type SentMessage, startBotApi } from '#tests/bot-api-server';

import { administrator, getChatId, owner } from '../bot-world.ts';
import { type Random } from '../cluster/people.ts';

type Content = Readonly<Record<string, unknown>>;

export type Account = {
  readonly id: number;
  readonly name: string;
  readonly isPerson: boolean;
};

/** A message that reached the group. */
export type Written = {
  readonly at: number;
  readonly messageId: number;
  readonly by: Account;
  /** Whether the writer was let in before. */
  readonly hasPassed: boolean;
};

/** A change of a member by the bot, or by the account itself. */
export type Step = {
  readonly at: number;
  readonly id: number;
  readonly what: 'joined' | 'left' | 'refused entry' | 'muted' | 'let in' | 'removed' | 'banned';
};

/** What a group shows of who came or went. */
type Line = {
  readonly at: number;
  readonly messageId: number;
  readonly about: number;
  readonly isJoin: boolean;
  readonly isByBot: boolean;
};

export type RaidGroup = Awaited<ReturnType<typeof startRaidGroup>>;

export const raidChat = getChatId(0);
const chat = { id: raidChat, type: 'supergroup', title: 'Otters' } as const;

/** Telegram takes so many messages of a bot in one group. */
const messagesAMinute = 20;
/** … and so many calls altogether. */
const callsASecond = 30;
/** The ways of the updates about members and about messages are of different length. */
const maxDetourMs = 400;
const detours = 0.3;
/** Telegram's answer takes this long at most, if it is not slower on purpose. */
const spreadMs = 30;

const sending = /^(?:send(?!Chat)|copyMessage|forwardMessage)/;
const changing =
  /^(?:banChatMember|unbanChatMember|restrictChatMember|approveChatJoinRequest|answerChatJoinRequestQuery)$/;

const now = () => performance.now();
const seconds = () => Math.floor(Date.now() / 1000);

type Options = {
  readonly random: Random;
  /** How long Telegram takes for a call. */
  readonly latencyMs: number;
  /** Whether messages that one member sees count among those of the group; Telegram does not say. */
  readonly isEphemeralCounted: boolean;
};

/** Starts the stand-in. `onMoved` is called when a call of the bot may have changed the place of a member. */
async function startTelegram(
  { random, latencyMs, isEphemeralCounted }: Options,
  onMoved: (body: Content) => void,
) {
  const calls = new Map<string, number>();
  const counts = { flooded: 0, calls };
  const limits = createLimits(isEphemeralCounted);
  const heard: SentMessage[] = [];
  const seenAlone = new Map<number, SentMessage[]>();

  const api = await startBotApi({
    onCall: ({ method, body }) => {
      calls.set(method, (calls.get(method) ?? 0) + 1);
      if (changing.test(method)) {
        // The call takes effect at once, also one that is answered later.
        setImmediate(() => onMoved(body));
      }
    },
    line: async (method, body) => {
      if (changing.test(method)) {
        onMoved(body);
      }
      await sleep(latencyMs + random() * spreadMs);
    },
    onMessage: (message) => {
      const { to, ephemeral } = message;
      if (ephemeral !== undefined) {
        seenAlone.set(ephemeral.to, [...(seenAlone.get(ephemeral.to) ?? []), message]);
      } else if (to === raidChat) {
        heard.push(message);
      }
    },
    findFailure: (method, body) => {
      const failure = limits.find(method, body);
      counts.flooded += failure === undefined ? 0 : 1;
      return failure;
    },
  });
  return {
    api,
    counts,
    /** Messages of the bot in the group that all members saw, deleted ones included. */
    heard,
    /** Those and the ones that a member alone sees. */
    listSeen: (id: number): readonly SentMessage[] => [...heard, ...(seenAlone.get(id) ?? [])],
  };
}

/** `isGuarded`: requests to join come to the bot. */
export async function startRaidGroup({
  isGuarded,
  ...options
}: Options & { readonly isGuarded: boolean }) {
  const accounts = new Map<number, Account>();
  const written = new Map<number, Written>();
  const refused = { messages: 0 };
  /** Requests to join, and whose they are. */
  const queries = new Map<unknown, number>();
  const telegram = await startTelegram(
    options,
    ({ user_id, chat_join_request_query_id: queryId }) =>
      moves.note(Number(user_id ?? queries.get(queryId))),
  );
  const { api } = telegram;
  const members = api.addChat({
    id: raidChat,
    title: chat.title,
    isGuarded,
    creator: owner,
    administrators: [administrator],
  });
  const moves = createMoves({ api, members, accounts, random: options.random });
  const { steps, lines, readPlace } = moves;

  function addAccount(account: Account): void {
    accounts.set(account.id, account);
    api.addPerson({ id: account.id, first_name: account.name });
  }

  /** Whether the bot has let an account in, and has done nothing else to it since. */
  const isLetIn = (who: number): boolean =>
    steps.findLast(({ id }) => id === who)?.what === 'let in';

  return {
    ...telegram,
    steps,
    written,
    lines,
    refused,
    addAccount,

    /** Adds a member from before the raid. */
    addMember(account: Account): void {
      addAccount(account);
      moves.enter(account.id);
    },

    /** Asks to join, unless the account is in or banned. */
    request(id: number): void {
      const { isMember, status } = readPlace(id);
      if (!isMember && status !== 'kicked') {
        queries.set(api.requests.add(raidChat, id, { language: 'en' }), id);
      }
    },

    /** Returns false for an account that is banned. */
    join: (id: number): boolean => moves.join(id),
    leave: (id: number): void => moves.leave(id),

    isIn: (id: number): boolean => readPlace(id).isMember,
    /** Whether its request to join is open. */
    isWaiting: (id: number): boolean => api.requests.read(raidChat, id) === 'pending',
    /** Whether Telegram takes messages of the account in the group. */
    mayWrite: (id: number): boolean => mayWrite(readPlace(id)),

    isLetIn,

    /** Returns false when Telegram does not take the message; the bot then never hears of it. */
    write(by: Account, content: Content): boolean {
      if (!mayWrite(readPlace(by.id))) {
        refused.messages += 1;
        return false;
      }
      const hasPassed = isLetIn(by.id);
      const messageId = moves.post(by.id, content);
      written.set(messageId, { at: now(), messageId, by, hasPassed });
      return true;
    },

    isDeleted: (messageId: number): boolean => api.deletions.isGone(raidChat, messageId),
  };
}

type MoveTools = {
  readonly api: BotApi;
  readonly members: ReturnType<BotApi['addChat']>;
  readonly accounts: ReadonlyMap<number, Account>;
  readonly random: Random;
};

/** What the group shows, and what the bot is told of it. */
function createNews({ api, members, accounts }: MoveTools) {
  /** As the bot was told. */
  const places = new Map<number, Place>();
  /** What is told of each user comes in order. */
  const told = new Map<number, Promise<void>>();
  let nextMessageId = 100_001;

  function toUser(id: number) {
    if (id === api.bot.id) {
      return { id, is_bot: true, first_name: 'Nori', username: api.bot.username };
    }
    const name = accounts.get(id)?.name ?? `Person ${id}`;
    return { id, is_bot: false, first_name: name, language_code: 'en' };
  }

  function readPlace(id: number): Place {
    const { status, until = 0, permissions = {} } = api.members.read(raidChat, id);
    return { status, until, permissions, isMember: members.members.includes(id) };
  }

  /** Tells the bot how the place of a user has changed; it hears of its own changes, too. */
  function tell(id: number, by: number, detourMs = 0): void {
    const [before, after] = [places.get(id) ?? outside, readPlace(id)];
    places.set(id, after);
    const move = {
      chat,
      from: toUser(by),
      date: seconds(),
      old_chat_member: toMember(before, toUser(id)),
      new_chat_member: toMember(after, toUser(id)),
    };
    const earlier = told.get(id) ?? Promise.resolve();
    told.set(
      id,
      earlier.then(() => sleep(detourMs)).then(() => void api.updates.push({ chat_member: move })),
    );
  }

  function post(by: number, content: Content): number {
    const messageId = nextMessageId;
    nextMessageId += 1;
    const message = { message_id: messageId, date: seconds(), chat, from: toUser(by) };
    api.updates.push({ message: { ...message, ...content } });
    return messageId;
  }

  return { places, readPlace, tell, post, toUser };
}

/** Who comes and goes. */
function createMoves(tools: MoveTools) {
  const { api, members, random } = tools;
  const steps: Step[] = [];
  const lines: Line[] = [];
  const { places, readPlace, tell, post, toUser } = createNews(tools);

  function addStep(id: number, what: Step['what']): void {
    steps.push({ at: now(), id, what });
  }

  /** A line of the group about who came or went. */
  function postLine(about: number, by: number, kind: 'new_chat_members' | 'left_chat_member') {
    const isJoin = kind === 'new_chat_members';
    const messageId = post(by, { [kind]: isJoin ? [toUser(about)] : toUser(about) });
    lines.push({ at: now(), messageId, about, isJoin, isByBot: by === api.bot.id });
  }

  function takeOut(id: number): void {
    members.members = members.members.filter((one) => one !== id);
  }

  return {
    steps,
    lines,
    readPlace,
    post,

    enter(id: number): void {
      members.members.push(id);
      places.set(id, readPlace(id));
    },

    join(id: number): boolean {
      if (readPlace(id).status === 'kicked') {
        addStep(id, 'refused entry');
        return false;
      }
      members.members.push(id);
      addStep(id, 'joined');
      tell(id, id, random() < detours ? random() * maxDetourMs : 0);
      postLine(id, id, 'new_chat_members');
      return true;
    },

    leave(id: number): void {
      if (readPlace(id).isMember) {
        takeOut(id);
        addStep(id, 'left');
        tell(id, id);
        postLine(id, id, 'left_chat_member');
      }
    },

    /** Looks whether a call of the bot has changed the place of a user. */
    note(id: number): void {
      const [before, after] = [places.get(id) ?? outside, readPlace(id)];
      const isSame =
        before.status === after.status &&
        before.isMember === after.isMember &&
        mayWrite(before) === mayWrite(after);
      if (isSame) {
        return;
      }
      const what = toStep(before, after);
      if (what !== undefined) {
        addStep(id, what);
      }
      if (before.isMember || !after.isMember) {
        tell(id, api.bot.id);
      } else {
        // The stand-in has told the bot whom it let in.
        places.set(id, after);
      }
      if (before.isMember && !after.isMember) {
        postLine(id, api.bot.id, 'left_chat_member');
      } else if (!before.isMember && after.isMember) {
        postLine(id, id, 'new_chat_members');
      }
    },
  };
}

type Place = Pick<ReturnType<BotApi['members']['read']>, 'status'> & {
  readonly until: number;
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly isMember: boolean;
};

const outside: Place = { status: 'left', until: 0, permissions: {}, isMember: false };

const mayWrite = ({ status, isMember, permissions }: Place): boolean =>
  isMember && (status !== 'restricted' || permissions['can_send_messages'] === true);

function toStep(before: Place, after: Place): Step['what'] | undefined {
  if (after.status === 'kicked') {
    return 'banned';
  }
  if (before.isMember && !after.isMember) {
    return 'removed';
  }
  if (mayWrite(before) !== mayWrite(after)) {
    return mayWrite(after) ? 'let in' : 'muted';
  }
  return undefined;
}

function toMember({ status, until, permissions, isMember }: Place, user: object) {
  if (status === 'restricted') {
    return { user, status, until_date: until, is_member: isMember, ...permissions };
  }
  return { user, status, ...(status === 'kicked' ? { until_date: until } : {}) };
}

/** How many milliseconds are left until a call may be made again; undefined when it may now. */
function findWait(times: number[], max: number, windowMs: number): number | undefined {
  const since = now() - windowMs;
  while ((times[0] ?? Infinity) <= since) {
    times.shift();
  }
  return times.length < max ? undefined : (times[0] ?? 0) - since;
}

/** Says when a call is one too many. */
function createLimits(isEphemeralCounted: boolean) {
  const calls: number[] = [];
  const messages: number[] = [];

  function isForGroup(method: string, body: Content): boolean {
    const isAlone = body['ephemeral_message_parameters'] !== undefined;
    return sending.test(method) && Number(body['chat_id']) < 0 && (!isAlone || isEphemeralCounted);
  }

  return {
    find(method: string, body: Content): Failure | undefined {
      if (method === 'getUpdates') {
        return undefined;
      }
      const isMessage = isForGroup(method, body);
      const waitMs =
        findWait(calls, callsASecond, 1000) ??
        (isMessage ? findWait(messages, messagesAMinute, 60_000) : undefined);
      if (waitMs !== undefined) {
        const retry_after = Math.max(1, Math.ceil(waitMs / 1000));
        const description = `Too Many Requests: retry after ${retry_after}`;
        return { error_code: 429, description, parameters: { retry_after } };
      }
      calls.push(now());
      if (isMessage) {
        messages.push(now());
      }
      return undefined;
    },
  };
}
