/** After the deletion of an account nothing of its user is left: no row, no file, no line of a log, nothing in memory. */
import { setImmediate as breathe } from 'node:timers/promises';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { listChanges } from '#contract/endpoints/chat-changes';
import { listActions, listApprovals, listWarnings } from '#contract/endpoints/chat-members';
import { readChat } from '#contract/endpoints/chats';
import { startExport } from '#contract/endpoints/exports';
import { saveGeneration } from '#contract/endpoints/generations';
import { generate } from '#contract/endpoints/images';
import { login, readMe } from '#contract/endpoints/session';
import { sweep } from '#server/services/maintenance';
import { createServices } from '#server/services/services';
import { canary, findTraces, mila, startCanaryWorld } from '#tests/canary';
import { bo } from '#tests/command-group';
import { createHandEngine } from '#tests/image-engines';
import { makePng, readHistory, save, toKey } from '#tests/pictures';
import { groupId } from '#tests/test-bot';
import { createMemoryStore, createTestServer, goodPassword } from '#tests/test-server';

const tablesWithUsers = [
  'account_events',
  'actions',
  'adult_confirmations',
  'approvals',
  'away',
  'bot_chats',
  'bot_inbox',
  'chat_managers',
  'connection_attempts',
  'connections',
  'due_deletions',
  'due_hints',
  'due_jobs',
  'exports',
  'generation_jobs',
  'generations',
  'model_names',
  'otps',
  'passkey_challenges',
  'passkeys',
  'people',
  'people_seen',
  'pictures',
  'rate_buckets',
  'registrations',
  'seen_messages',
  'sessions',
  'setting_changes',
  'sticker_packs',
  'warnings',
  'whispers',
].map((table) => `table ${table}`);

