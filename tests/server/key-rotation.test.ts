/**
 * A new SECRET_KEY. What users have begun under the old one goes on as long as SECRET_KEY_PREVIOUS names it, and
 * what lasts goes on without it.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { readExport, startExport } from '#contract/endpoints/exports';
import { readVideoToken } from '#contract/endpoints/player';
import { login } from '#contract/endpoints/session';
import { createSubjects } from '#server/lib/log';
import { countSealedBefore, sealAnew } from '#server/services/key-rotation';
import { connectSpotify } from '#server/upstream/connections/spotify';
import { createServiceTokens } from '#services/connections';
import { startBotApi } from '#tests/bot-api-server';
import { blockPhotos, friend, manage, owner, signIn, startWorld } from '#tests/chats';
import { ann, finishCalls, readUnconfirmed, startLinked } from '#tests/connecting';
import { addPasskeyTo, createAuthenticator, isAlive, logInBy, withPasskey } from '#tests/passkeys';
import { readHistory, save } from '#tests/pictures';
import { startBot } from '#tests/test-bot';
import {
  ada,
  adaId,
  createTestServer,
  goodPassword,
  minute,
  registerAs,
  type TestServer,
  verify,
} from '#tests/test-server';

const oldKey = 'a-key-of-tests-with-32-characters';
const newKey = 'the-next-key-of-tests-with-32-chars';

/** The new key protects what is new; what the old one has protected is still valid. */
const both = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey };
/** The old key is forgotten. */
const newOnly = { SECRET_KEY: newKey };

/** The same server with other keys. */
function restart(
  { database, deps }: TestServer,
  variables: Readonly<Record<string, string>>,
): Promise<TestServer> {
  const { objects, telegram, chatActions } = deps;
  return createTestServer({
    database,
    objects,
    telegram,
    ...(chatActions === undefined ? {} : { chatActions }),
    variables,
  });
}

/** The server with both keys seals everything anew, and the old key is dropped. */
async function dropOldKey(before: TestServer): Promise<TestServer> {
  const rotating = await restart(before, both);
  await sealAnew(rotating.deps);
  return restart(before, newOnly);
}

const wrongPassword = { telegram_id: adaId, password: 'six noisy badgers' };
const rightPassword = { telegram_id: adaId, password: goodPassword };

const readDevice = async (server: TestServer, device?: string) => {
  const known = device === undefined ? {} : { device };
  const { body } = await server.call(login, { ...rightPassword, ...known });
  return v.parse(login.output, body).device;
};

