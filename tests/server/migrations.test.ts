/** Data that was stored before a migration is still there after it. */
import { Migrator, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, openDatabase, migrate, migrations } from '#server/db/client';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import { createGenerationRepository } from '#server/db/generations';
import { createLanguageRepository } from '#server/db/languages';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const recipe = JSON.stringify({
  prompt: 'a plum',
  negativePrompt: '',
  modelId: '1',
  loras: {},
  seed: '',
  width: 1024,
  height: 1024,
  scale: 6,
  ratio: '1:1',
  nsfw: false,
});

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('jobs and saved pictures survive the migration to several pictures', async () => {
    const database = await open();
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: async () => migrations },
    });
    await migrator.migrateTo('0005-connect-services');
    for (const statement of [
      `insert into people (telegram_id, email, password_hash, created_at) values (7, 'a@example.org', 'x', 1)`,
      `insert into generation_jobs (job_key, provider, engine, recipe, seed, state, picture_id, runner, held_until, created_at)
       values ('done', 'pixai', 'sketch', '${recipe}', '5', 'done', 'picture-1', 'r', 0, 1)`,
      `insert into generation_jobs (job_key, provider, engine, recipe, seed, state, runner, held_until, created_at)
       values ('failed', 'pixai', 'sketch', '${recipe}', '5', 'failed', 'r', 0, 1)`,
      `insert into pictures (id, telegram_id, type, bytes, width, height, created_at)
       values ('kept-1', 7, 'image/png', 1, 64, 48, 1)`,
      `insert into generations (id, telegram_id, picture_id, prompt, negative_prompt, model_id, model_name, seed, ratio, nsfw, tags, loras, created_at)
       values ('g1', 7, 'kept-1', 'a plum', '', '1', 'Tidepool', '5', '1:1', 0, '[]', '{}', 1)`,
    ]) {
      // In order: a later row refers to an earlier one.
      await run(database, statement);
    }

    await migrate(database);
    const jobs = createGenerationJobRepository(database.db);
    const [saved] = await createGenerationRepository(database.db).list(7, { limit: 10 });

    expect(await jobs.find('done')).toMatchObject({
      pictureIds: ['picture-1'],
      recipe: { prompt: 'a plum', style: '' },
    });
    expect((await jobs.find('failed'))?.pictureIds).toEqual([]);
    expect(saved).toMatchObject({
      id: 'g1',
      provider: 'pixai',
      style: '',
      pictureIds: ['kept-1'],
      width: 64,
    });
    await database.close();
  });

  test('blocked types survive the migration that deletes the user who blocked them', async () => {
    const database = await open();
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: async () => migrations },
    });
    await migrator.migrateTo('0007-watch-chats');
    for (const statement of [
      `insert into chats (chat_id, chat_name, is_demo, created_at) values (-100, 'Otters', 0, 1)`,
      `insert into topics (chat_id, topic_id, created_at) values (-100, 0, 1)`,
      `insert into topic_settings (chat_id, topic_id, name, is_blocked, updated_at, updated_by)
       values (-100, 0, 'photo_blocked', 1, 5, 7)`,
    ]) {
      // In order: a later row refers to an earlier one.
      await run(database, statement);
    }

    await migrate(database);

    expect(await database.db.selectFrom('topic_settings').selectAll().execute()).toEqual([
      { chat_id: -100, topic_id: 0, name: 'photo_blocked', is_blocked: 1, updated_at: 5 },
    ]);
    await database.close();
  });

  test('accounts and groups survive the migration to languages, and have none yet', async () => {
    const database = await open();
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: async () => migrations },
    });
    await migrator.migrateTo('0015-restore-pictures');
    for (const statement of [
      `insert into people (telegram_id, email, password_hash, created_at) values (7, 'a@example.org', 'x', 1)`,
      `insert into bot_chats (chat_id, chat_name, is_in, may_delete, is_forum, added_by, added_at, updated_at)
       values (-100, 'Otters', 1, 1, 0, 7, 5, 5)`,
    ]) {
      // In order, as all statements of this file.
      await run(database, statement);
    }

    await migrate(database);
    const languages = createLanguageRepository(database.db);

    expect(await languages.findUser(7)).toEqual({ chosen: undefined, said: undefined });
    expect(await languages.findChat(-100)).toBeUndefined();
    expect(await languages.choose(7, 'uk')).toEqual({ chosen: 'uk', said: undefined });
    expect(await languages.saveSaid('ru', [7, 8])).toEqual([
      { telegramId: 7, languages: { chosen: 'uk', said: 'ru' } },
    ]);
    expect(await languages.saveSaid('ru', [7, 8])).toEqual([]);
    await languages.setFirstOfChat(-100, 'fa');
    await languages.setFirstOfChat(-100, 'de');
    expect(await languages.findChat(-100)).toBe('fa');
    expect([
      await languages.setChat(-100, 'de', 9),
      await languages.setChat(-100, 'de', 9),
    ]).toEqual([true, false]);
    expect(await database.db.selectFrom('bot_chats').selectAll().execute()).toMatchObject([
      { chat_id: -100, chat_name: 'Otters', is_in: 1, added_by: 7, language: 'de' },
    ]);
    await database.close();
  });

  test('several pictures are stored in their order, and are deleted with their generation', async () => {
    const database = await open();
    await migrate(database);
    await run(
      database,
      `insert into people (telegram_id, email, password_hash, created_at) values (7, 'a@example.org', 'x', 1)`,
    );
    const ids = ['d', 'a', 'c', 'b'] as const;
    await database.db
      .insertInto('pictures')
      .values(
        ids.map((id) => ({
          id,
          telegram_id: 7,
          type: 'image/png',
          bytes: 1,
          width: 1,
          height: 1,
          created_at: 1,
        })),
      )
      .execute();
    const generations = createGenerationRepository(database.db);
    const generation = {
      id: 'g1',
      telegramId: 7,
      provider: 'midjourney',
      pictureIds: ids,
      prompt: 'a plum',
      negativePrompt: '',
      modelId: '',
      modelName: '',
      style: '',
      seed: '5',
      ratio: '1:1',
      nsfw: false,
      tags: '[]',
      loras: '{}',
      jobKey: 'key',
      createdAt: 1,
    };

    const added = [await generations.add(generation), await generations.add(generation)];
    const [listed] = await generations.list(7, { limit: 10, provider: 'midjourney' });
    const others = await generations.list(7, { limit: 10, provider: 'pixai' });
    const own = await generations.findPictures(7, { id: 'g1' });
    const foreign = await generations.findPictures(8, { id: 'g1' });
    await run(database, `delete from pictures where id = 'd'`);

    expect(added).toEqual([true, false]);
    expect(listed?.pictureIds).toEqual(ids);
    expect(others).toEqual([]);
    expect([own, foreign]).toEqual([ids, undefined]);
    expect(await generations.list(7, { limit: 10 })).toEqual([]);
    expect(await database.db.selectFrom('further_pictures').selectAll().execute()).toEqual([]);
    await database.close();
  });
});

async function run({ db }: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
