/** Rows are found by an index: those that refer to a removed row, and those of chats and their members. */
import { CompiledQuery, createQueryId, type Kysely, type RootOperationNode, sql } from 'kysely';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { createAccountEventRepository } from '#server/db/account-events';
import { createActionRepository } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { createBotChatRepository, createDueHintRepository } from '#server/db/bot-chats';
import { createBotInboxRepository, removeOldUpdates } from '#server/db/bot-inbox';
import { removeOldEvents } from '#server/db/chat-events';
import { createChatValueRepository } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { createDeletionRepository } from '#server/db/deletions';
import { createDueDeletionRepository } from '#server/db/due-deletions';
import { createDueJobRepository } from '#server/db/due-jobs';
import {
  createGenerationJobRepository,
  createGenerationLeaseRepository,
} from '#server/db/generation-jobs';
import { createGenerationRepository, createPictureRepository } from '#server/db/generations';
import { createManagerRepository } from '#server/db/managers';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import {
  createAdultConfirmationRepository,
  createAwayRepository,
  createStickerPackRepository,
  createWhisperRepository,
  forgetPersonalRecords,
  hasPersonalRecords,
} from '#server/db/personal-records';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { createSessionRepository } from '#server/db/sessions';
import { createSettingChangeRepository } from '#server/db/setting-changes';
import { type Tables } from '#server/db/tables';
import { createBlockedTypeRepository, createTopicRepository } from '#server/db/topics';
import { createWarningRepository } from '#server/db/warnings';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

type Reference = { readonly child: string; readonly column: string; readonly type: string };

/** Every column that refers to a row of another table, as SQLite lists them; the tables are the same on both. */
async function listReferences(): Promise<readonly Reference[]> {
  const database = openDatabase({});
  await migrate(database);
  const { rows } = await sql<Reference>`
    select tables.name as child, keys."from" as "column", lower(columns.type) as type
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys,
      pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name = keys."from" and keys.seq = 0
    order by 1, 2`.execute(database.db);
  await database.close();
  return rows;
}

const references = await listReferences();

