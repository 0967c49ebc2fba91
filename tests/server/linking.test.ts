/** Linking Spotify and AniList, and attempts that must be refused. */
import { describe, expect, test } from 'vitest';

import { removeConnection } from '#contract/endpoints/connections';
import { finishCalls, startConnecting } from '#tests/connecting';

const ann = 111_222_333;
const bob = 444_555_666;
const minute = 60_000;

describe.each([
  ['spotify', 'Spotify'],
  ['anilist', 'AniList'],
] as const)('%s', (service, label) => {
  test('is linked at once where the user who began is logged in', async () => {
    const { server, agree, readState } = await startConnecting();
    const token = await server.signUp(ann);
    expect(await readState(service, token)).toEqual({ service, state: 'unlinked', missing: [] });

    const reply = await server.call(finishCalls[service], await agree(service, token), { token });

    expect(reply).toMatchObject({ status: 200, body: { message: `${label} is linked.` } });
    expect(reply.body).not.toHaveProperty('needs_code');
    expect(await readState(service, token)).toMatchObject({
      state: 'linked',
      linked_at: '2026-11-21T12:00:00.000Z',
      ...(service === 'anilist' ? { account_name: 'mika_watches' } : {}),
    });
  });

  test('is linked for the user who started it only', async () => {
    const { server, link, readState } = await startConnecting();
    const [annsToken, bobsToken] = [await server.signUp(ann), await server.signUp(bob)];

    await link(service, annsToken);

    expect(await readState(service, annsToken)).toMatchObject({ state: 'linked' });
    expect(await readState(service, bobsToken)).toMatchObject({ state: 'unlinked' });
  });

  test('a page that is reloaded shows that it is linked, and exchanges nothing', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const token = await server.signUp(ann);
    const wayBack = await agree(service, token);
    await server.call(finishCalls[service], wayBack, { token });

    const again = await server.call(finishCalls[service], wayBack);

    expect(again).toMatchObject({ status: 200, body: { message: `${label} is linked already.` } });
    expect(getExchanges(music, anime)).toHaveLength(1);
  });

  test('two parallel pages exchange once, and both report that it is linked', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const wayBack = await agree(service, await server.signUp(ann));

    const replies = await Promise.all(
      [1, 2, 3].map(() => server.call(finishCalls[service], wayBack)),
    );

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(getExchanges(music, anime)).toHaveLength(1);
  });

  test.each([
    ['has linked', { status: 'linked' }, 200],
    ['has failed', undefined, 400],
  ] as const)(
    'a page waits for another server, and gets its result: %s',
    async (_case, outcome, status) => {
      const { server, music, anime, agree } = await startConnecting();
      const wayBack = await agree(service, await server.signUp(ann));
      await server.db.updateTable('connection_attempts').set({ status: 'taken' }).execute();

      const reply = server.call(finishCalls[service], wayBack);
      await (outcome === undefined
        ? server.db.deleteFrom('connection_attempts').execute()
        : server.db.updateTable('connection_attempts').set(outcome).execute());

      expect((await reply).status).toBe(status);
      expect(getExchanges(music, anime)).toHaveLength(0);
    },
  );

  test('a page that arrives after a server died during the exchange has to start again', async () => {
    const { server, agree } = await startConnecting({ serviceTimeoutMs: 200 });
    const wayBack = await agree(service, await server.signUp(ann));
    await server.db.updateTable('connection_attempts').set({ status: 'taken' }).execute();

    expect(await server.call(finishCalls[service], wayBack)).toMatchObject({
      status: 400,
      body: { code: 'connection_attempt_unknown' },
    });
  });

  test('another code with a used state is not exchanged', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const token = await server.signUp(ann);
    const first = await agree(service, token);
    const second = await agree(service, token);
    await server.call(finishCalls[service], first);

    await server.call(finishCalls[service], { code: second.code, state: first.state });

    expect(getExchanges(music, anime)).toHaveLength(1);
  });

  test('an unknown state is refused', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const { code } = await agree(service, await server.signUp(ann));

    const reply = await server.call(finishCalls[service], { code, state: 'made-up' });

    expect(reply).toMatchObject({ status: 400, body: { code: 'connection_attempt_unknown' } });
    expect(getExchanges(music, anime)).toHaveLength(0);
  });

  test('a state of the other service is refused', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const other = service === 'spotify' ? 'anilist' : 'spotify';

    const reply = await server.call(
      finishCalls[service],
      await agree(other, await server.signUp(ann)),
    );

    expect(reply).toMatchObject({ status: 400, body: { code: 'connection_attempt_unknown' } });
    expect(getExchanges(music, anime)).toHaveLength(0);
  });

  test('a state that was used at the other service is unknown at this one', async () => {
    const { server, agree, readState } = await startConnecting();
    const token = await server.signUp(ann);
    const other = service === 'spotify' ? 'anilist' : 'spotify';
    const wayBack = await agree(other, token);
    await server.call(finishCalls[other], wayBack);

    expect((await server.call(finishCalls[service], wayBack)).status).toBe(400);
    expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });
  });

  test('a state is valid for ten minutes', async () => {
    const { server, music, anime, agree } = await startConnecting();
    const token = await server.signUp(ann);
    const [early, late] = [await agree(service, token), await agree(service, token)];

    server.wait(10 * minute - 1);
    expect(await server.call(finishCalls[service], early, { token })).toMatchObject({
      status: 200,
    });

    server.wait(1);
    expect(await server.call(finishCalls[service], late)).toMatchObject({
      status: 400,
      body: {
        detail: 'This link has expired or was already used. Please start again from Nori.',
      },
    });
    expect(await server.call(finishCalls[service], early)).toMatchObject({
      status: 400,
      body: { code: 'connection_attempt_unknown' },
    });
    expect(getExchanges(music, anime)).toHaveLength(1);
  });

  test('the state of another user is refused for a logged-in user, and stays valid', async () => {
    const { server, music, anime, agree, readState } = await startConnecting();
    const [annsToken, bobsToken] = [await server.signUp(ann), await server.signUp(bob)];
    const annsWay = await agree(service, annsToken);

    const refused = await server.call(finishCalls[service], annsWay, { token: bobsToken });

    expect(refused).toMatchObject({ status: 403, body: { code: 'foreign_person' } });
    expect(getExchanges(music, anime)).toHaveLength(0);
    expect(await server.call(finishCalls[service], annsWay, { token: annsToken })).toMatchObject({
      status: 200,
    });
    expect(await readState(service, bobsToken)).toMatchObject({ state: 'unlinked' });
  });

  test.each([['code'], ['state']] as const)(
    'without a %s the service is not called',
    async (missing) => {
      const { server, music, anime, agree } = await startConnecting();
      const wayBack = await agree(service, await server.signUp(ann));

      const reply = await server.call(finishCalls[service], { ...wayBack, [missing]: '' });

      expect(reply.status).toBe(422);
      expect(getExchanges(music, anime)).toHaveLength(0);
    },
  );

  test('a user who refuses consent is not linked, and may start again', async () => {
    const { server, music, anime, authorizeUrl, link, readState } = await startConnecting();
    const token = await server.signUp(ann);
    const asked = await authorizeUrl(service, token);

    const { status, headers } = await fetch(`${asked}&answer=no`, { redirect: 'manual' });

    const back = new URL(headers.get('Location') ?? '');
    expect(status).toBe(302);
    expect(`${back.origin}${back.pathname}`).toBe(`https://nori.example.org/${service}-auth`);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe(new URL(asked).searchParams.get('state'));
    expect(getExchanges(music, anime)).toHaveLength(0);
    expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });
    await link(service, token);
    expect(await readState(service, token)).toMatchObject({ state: 'linked' });
  });

  test('can be linked again, replacing the earlier account', async () => {
    const { server, link, readState } = await startConnecting();
    const token = await server.signUp(ann);
    await link(service, token);
    server.wait(minute);

    await link(service, token);

    expect(await readState(service, token)).toMatchObject({
      linked_at: '2026-11-21T12:01:00.000Z',
    });
    expect(await server.db.selectFrom('connections').selectAll().execute()).toHaveLength(1);
  });

  test('is unlinked: its tokens are deleted, and unfinished links stay unfinished', async () => {
    const { server, link, agree, readState } = await startConnecting();
    const token = await server.signUp(ann);
    await link(service, token);
    const halfMade = await agree(service, token);

    const reply = await server.call(removeConnection, { service }, { token });

    expect(reply.status).toBe(204);
    expect(await server.db.selectFrom('connections').selectAll().execute()).toEqual([]);
    expect((await server.call(finishCalls[service], halfMade)).status).toBe(400);
    expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });
    // Repeating it is no error.
    expect((await server.call(removeConnection, { service }, { token })).status).toBe(204);
  });
});

/** Every exchange of a code or refresh token at a service. */
function getExchanges(
  music: { readonly callsTo: (name: string) => readonly unknown[] },
  anime: { readonly callsTo: (name: string) => readonly unknown[] },
) {
  return [...music.callsTo('POST /api/token'), ...anime.callsTo('POST /api/v2/oauth/token')];
}
