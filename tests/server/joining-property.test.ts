import * as v from 'valibot';
/**
 * A person joins, writes, answers, leaves and comes back, administrators meddle, and two processes hear of all that in any
 * order in which Telegram may tell it, some of it twice. However it comes, the same must be true at the end.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { migrate } from '#server/db/client';
import { isUpdate, connectTelegramBot } from '#server/upstream/telegram/bot';
import { connectChatActions } from '#server/upstream/telegram/chat-actions';
import { connectTelegram } from '#server/upstream/telegram/telegram';
import { startBotApi } from '#tests/bot-api-server';
import { solveCaptcha } from '#tests/join-tasks';
import { startPostgres } from '#tests/postgres';
import { randomStart } from '#tests/setup';
import { groupId } from '#tests/test-bot';
import { createTestServer, minute, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const [olga, bo, uma] = [111, 222, 710_001];
const stepsPerRun = 80;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Update = Readonly<Record<string, unknown>>;
/** Telegram tells the updates of one queue in their order, those of several in any. */
type Queue = 'messages' | 'moves' | 'presses';
/** From a join to the next leaving. */
type Stay = {
  readonly joinedAt: number;
  /** Whether they have passed, or an administrator has let them in. */
  isIn: boolean;
  /** Whether it ended with a ban by an administrator. */
  isBanned: boolean;
  readonly messages: { readonly id: number; readonly isAfter: boolean }[];
};

const shownTask = v.object({
  text: v.string(),
  buttons: v.array(v.array(v.object({ text: v.string(), data: v.string() }))),
});
const keyboard = v.object({
  inline_keyboard: v.array(v.array(v.object({ text: v.string(), callback_data: v.string() }))),
});

/** Telegram with one group, and two processes of a server that share a database. */
async function startWorld(
  { seed, url }: { readonly seed: number; readonly url: string | undefined },
  values: Update,
) {
  const next = numbersFrom(seed + 1);
  let clock = Date.now;
  const api = await startBotApi({ kickMs: 0, clock: () => clock() });
  const database = await openTestDatabase(url);
  await migrate(database);
  const options = {
    telegram: connectTelegram(api),
    telegramBot: connectTelegramBot(api),
    chatActions: connectChatActions(api),
    // The same tasks in every run.
    random: {
      bytes: (count: number) =>
        Buffer.from(Array.from({ length: count }, () => Math.floor(next() * 256))),
      digits: (count: number) => String(Math.floor(next() * 10 ** count)).padStart(count, '0'),
    },
    database: { ...database, close: () => Promise.resolve() },
    variables: { BOT_TOKEN: api.token, TELEGRAM_API_ROOT: api.apiRoot, BOT_MODE: 'off' },
  };
  const servers = [await createTestServer(options), await createTestServer(options)];
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await api.close();
    await database.close();
  });
  const [first] = servers;
  if (first === undefined) {
    throw new Error('There is no server');
  }
  clock = first.now;
  const group = api.addChat({
    id: groupId,
    creator: olga,
    administrators: [bo],
    tellsMoves: true,
  });
  await first.services.chatValues.changeByCommand(
    { chatId: groupId, chatName: 'Otters', by: olga, kind: 'values' },
    new Map([[wholeChatId, values]]),
  );
  return { api, group, servers, first, db: database.db };
}