describe('with both keys', () => {
  test('no session ends', async () => {
    const before = await createTestServer();
    const token = await before.signUp(ada);

    expect(await isAlive(await restart(before, both), token)).toBe(true);
    expect(await isAlive(await restart(before, newOnly), token)).toBe(true);
  });

  test('the code of a registration that has begun works, and without the old key it would not', async () => {
    const before = await createTestServer();
    const { code, attempt } = await registerAs(before);

    const refused = await verify(await restart(before, newOnly), code, attempt);
    const accepted = await verify(await restart(before, both), code, attempt);

    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    expect(accepted.status).toBe(200);
  });

  test('a known device stays known, and is one by the new key alone after the next login', async () => {
    const before = await createTestServer();
    await before.signUp(ada);
    const device = await readDevice(before);

    const next = await readDevice(await restart(before, both), device);
    const after = await restart(before, newOnly);

    expect(next).not.toBe(device);
    // What names it in counts is the same: a new key gives no new tries.
    expect(next?.split('.')[0]).toBe(device?.split('.')[0]);
    expect(after.services.knownDevices.read(device, ada)).toBeUndefined();
    expect(after.services.knownDevices.read(next, ada)).toBe(device?.split('.')[0]);
  });

  test('links to pictures, videos and exports open', async () => {
    const before = await createTestServer();
    const token = await before.signUp(ada);
    await save(before, token, { prompt: 'a lighthouse' });
    const links = await readAllLinks(before, token);

    const rotating = await restart(before, both);
    const after = await restart(before, newOnly);

    expect(links).toHaveLength(3);
    expect(await openAll(before, links)).toEqual([200, 200, 200]);
    expect(await openAll(rotating, links)).toEqual([200, 200, 200]);
    expect(await openAll(after, links)).toEqual([403, 403, 403]);
    expect(await openAll(after, await readAllLinks(rotating, token))).toEqual([200, 200, 200]);
  });

  test('Telegram may send the old secret until it has the new one', async () => {
    const api = await startBotApi();
    const variables = { BOT_MODE: 'webhook', PUBLIC_URL: 'https://nori.example.org' };
    const { server: before } = await startBot({ api, variables });
    const secretNow = () => String(api.updates.webhook()?.['secret_token']);
    await expect.poll(() => api.updates.webhook()).toBeDefined();
    const oldSecret = secretNow();

    const { database } = before;
    const rotating = await createTestServer({
      bot: { api },
      database,
      variables: { ...variables, ...both },
    });
    await expect.poll(secretNow).not.toBe(oldSecret);
    const send = (server: TestServer, secret: string, updateId: number) =>
      server.request('/backend/bot/updates', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Telegram-Bot-Api-Secret-Token': secret,
        },
        body: JSON.stringify({ update_id: updateId }),
      });

    await expect.poll(async () => (await send(rotating, oldSecret, 1)).status).toBe(204);
    expect((await send(rotating, secretNow(), 2)).status).toBe(204);
    expect((await send(rotating, 'another secret', 3)).status).toBe(404);
    await rotating.stopBot();
    const after = await createTestServer({
      bot: { api },
      database,
      variables: { ...variables, ...newOnly },
    });
    await expect.poll(async () => (await send(after, secretNow(), 4)).status).toBe(204);
    expect((await send(after, oldSecret, 5)).status).toBe(404);
    await after.stopBot();
  });

  test('the page on which a link is confirmed goes on, also when it is loaded again', async () => {
    const world = await startLinked();
    const { server, agree, token } = world;
    const wayBack = await agree('anilist', token);
    const page = readUnconfirmed(await server.call(finishCalls.anilist, wayBack));

    const rotating = await world.startAgain({ variables: both });
    const again = readUnconfirmed(await rotating.call(finishCalls.anilist, wayBack));

    expect(again).toEqual(page);
    // A server without the old key knows nothing of it.
    const after = await world.startAgain({ variables: newOnly });
    expect((await after.call(finishCalls.anilist, wayBack)).body).toMatchObject({
      code: 'connection_attempt_unknown',
    });
  });

  test('the log names users by the new key, and every name of a user can be found', () => {
    const [now, before] = createSubjects([newKey, oldKey]);
    const [old] = createSubjects([oldKey]);

    expect(before?.(ada)).toBe(old(ada));
    expect(now(ada)).not.toBe(old(ada));
    expect(now(ada)).toMatch(/^[\da-f]{16}$/);
  });
});

async function readAllLinks(server: TestServer, token: string): Promise<readonly string[]> {
  const { body } = await server.call(readVideoToken, { video_id: '90223' });
  const { stream_url = '' } = v.parse(readVideoToken.output, body);
  await server.call(startExport, { by_bot: false }, { token });
  await server.services.exports.runDue();
  const made = await server.call(readExport, {}, { token });
  const { url = '' } = v.parse(readExport.output, made.body);
  const [picture] = await readHistory(server, token);
  return [picture?.imageUrl ?? '', `/backend${stream_url}`, url];
}

const openAll = (server: TestServer, links: readonly string[]) =>
  Promise.all(
    links.map(async (link) => {
      const response = await server.app.request(link);
      await response.body?.cancel();
      return response.status;
    }),
  );

const noServices = { spotify: undefined, anilist: undefined };
/** A service that is not to be asked. */
const refuseAll = connectSpotify({
  clientId: 'x',
  clientSecret: undefined,
  accountsRoot: '',
  apiRoot: '',
});