describe('a person who has used everything', () => {
  test('is in no row, file or log after the deletion, and what others have stays', async () => {
    const world = await startCanaryWorld();
    const { server, objects, token, boToken } = world;
    const before = await findTraces(server, objects);

    const reply = await server.call(deleteAccount, { password: goodPassword }, { token });

    expect(before).toEqual(expect.arrayContaining([...tablesWithUsers, 'file job']));
    expect(reply.status).toBe(204);
    expect(await findTraces(server, objects)).toEqual([]);
    // Of Bo: a picture with its small copy.
    expect(objects.names().map(toKind).toSorted()).toEqual(['original', 'thumbnail']);
    expect((await readHistory(server, boToken)).map(({ prompt }) => prompt)).toEqual([
      'the lighthouse of Bo',
    ]);
    expect((await server.call(readMe, {}, { token: boToken })).status).toBe(200);
    expect((await server.call(readMe, {}, { token })).status).toBe(401);
    const jobs = await server.db.selectFrom('due_jobs').select('id').execute();
    expect(jobs.map(({ id }) => id)).toContain('line:other');
  });

  test('is a former user to those who manage the same chat, who go on as before', async () => {
    const world = await startCanaryWorld();
    const { server, token, boToken } = world;
    const asBo = { token: boToken };
    const before = v.parse(
      listChanges.output,
      (await server.call(listChanges, { chat_id: groupId }, asBo)).body,
    );

    await server.call(deleteAccount, { password: goodPassword }, { token });

    const changes = await server.call(listChanges, { chat_id: groupId }, asBo);
    const after = v.parse(listChanges.output, changes.body).changes;
    expect(after.map(({ items }) => items)).toEqual(before.changes.map(({ items }) => items));
    expect(after.map(({ changed_by: by }) => by.telegram_id)).toEqual([String(bo), '0']);
    const warnings = await server.call(listWarnings, { chat_id: groupId }, asBo);
    expect(v.parse(listWarnings.output, warnings.body).warnings).toMatchObject([
      { by: { telegram_id: '0', name: '' }, target: { name: 'Ann' }, reason: '' },
    ]);
    const approvals = await server.call(listApprovals, { chat_id: groupId }, asBo);
    expect(v.parse(listApprovals.output, approvals.body).approvals).toMatchObject([
      { by: { telegram_id: '0' }, target: { name: 'Ann' } },
      { by: { telegram_id: String(bo) }, target: { name: 'Dan' } },
    ]);
    const actions = await server.call(listActions, { chat_id: groupId }, asBo);
    expect(v.parse(listActions.output, actions.body).actions).toMatchObject([
      { kind: 'warn', by: { telegram_id: '0' }, target: { name: 'Ann' } },
    ]);
  });

  test('still owns the group at Telegram: whom they had allowed stays, until another owns it', async () => {
    const { server, group, token, boToken } = await startCanaryWorld();
    await server.call(deleteAccount, { password: goodPassword }, { token });
    const minute = 60_000;

    server.wait(2 * minute);
    const asOwned = await server.call(readChat, { chat_id: groupId }, { token: boToken });
    group.creator = 555_555;
    server.wait(2 * minute);
    const asSold = await server.call(readChat, { chat_id: groupId }, { token: boToken });

    expect(asOwned.status).toBe(200);
    expect(asSold.body).toMatchObject({ code: 'chat_not_verified' });
  });

  test('is forgotten in memory, too', async () => {
    const { server, token } = await startCanaryWorld();
    const { memberCommands, administrators } = server.services;
    const { seenPeople } = memberCommands;
    const asAdministrator = await administrators.memberStatus(groupId, mila);
    expect(await seenPeople.findByUsername(`${canary}_mila`)).toMatchObject({ telegramId: mila });

    await server.call(deleteAccount, { password: goodPassword }, { token });

    expect(asAdministrator).toBe('administrator');
    expect(await seenPeople.findByUsername(`${canary}_mila`)).toBeUndefined();
    expect(await seenPeople.findNames([mila])).toEqual(new Map());
    expect(await seenPeople.isKnown(mila)).toBe(false);
    expect(await server.services.userLanguages.readLanguage(mila)).toMatchObject({
      language: 'en',
      isChosen: false,
    });
  });

  test('who comes back begins anew, and what the limits have counted stays counted', async () => {
    const { server, objects, token } = await startCanaryWorld();
    const count = () => server.db.selectFrom('rate_buckets').select('key').execute();
    const counted = (await count()).filter(({ key }) => !key.includes(String(mila)));

    await server.call(deleteAccount, { password: goodPassword }, { token });

    const kept = new Set((await count()).map(({ key }) => key));
    expect(counted.filter(({ key }) => !kept.has(key))).toEqual([]);
    await sweep(server.deps);
    expect(await findTraces(server, objects)).toEqual([]);
  });
});

const toKind = (name: string) => name.replace(/^.*-/, '');

/** A server with one user, on which everything can be held up. */
async function startBusy() {
  const hand = createHandEngine();
  const objects = createMemoryStore();
  const server = await createTestServer({ objects, engines: { pixai: hand.engine } });
  const token = await server.signUp(mila);
  const remove = () => server.call(deleteAccount, { password: goodPassword }, { token });
  return { hand, objects, server, token, remove };
}

