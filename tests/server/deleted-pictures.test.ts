/** Deleted pictures: hidden at once, restorable for ten minutes, and then removed. On SQLite and on PostgreSQL. */
import { afterAll, describe, expect, test, vi } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { deleteGeneration, restoreGeneration } from '#contract/endpoints/generations';
import { generateMidjourney, deleteMidjourney } from '#contract/endpoints/midjourney';
import { readCapabilities } from '#contract/endpoints/site';
import { pictureLimits } from '#contract/images/limits';
import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import {
  ann,
  bob,
  createQuickEngine,
  garden,
  gardens,
  makeNoise,
  readHistory,
  readLinks,
  readMade,
  readSaved,
  save,
  toKey,
} from '#tests/pictures';
import { startPostgres } from '#tests/postgres';
import {
  createMemoryStore,
  createTestServer,
  goodPassword,
  minute,
  openTestDatabase,
} from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  async function start(variables: Readonly<Record<string, string>> = {}) {
    const objects = createMemoryStore();
    const server = await createTestServer({
      objects,
      database: await open(),
      engines: { midjourney: createQuickEngine('midjourney', 4).engine },
      variables,
    });
    const tokens = { ann: await server.signUp(ann), bob: await server.signUp(bob) };
    const remove = async (id: string, token = tokens.ann) =>
      (await server.call(deleteGeneration, { id }, { token })).status;
    const restore = async (id: string, token = tokens.ann) =>
      (await server.call(restoreGeneration, { id }, { token })).status;
    const clean = () => sweep({ database: server.database, clock: server.now, objects });
    return { server, objects, tokens, remove, restore, clean };
  }

  test('a deleted picture is listed and shown no more, and restoring brings all of it back', async () => {
    const { server, tokens, remove, restore } = await start();
    const { id, image_url: link } = readSaved(await save(server, tokens.ann));
    const [before] = await readHistory(server, tokens.ann);

    expect(await remove(id)).toBe(204);
    expect(await readHistory(server, tokens.ann)).toEqual([]);
    expect(await readLinks(server, tokens.ann)).toEqual([]);
    expect((await server.app.request(link)).status).toBe(404);
    expect(await remove(id)).toBe(204);

    expect(await restore(id)).toBe(204);
    expect(await readHistory(server, tokens.ann)).toEqual([before]);
    expect((await server.app.request(link)).status).toBe(200);
    expect(await restore(id)).toBe(204);
  });

  test('all pictures of a generation are deleted and restored together', async () => {
    const { server, tokens, remove, restore } = await start();
    const { id } = readMade(await server.call(generateMidjourney, garden, { token: tokens.ann }));
    const [made] = await gardens(server, tokens.ann);
    const statuses = () =>
      Promise.all(
        (made?.s3_urls ?? []).map(async (link) => (await server.app.request(link)).status),
      );

    await remove(id);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await restore(id);

    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test('another user restores nothing, and learns nothing', async () => {
    const { server, tokens, remove, restore } = await start();
    const { id } = readSaved(await save(server, tokens.ann));
    await remove(id);

    expect(await restore(id, tokens.bob)).toBe(404);
    expect(await restore('unknown', tokens.bob)).toBe(404);
    expect(await readHistory(server, tokens.ann)).toEqual([]);
  });

  test('it can be restored for ten minutes, also by a server that was started meanwhile', async () => {
    const { server, objects, tokens, remove, restore, clean } = await start();
    const { id } = readSaved(await save(server, tokens.ann));
    await remove(id);

    server.wait(10 * minute);
    await clean();
    const another = await createTestServer({ database: server.database, objects });
    another.wait(10 * minute);
    const reply = await another.call(restoreGeneration, { id }, { token: tokens.ann });
    expect(reply.status).toBe(204);

    await remove(id);
    server.wait(10 * minute + 1);
    expect(await restore(id)).toBe(404);
  });

  test('after that its rows and files are removed, and those of other pictures are not', async () => {
    const { server, objects, tokens, remove, clean } = await start();
    const { id } = readMade(await server.call(generateMidjourney, garden, { token: tokens.ann }));
    await save(server, tokens.ann, { prompt: 'Kept' });
    await remove(id);
    server.wait(12 * minute);

    await clean();

    // Of the other picture; also what the job had kept is removed.
    expect(objects.names()).toHaveLength(2);
    const rows = await server.db.selectFrom('pictures').select('id').execute();
    expect(rows).toHaveLength(1);
    expect(await server.db.selectFrom('further_pictures').selectAll().execute()).toEqual([]);
    // The job knows what was asked for, and has copies of its own.
    expect(await server.db.selectFrom('generation_jobs').selectAll().execute()).toEqual([]);
    expect((await readHistory(server, tokens.ann)).map(({ prompt }) => prompt)).toEqual(['Kept']);
  });

  test('saving a deleted picture again restores it instead of failing', async () => {
    const { server, tokens, remove } = await start();
    const { id } = readSaved(await save(server, tokens.ann, { job_key: toKey('again') }));
    await remove(id);

    const again = readSaved(await save(server, tokens.ann, { job_key: toKey('again') }));

    expect(again.id).toBe(id);
    expect(await readHistory(server, tokens.ann)).toHaveLength(1);
  });

  test('a user who has as many pictures as are possible can save one after deleting one', async () => {
    const { server, tokens, remove } = await start();
    const { id } = readSaved(await save(server, tokens.ann));
    const rows = Array.from({ length: pictureLimits.perUser - 1 }, (_row, index) => ({
      id: `filler-${index}`,
      telegram_id: ann,
      type: 'image/png',
      bytes: 1,
      width: 1,
      height: 1,
      created_at: 1,
      deleted_at: null,
    }));
    for (let at = 0; at < rows.length; at += 500) {
      await server.db
        .insertInto('pictures')
        .values(rows.slice(at, at + 500))
        .execute();
    }
    expect((await save(server, tokens.ann)).status).toBe(409);

    await remove(id);

    expect((await save(server, tokens.ann)).status).toBe(201);
  });

  test('whose place is taken stays in the bin, as a user has only so much space', async () => {
    const { server, tokens, remove, restore } = await start({ STORAGE_PER_USER_MB: '1' });
    const image = await makeNoise(500);
    const { id: first } = readSaved(await save(server, tokens.ann, { image, prompt: 'First' }));
    await remove(first);
    const { id: second } = readSaved(await save(server, tokens.ann, { image, prompt: 'Second' }));

    const refused = await server.call(restoreGeneration, { id: first }, { token: tokens.ann });

    expect(refused).toMatchObject({ status: 507, body: { code: 'storage_quota' } });
    expect((await readHistory(server, tokens.ann)).map(({ prompt }) => prompt)).toEqual(['Second']);
    await remove(second);
    expect(await restore(first)).toBe(204);
    expect((await readHistory(server, tokens.ann)).map(({ prompt }) => prompt)).toEqual(['First']);
  });

  test('deleting the account removes what is in the bin', async () => {
    const { server, objects, tokens, remove, restore, clean } = await start();
    const { id } = readSaved(await save(server, tokens.ann));
    await remove(id);

    const gone = await server.call(
      deleteAccount,
      { password: goodPassword },
      { token: tokens.ann },
    );

    expect(gone.status).toBe(204);
    expect(await server.db.selectFrom('pictures').select('id').execute()).toEqual([]);
    expect(await restore(id)).toBe(401);
    server.wait(61 * minute);
    await clean();
    expect(objects.names()).toEqual([]);
  });

  test('a generation by MidJourney is deleted for good, with all its files, and only by its user', async () => {
    const { server, objects, tokens, restore } = await start();
    const { id } = readMade(await server.call(generateMidjourney, garden, { token: tokens.ann }));
    const { id: other } = readSaved(await save(server, tokens.ann));
    const removeAs = async (token: string, one = id) =>
      (await server.call(deleteMidjourney, { id: one }, { token })).status;

    expect(await removeAs(tokens.bob)).toBe(404);
    // A generation by another provider has another call, which can be undone.
    expect(await removeAs(tokens.ann, other)).toBe(404);
    expect(await gardens(server, tokens.ann)).toHaveLength(1);
    expect(await removeAs(tokens.ann)).toBe(204);

    expect(await gardens(server, tokens.ann)).toEqual([]);
    expect(await restore(id)).toBe(404);
    // Of the other picture; also what the job had kept is removed.
    expect(objects.names()).toHaveLength(2);
  });

  test('while the files of a generation by MidJourney are removed, nothing lists a part of it', async () => {
    const { server, objects, tokens } = await start();
    const { id } = readMade(await server.call(generateMidjourney, garden, { token: tokens.ann }));
    const listed: unknown[] = [];
    const removeFile = objects.remove;
    vi.spyOn(objects, 'remove').mockImplementation(async (name) => {
      listed.push(...(await gardens(server, tokens.ann)));
      await removeFile(name);
    });

    await server.call(deleteMidjourney, { id }, { token: tokens.ann });

    expect(listed).toEqual([]);
    expect(objects.names()).toEqual([]);
  });
});

test('the server says that it can do this', async () => {
  const server = await createTestServer();

  const { body } = await server.call(readCapabilities, {});

  expect(body).toMatchObject({
    capabilities: expect.arrayContaining(['generations.restore', 'midjourney.delete']),
  });
});