describe('without the old key', () => {
  test('linked accounts are still linked, once all tokens are sealed anew', async () => {
    const world = await startLinked();
    const { server: before, poll, token, link } = world;
    await link('anilist', token);
    expect((await poll()).status).toBe(200);

    const rotating = await world.startAgain({ variables: both });
    expect((await poll(rotating)).status).toBe(200);
    expect(await countSealedBefore(rotating.deps)).toEqual({ keptKeys: 3, connections: 2 });
    const early = await world.startAgain({ variables: newOnly });
    expect(await countSealedBefore(early.deps)).toMatchObject({ connections: 2 });

    await sealAnew(rotating.deps);

    expect(await countSealedBefore(rotating.deps)).toEqual({ keptKeys: 0, connections: 0 });
    const after = await world.startAgain({ variables: newOnly });
    expect((await poll(after)).status).toBe(200);
    expect((await poll(rotating)).status).toBe(200);
    // What is sealed already is left as it is.
    const rows = await before.db.selectFrom('connections').selectAll().execute();
    await sealAnew(rotating.deps);
    expect(await before.db.selectFrom('connections').selectAll().execute()).toEqual(rows);
  });

  test('many connections are sealed in steps, and a row that no key opens stops nothing', async () => {
    const { server } = await startLinked();
    const row = await server.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
    const { seal } = createServiceTokens(server.deps, noServices);
    for (let telegramId = 1; telegramId <= 450; telegramId += 1) {
      await signIn(server, telegramId);
      const sealed = seal(
        { accessToken: `access ${telegramId}`, refreshToken: undefined, lifetimeS: 3600 },
        { telegramId, service: 'spotify' },
      );
      const broken = telegramId === 200 ? { access_token: row.access_token } : {};
      await server.db
        .insertInto('connections')
        .values({
          ...row,
          telegram_id: telegramId,
          access_token: sealed.accessToken,
          refresh_token: null,
          ...broken,
        })
        .execute();
    }
    const rotating = await restart(server, both);

    await sealAnew(rotating.deps);

    expect(await countSealedBefore(rotating.deps)).toEqual({ keptKeys: 0, connections: 1 });
    const after = await restart(server, newOnly);
    const tokens = createServiceTokens(after.deps, { ...noServices, spotify: refuseAll });
    expect(await tokens.read({ telegramId: 450, service: 'spotify' })).toBe('access 450');
  });

  test('tokens that are renewed while all are sealed anew are the ones that stay', async () => {
    const { server } = await startLinked();
    const rotating = await restart(server, both);
    const whose = { telegramId: ann, service: 'spotify' } as const;
    const refresh = async () => {
      // Spotify has used up the refresh token, and its answer is on the way.
      await sealAnew(rotating.deps);
      return { accessToken: 'renewed', refreshToken: 'the next one', lifetimeS: 3600 };
    };
    const old = await restart(server, { SECRET_KEY: oldKey, SECRET_KEY_PREVIOUS: newKey });
    const tokens = createServiceTokens(old.deps, {
      ...noServices,
      spotify: { ...refuseAll, refresh },
    });
    old.wait(60 * minute);

    expect(await tokens.read(whose)).toBe('renewed');
    const onOther = createServiceTokens(rotating.deps, { ...noServices, spotify: refuseAll });
    expect(await onOther.read(whose)).toBe('renewed');
  });

  test('passkeys work, and a new one is for the same user', async () => {
    const { server: before, authenticator, token } = await withPasskey();

    expect((await logInBy(await restart(before, both), authenticator)).status).toBe(200);
    const after = await dropOldKey(before);
    expect((await logInBy(after, authenticator)).status).toBe(200);

    const second = createAuthenticator();
    await addPasskeyTo(after, second, { token });
    expect(second.stored[0]?.userHandle).toBe(authenticator.stored[0]?.userHandle);
    expect((await logInBy(after, second)).status).toBe(200);
  });

  test('tries that were used up stay used up', async () => {
    const before = await createTestServer();
    await before.signUp(ada);
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await before.call(login, wrongPassword)).status).toBe(401);
    }

    const after = await dropOldKey(before);

    for (const server of [before, await restart(before, both), after]) {
      expect((await server.call(login, rightPassword)).status).toBe(429);
    }
  });

  test('others manage a chat with the consent of an owner whose account is deleted', async () => {
    const world = await startWorld();
    const { server: before } = world;
    const me = await signIn(before, friend);
    await manage(world, me, world.chat);
    await signIn(before, owner);
    await before.services.erasure.erase(owner);

    for (const server of [await restart(before, both), await dropOldKey(before)]) {
      server.wait(2 * minute);
      expect((await blockPhotos(server, me)).status).toBe(200);
    }
    // It is still the owner who counts.
    Object.assign(world.chat, { creator: 444 });
    const after = await restart(before, newOnly);
    after.wait(4 * minute);
    expect((await blockPhotos(after, me)).status).toBe(403);
  });

  test('an account that is deleted under the new key leaves the same mark', async () => {
    const world = await startWorld();
    const me = await signIn(world.server, friend);
    await manage(world, me, world.chat);
    await signIn(world.server, owner);

    const after = await dropOldKey(world.server);
    await after.services.erasure.erase(owner);
    world.server.wait(2 * minute);

    expect((await blockPhotos(world.server, me)).status).toBe(200);
  });
});

describe('with a key that is none of those', () => {
  test('the server says so, and what was kept comes back with the right key', async () => {
    const { server: before, authenticator } = await withPasskey();

    const wrong = await restart(before, newOnly);
    expect(wrong.logLines.join('')).toContain(
      'SECRET_KEY is not the key that has protected this database',
    );
    expect((await logInBy(wrong, authenticator)).body).toMatchObject({ code: 'passkey_refused' });

    const right = await restart(before, { SECRET_KEY: oldKey });
    expect(right.logLines.join('')).not.toContain('SECRET_KEY');
    expect((await logInBy(right, authenticator)).status).toBe(200);
  });
});