describe('what is under way when the account is deleted leaves nothing behind', () => {
  const recipe = { prompt: canary, model_id: 'm1', ratio: '1:1', job_key: toKey('job') } as const;

  test('a picture that is being made', async () => {
    const { hand, objects, server, token, remove } = await startBusy();
    const making = server.call(generate, recipe, { token });
    await expect.poll(hand.asked).toBe(1);

    expect((await remove()).status).toBe(204);

    expect((await making).status).toBeGreaterThanOrEqual(400);
    hand.finish();
    await breathe();
    expect(objects.names()).toEqual([]);
    expect(await findTraces(server, objects)).toEqual([]);
  });

  test('a picture that another server is making', async () => {
    const { hand, objects, server, token, remove } = await startBusy();
    const other = createServices({ ...server.deps, engines: { pixai: hand.engine } });
    const request = {
      key: toKey('job'),
      provider: 'pixai',
      recipe: { ...storedRecipe, prompt: canary },
    } as const;
    const making = other.generationJobs
      .make(request, { telegramId: mila, address: '' })
      .catch((error: unknown) => error);
    await expect.poll(hand.asked).toBe(1);

    expect((await remove()).status).toBe(204);
    hand.finish();

    expect(await making).toMatchObject({ code: 'job_not_found' });
    expect(token).not.toBe('');
    expect(objects.names()).toEqual([]);
    expect(await findTraces(server, objects)).toEqual([]);
  });

  test('a picture that is being uploaded', async () => {
    const { objects, server, token, remove } = await startBusy();
    const form = new FormData();
    const fields = { model_id: 'm', prompt: canary, ratio: '1:1', nsfw: 'false', seed: '1' };
    for (const [name, value] of Object.entries(fields)) {
      form.append(name, value);
    }
    form.append('image', await makePng());
    const { body, headers } = new Request('http://localhost', { method: 'POST', body: form });
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    let sendRest: () => void = () => undefined;
    const rest = new Promise<void>((resolve) => {
      sendRest = resolve;
    });
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(bytes.subarray(0, -50)));
        await rest;
        controller.enqueue(new Uint8Array(bytes.subarray(-50)));
        controller.close();
      },
    });
    const request = {
      method: 'POST',
      body: slow,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': headers.get('Content-Type') ?? '',
      },
      // Node.js wants it said, and the types of browsers do not know it.
      duplex: 'half',
    };
    const uploading = server.request(`/backend${saveGeneration.path}`, request);
    await expect.poll(() => objects.names().length).toBe(1);

    expect((await remove()).status).toBe(204);

    expect(objects.names()).toEqual([]);
    sendRest();
    expect((await uploading).status).toBe(401);
    expect(objects.names()).toEqual([]);
    expect(await findTraces(server, objects)).toEqual([]);
  });

  test('an export', async () => {
    const { objects, server, token, remove } = await startBusy();
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { open } = objects;
    let isOpen = false;
    Object.assign(objects, {
      open: async () => {
        const draft = await open();
        isOpen = true;
        await held;
        return draft;
      },
    });
    await server.call(startExport, {}, { token });
    const making = server.services.exports.runDue();
    await expect.poll(() => isOpen).toBe(true);

    const removing = remove();
    await breathe();
    goOn();

    expect((await removing).status).toBe(204);
    await making;
    expect(objects.names()).toEqual([]);
    expect(await findTraces(server, objects)).toEqual([]);
  });

  test('pictures, exports and logins at the very moment, and a second deletion', async () => {
    const { objects, server, token, remove } = await startBusy();
    const begin = () => [
      ...[1, 2, 3].map((seed) => save(server, token, { prompt: canary, seed: String(seed) })),
      server.call(startExport, {}, { token }).then(async (reply) => {
        await server.services.exports.runDue();
        return reply;
      }),
      server.call(login, { telegram_id: String(mila), password: goodPassword }),
    ];

    const replies = await Promise.all([...begin(), remove(), remove(), ...begin()]);

    // Refused at worst; nothing fails because something else was faster.
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    expect(replies.filter(({ status }) => status === 204).length).toBeGreaterThanOrEqual(1);
    expect(objects.names()).toEqual([]);
    expect(await findTraces(server, objects)).toEqual([]);
  });

  test('a file that could not be removed is swept later', async () => {
    const { objects, server, token, remove } = await startBusy();
    await server.call(startExport, {}, { token });
    await server.services.exports.runDue();
    const { remove: removeObject } = objects;
    const failing = { remove: () => Promise.reject(new Error('EACCES')) };
    Object.assign(objects, failing);

    expect((await remove()).status).toBe(204);
    Object.assign(objects, { remove: removeObject });

    expect(objects.names()).toHaveLength(1);
    await sweep(server.deps);
    expect(objects.names()).toEqual([]);
  });
});

const storedRecipe = {
  prompt: '',
  negativePrompt: '',
  modelId: 'm1',
  loras: {},
  seed: '',
  width: 64,
  height: 64,
  scale: 1,
  ratio: '1:1',
  style: '',
  nsfw: false,
};