async function play(seed: number, values: Update, url?: string) {
  const world = await startWorld({ seed, url }, values);
  const { api, group, servers, first, db } = world;
  const next = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const queues: Record<Queue, Update[]> = { messages: [], moves: [], presses: [] };
  const stays: Stay[] = [];
  let isMutedByOther = false;
  let told = 0;
  let nextId = 100;
  let nextKey = 0;
  let task: v.InferOutput<typeof shownTask> | undefined;

  const status = () => api.members.read(groupId, uma);
  const isHere = () => group.members.includes(uma);
  const mayWrite = () =>
    isHere() &&
    (status().status === 'member' || status().permissions?.['can_send_messages'] === true);

  /** What the stand-in reports of the bot's own calls. */
  function takeTold(): void {
    const waiting = api.updates.waiting();
    for (const update of waiting.slice(told)) {
      queues.moves.push({ ...update, key: `k${(nextKey += 1)}` });
    }
    told = waiting.length;
  }

  async function look(): Promise<void> {
    takeTold();
    const row = await db
      .selectFrom('join_checks')
      .select(['state', 'started_at'])
      .executeTakeFirst();
    if (row?.state === 'passed' || row?.state === 'let_in') {
      const from = stays.findIndex(({ joinedAt }) => joinedAt === row.started_at);
      // Who comes back has passed already, unless an administrator has removed them.
      const to = stays.findIndex(({ isBanned }, index) => index >= from && isBanned);
      stays
        .slice(from === -1 ? stays.length : from, to === -1 ? stays.length : to + 1)
        .forEach((stay) => {
          stay.isIn = true;
        });
    }
    const sent = api.messages.findLast(({ ephemeral }) => ephemeral?.to === uma);
    const markup = v.safeParse(keyboard, sent?.body['reply_markup']);
    if (task === undefined && sent !== undefined && markup.success) {
      const buttons = markup.output.inline_keyboard.map((row_) =>
        row_.map(({ text, callback_data }) => ({ text, data: callback_data })),
      );
      task = { text: sent.text, buttons };
    }
  }

  async function handle(update: Update, server = pick(servers) ?? first): Promise<void> {
    const { joining } = server.services;
    const whole: unknown = { update_id: 1, ...update };
    if (!isUpdate(whole)) {
      throw new Error('No update');
    }
    const data = update['data'];
    if (typeof data === 'string') {
      const answer = await joining.answerTask({ chatId: groupId, telegramId: uma }, data);
      if ('message' in answer) {
        task = v.parse(shownTask, answer.message);
      }
    } else if (whole.chat_member !== undefined) {
      await joining.memberMoved(whole.chat_member, String(update['key']));
    } else if (whole.message !== undefined) {
      await joining.checkMessage(whole.message);
    }
  }

  /** Some of it twice: after each other, or by both processes at the same moment. */
  async function deliver(): Promise<boolean> {
    const queue = pick(Object.values(queues).filter((one) => one.length > 0));
    const update = queue?.shift();
    if (update === undefined) {
      return false;
    }
    const how = next();
    if (how < 0.1) {
      await Promise.all(servers.map((server) => handle(update, server)));
    } else {
      await handle(update);
      await (how < 0.2 ? handle(update) : undefined);
    }
    await look();
    return true;
  }

  const user = { id: uma, is_bot: false, first_name: 'Uma' };
  const toMessage = (fields: Update) => ({
    message: {
      message_id: (nextId += 1),
      date: Math.floor(first.now() / 1000),
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      from: user,
      ...fields,
    },
  });
  const move = (update: Update) => queues.moves.push({ ...update, key: `k${(nextKey += 1)}` });

  function press(isRight: boolean): void {
    const buttons = task?.buttons.flat() ?? [];
    const right = solveCaptcha(
      task?.text ?? '',
      buttons.map(({ text }) => text),
    );
    const button = buttons.find(({ text }) => (text === right) === isRight) ?? buttons[0];
    if (button !== undefined) {
      queues.presses.push({ data: button.data.split(':')[2] });
    }
  }

  const actions: Readonly<Record<string, () => void>> = {
    join: () => {
      if (!isHere() && status().status !== 'kicked') {
        // Telegram counts in seconds: a stay that ends in the second in which it began is none of these.
        servers.forEach((server) => server.wait(1000));
        const joinedAt = Math.floor(first.now() / 1000) * 1000;
        move(api.moves.join(groupId, uma));
        const last = stays.at(-1);
        const isIn = last?.isIn === true && !last.isBanned;
        stays.push({ joinedAt, isIn, isBanned: false, messages: [] });
        task = undefined;
        if (next() < 0.6) {
          queues.messages.push(toMessage({ new_chat_members: [user] }));
        }
      }
    },
    leave: () => {
      if (isHere()) {
        servers.forEach((server) => server.wait(1000));
        move(api.moves.leave(groupId, uma));
      }
    },
    write: () => {
      const stay = stays.at(-1);
      const count = stay === undefined || !mayWrite() ? 0 : Math.floor(next() * 4);
      for (let left = count; left > 0; left -= 1) {
        const update = toMessage({ text: 'Hello' });
        queues.messages.push(update);
        stay?.messages.push({ id: update.message.message_id, isAfter: stay.isIn });
      }
    },
    right: () => press(true),
    wrong: () => press(false),
    wait: () => servers.forEach((server) => server.wait(wait)),
    ban: () => {
      if (isHere() && next() < 0.3) {
        servers.forEach((server) => server.wait(1000));
        move(api.moves.order(groupId, uma, { by: bo, what: 'ban' }));
        const stay = stays.at(-1);
        if (stay !== undefined) {
          stay.isBanned = true;
        }
        isMutedByOther = false;
      }
    },
    unban: () => {
      if (status().status === 'kicked' && next() < 0.5) {
        move(api.moves.order(groupId, uma, { by: bo, what: 'unmute' }));
      }
    },
    unmute: () => {
      if (isHere() && !mayWrite() && next() < 0.3) {
        servers.forEach((server) => server.wait(1000));
        move(api.moves.order(groupId, uma, { by: bo, what: 'unmute' }));
        isMutedByOther = false;
      }
    },
    mute: () => {
      if (isHere() && next() < 0.2) {
        servers.forEach((server) => server.wait(1000));
        move(api.moves.order(groupId, uma, { by: bo, what: 'mute' }));
        isMutedByOther = true;
      }
    },
  };
  let wait = 1000;
  const weighted = ['join', 'join', 'join', 'write', 'write', 'write', 'write'];
  const others = ['right', 'right', 'wrong', 'leave', 'wait'];
  const names = [...weighted, ...others, 'ban', 'unban', 'unmute', 'mute'];

  for (let step = 0; step < stepsPerRun; step += 1) {
    wait = Math.floor(next() * 20_000);
    if (next() < 0.5) {
      actions[pick(names) ?? 'wait']?.();
    } else {
      await deliver();
    }
    if (next() < 0.1) {
      await pick(servers)?.services.dueJobs.runDue();
    }
    await look();
  }
  while (await deliver()) {
    // Until all is told.
  }
  for (let round = 0; round < 3; round += 1) {
    servers.forEach((server) => server.wait(6 * minute));
    for (const { services } of servers) {
      await services.dueJobs.runDue();
      await services.deletions.deleteDue();
    }
    await look();
    while (await deliver()) {
      // What the bot has done now.
    }
  }
  return { ...world, stays, isHere, mayWrite, isMutedByOther };
}