/** How the database would run a statement. */
async function explainStatement(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<string> {
  if (engine === 'sqlite') {
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, [...values]),
    );
    return rows.map(({ detail }) => detail).join('\n');
  }
  return db.transaction().execute(async (tx) => {
    // An empty table is otherwise read whole, whatever indexes it has.
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${text}`, [...values]),
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

/** The lookup of a cascade, and how the database would run it. */
function explain(database: Database, { child, column, type }: Reference): Promise<string> {
  const value = type === 'text' ? `''` : '0';
  return explainStatement(database, `delete from ${child} where ${column} = ${value}`);
}

/** Calls the repositories of what is stored about chats and members, and returns each of their statements once. */
async function recordStatements(
  database: Database,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const recorded = new Map<string, readonly unknown[]>();
  const executor = database.db.getExecutor();
  const record = (node: RootOperationNode) => {
    const { sql: text, parameters } = executor.compileQuery(node, createQueryId());
    // The table of former IDs is so small that it needs no further index.
    if (node.kind !== 'RawNode' && node.kind !== 'InsertQueryNode' && !isOfUpgrades.test(text)) {
      recorded.set(text, parameters);
    }
    return node;
  };
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => record(node),
    transformResult: async ({ result }) => result,
  });
  await callEverything({ ...database, db });
  return recorded;
}

const isOfUpgrades = /^update "chat_upgrades"/;

async function callEverything(database: Database): Promise<void> {
  const { db } = database;
  await callValues(db);
  await callMembers(db);
  await callSessions(db);
  await callUpdates(database);
  await callPictures(database);
  await callPersonalRecords(db);

  const people = createPeopleSeenRepository(database);
  await people.learn([{ telegramId: 7, username: 'a', firstName: 'A' }], 1);
  await people.findByUsername('a');
  await people.find(7);
  await people.findNames([7]);
  await people.forget(7);
  await people.removeBefore(1);

  const jobs = createDueJobRepository(database);
  await jobs.claimDue(1, { limit: 1, leaseMs: 1 });
  await jobs.claimDue(1, { limit: 1, leaseMs: 1, kinds: ['log'] });
  await jobs.take('a');
  await jobs.find('a');
  await jobs.listOfPerson(7, 'reminder');
  await jobs.changeBody({ id: 'a', body: '1' }, '2');
  const claimed = { id: 'a', dueAt: 1, epoch: 1 };
  await jobs.renew([claimed], 1);
  await jobs.postpone(claimed, 1, 1);
  await jobs.remove(claimed);
  await jobs.readNextDueAt();
  await jobs.removeInChat(-1);

  const chats = createChatRepository(db);
  await chats.isReal(-1);
  await chats.upgrade(-1, -2);
}

async function callValues(db: Kysely<Tables>): Promise<void> {
  const values = createChatValueRepository(db);
  await createChatRepository(db).save({ chatId: -1, name: '', isDemo: false }, 1);
  await values.readAll(-1);
  await values.readVerified(-1);
  await values.set(-1, [{ topicId: 0, name: 'a', value: null }], 1);
  const changes = createSettingChangeRepository(db);
  const items = [{ topicId: 0, name: 'a', was: null, becomes: 1 }];
  const change = { id: 'c', chatId: -1, by: 7, preset: null, items: [], language: null };
  await changes.add({ ...change, kind: 'values', values: items }, 1);
  await changes.find(-1, 'c');
  await changes.list(-1, { before: 5, max: 2, maxItems: 2 });
}

async function callMembers(db: Kysely<Tables>): Promise<void> {
  const messages = createSeenMessageRepository(db);
  const range = { topicId: 1, sentAfter: 1, limit: 1 };
  const facts = { messageId: 1, topicId: 1, senderId: 7, sentAt: 5 };
  await messages.add([
    { ...facts, chatId: -1 },
    { ...facts, chatId: -1, messageId: 2 },
  ]);
  await messages.listFrom(-1, { ...range, fromMessageId: 1, toMessageId: 2 });
  await messages.listNewest(-1, { ...range, beforeMessageId: 5 });
  await messages.listBySender(-1, 7, range);
  await messages.removeOld({ before: 1, maxPerChat: 1 });

  const warnings = createWarningRepository(db);
  await warnings.listOpen(-1, 7, 1);
  await warnings.listOpenInChat(-1, 1, 5);
  await warnings.find(-1, 'a');
  await warnings.end(['a'], 1);
  await warnings.endAll(-1, 7, 1);
  await warnings.removeBefore(1);

  const approvals = createApprovalRepository(db);
  await approvals.add({ chatId: -1, telegramId: 7, byId: 8, at: 1, until: undefined });
  await approvals.find(-1, 7, 1);
  await approvals.list(-1, 1);
  await approvals.remove(-1, 7);
  await approvals.removeExpired(1);

  const actions = createActionRepository(db);
  await actions.find(-1, 'a');
  await actions.list(-1, { before: { at: 5, id: 'a' }, since: 1, limit: 5 });
  await actions.findInAnyChat('a');
  await actions.listReplaced(
    -1,
    [
      {
        id: 'a',
        chatId: -1,
        at: 1,
        kind: 'ban',
        reason: '',
        until: undefined,
        by: { telegramId: 8, name: '', username: undefined },
        target: { telegramId: 7, name: '', username: undefined },
        undoneAt: undefined,
      },
    ],
    1,
  );
  await actions.markUndone(-1, 'a', 1);
  await actions.removeBefore(1);
}

async function callSessions(db: Kysely<Tables>): Promise<void> {
  const sessions = createSessionRepository(db);
  await sessions.findByToken('a', 1);
  await sessions.list(7, 1);
  await sessions.keepNewest(7, 1);
  await sessions.removeExpired(1);
  const managers = createManagerRepository(db);
  await managers.find(-1, 7);
  await managers.isManagerOrOwner(-1, 7, []);
  await managers.forgetChecks(-1);
  await managers.removeAll(-1);
  const chats = createChatRepository(db);
  await chats.listManagedBy(7);
  await chats.lock(-1);
  const topics = createTopicRepository(db);
  await topics.readChat(-1);
  await topics.count(-1);
  await createBlockedTypeRepository(db).listOfChat(-1);
  const places = createBotChatRepository(db);
  await places.find(-1);
  await places.listUnverified(7);
  const deletions = createDeletionRepository(db);
  await deletions.totals(-1, 1);
  await deletions.removeBefore(1);
  await createAccountEventRepository(db).removeBefore(1);
  await createChatValueRepository(db).removeLeftBefore(1);
}

async function callPersonalRecords(db: Kysely<Tables>): Promise<void> {
  const away = createAwayRepository(db);
  await away.find([7, 8]);
  await away.end(7);
  await away.removeBefore(1);
  const whispers = createWhisperRepository(db);
  await whispers.find('a', 1);
  await whispers.keep({ id: 'a', fromId: 7 }, 1);
  await whispers.addressTo('a', 8);
  await whispers.removeExpired(1);
  const packs = createStickerPackRepository(db);
  await packs.list(7);
  await packs.remove('a');
  await createAdultConfirmationRepository(db).has(7);
  await hasPersonalRecords(db, 7);
  await forgetPersonalRecords(db, 7);
}

/** What several processes claim, and what is removed of it. */
async function callUpdates(database: Database): Promise<void> {
  const lease = { runner: 'a', leaseMs: 1 };
  const inbox = createBotInboxRepository(database, 1);
  await inbox.add([{ updateId: 1, chatId: -1, payload: '{}' }], { ...lease, now: 1 });
  await inbox.claim(lease, 1);
  await inbox.renew(lease);
  await inbox.isHandledElsewhere('a');
  await inbox.markHandled({ updateIds: [1], albumIds: [2], runner: 'a', now: 1 });
  await inbox.listAlbums();
  await inbox.release('a');
  await removeOldUpdates(database, { handledBefore: 1, receivedBefore: 1, albumsBefore: 1 });

  const deletions = createDueDeletionRepository(database);
  const claimed = [{ chatId: -1, messageId: 1, epoch: 1 }];
  await deletions.claimDue(1, { limit: 1, leaseMs: 1 });
  await deletions.renew(claimed, 1);
  await deletions.readNextDueAt();
  await deletions.postpone(claimed, 1);
  await deletions.remove(claimed);
  const hints = createDueHintRepository(database.db);
  await hints.remove(-1);

  await removeOldEvents(database);
}

async function callPictures(database: Database): Promise<void> {
  const { db } = database;
  const leases = createGenerationLeaseRepository(database);
  await leases.extend(['a'], { runner: 'a', holdMs: 1 });
  await leases.takeOver({ runner: 'a', holdMs: 1 }, []);
  await leases.release(['a'], 'a');
  await leases.cancel({ owner: 7 }, 1);
  await leases.readStates(['a']);
  const jobs = createGenerationJobRepository(db);
  await jobs.find('a');
  await jobs.removeSaved({ pictureIds: ['a'] });
  const generations = createGenerationRepository(db);
  await generations.list(7, { limit: 1, provider: 'pixai' });
  const pictures = createPictureRepository(db);
  await pictures.count(7);
  await pictures.sumBytes(7);
  await pictures.find('a');
}

const engines: Record<string, { open: () => Promise<Database>; wholeTable: RegExp }> = {
  SQLite: { open: async () => openDatabase({}), wholeTable: /\bSCAN\b/ },
  ...(postgres
    ? { PostgreSQL: { open: () => openTestDatabase(postgres.url), wholeTable: /Seq Scan/ } }
    : {}),
};

test('the generations of a picture and the pictures of a user are such references', () => {
  expect(references).toContainEqual({ child: 'generations', column: 'picture_id', type: 'text' });
  expect(references).toContainEqual({ child: 'pictures', column: 'telegram_id', type: 'bigint' });
});

describe.each(Object.entries(engines))('on %s', (_engine, { open, wholeTable }) => {
  test('no reference is looked for in the whole table', async () => {
    const database = await open();
    onTestFinished(database.close);
    await migrate(database);

    const plans = await Promise.all(references.map((reference) => explain(database, reference)));

    expect(plans.filter((plan) => wholeTable.test(plan))).toEqual([]);
    expect(plans.every((plan) => /index|primary key|search/i.test(plan))).toBe(true);
  });

  test('what is stored of chats and members is found by an index', async () => {
    const database = await open();
    onTestFinished(database.close);
    await migrate(database);

    const statements = await recordStatements(database);
    const plans = await Promise.all(
      [...statements].map(async ([text, values]) => ({
        text,
        plan: await explainStatement(database, text, values),
      })),
    );

    expect(plans.length).toBeGreaterThan(70);
    // An index may be read in its order, and a list of values is no table.
    const isWhole = ({ plan }: (typeof plans)[number]) =>
      plan.split('\n').some((line) => wholeTable.test(line) && !/USING|CONSTANT ROW/.test(line));
    expect(plans.filter(isWhole)).toEqual([]);
  });
});