type Played = Awaited<ReturnType<typeof play>>;

async function readCounts({ servers, db }: Played) {
  await Promise.all(servers.map(({ services }) => services.chatNumbers.save()));
  const rows = await db.selectFrom('chat_numbers').select(['name', 'count']).execute();
  return (name: string) =>
    rows.filter((row) => row.name === name).reduce((sum, { count }) => sum + count, 0);
}

/** What must be true at the end, as it is. */
async function readOutcome(seed: number, values: Update, url?: string) {
  const played = await play(seed, values, url);
  const { stays, api, isHere, mayWrite, isMutedByOther } = played;
  const isGone = (id: number) => api.deletions.isGone(groupId, id);
  const last = stays.at(-1);
  const count = await readCounts(played);
  const outcomes = ['check_passed', 'check_failed', 'check_expired', 'raid_removed'];
  const total = outcomes.reduce((sum, name) => sum + count(name), 0);
  return {
    lost: stays.flatMap(({ messages }) => messages.filter((one) => one.isAfter && isGone(one.id))),
    left: stays
      .filter(({ isIn }) => !isIn)
      .flatMap(({ messages }) => messages.filter((one) => !isGone(one.id))),
    // Unless an administrator wants it otherwise.
    isInWithoutPassing: !isMutedByOther && last?.isIn === false && isHere(),
    isMutedAfterPassing: !isMutedByOther && last?.isIn === true && isHere() && !mayWrite(),
    uncountedJoins: stays.length - count('join'),
    hasTwoOutcomes: total > stays.length,
  };
}

const asItMustBe = {
  lost: [],
  left: [],
  isInWithoutPassing: false,
  isMutedAfterPassing: false,
  uncountedJoins: 0,
  hasTwoOutcomes: false,
};

const kinds = [
  ['a task', { captcha_mode: 'task' }],
  ['a button', { captcha_mode: 'button', captcha_seconds: 60 }],
  ['raid protection', { raid_until: Date.parse('2026-11-23T12:00:00Z') }],
] as const;

describe.each(kinds)('in any order: %s', (_name, values) => {
  test.each(Array.from({ length: 12 }, (_one, index) => randomStart * 1000 + index))(
    'seed %i',
    async (seed) => {
      expect(await readOutcome(seed, values)).toEqual(asItMustBe);
    },
  );
});

describe.skipIf(postgres === undefined)('in any order on PostgreSQL', () => {
  test.each(Array.from({ length: 6 }, (_one, index) => randomStart * 1000 + 500 + index))(
    'seed %i',
    async (seed) => {
      const values = { captcha_mode: 'task' };
      expect(await readOutcome(seed, values, postgres?.url)).toEqual(asItMustBe);
    },
  );
});
