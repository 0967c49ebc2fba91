/** Links that are agreed to in a browser without a session: nothing is linked before the user who began confirms it. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import {
  confirmConnection,
  finishSpotify,
  removeConnection,
} from '#contract/endpoints/connections';
import { endOtherSessions, logout } from '#contract/endpoints/session';
import { sweep } from '#server/services/maintenance';
import { startBotApi } from '#tests/bot-api-server';
import { finishCalls, readUnconfirmed, startConnecting } from '#tests/connecting';
import { goodPassword, type TestServer } from '#tests/test-server';

const mal = 111_222_333;
const ann = 444_555_666;
const minute = 60_000;

const unknown = { status: 400, body: { code: 'connection_attempt_unknown' } };
const wrong = { status: 400, body: { code: 'invalid_code' } };

/** A code that is not the one of the user. */
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const readRows = (server: TestServer) =>
  Promise.all([
    server.db.selectFrom('connections').selectAll().execute(),
    server.db.selectFrom('connection_attempts').selectAll().execute(),
  ]);

/** A user begins, and the service sends a browser without a session back. */
async function startUnconfirmed(service: 'spotify' | 'anilist' = 'spotify') {
  const world = await startConnecting();
  const { server, agree } = world;
  const token = await server.signUp(mal);
  const wayBack = await agree(service, token);
  const page = readUnconfirmed(await server.call(finishCalls[service], wayBack));
  const code = server.readCode(mal);
  const confirm = (
    given: { readonly code?: string; readonly confirmation?: string } = {},
    on: TestServer = server,
  ) =>
    on.call(confirmConnection, {
      service,
      state: wayBack.state,
      confirmation: given.confirmation ?? page.confirmation,
      otp_code: given.code ?? code,
    });
  return { ...world, token, wayBack, page, code, confirm };
}

test('an account that a stranger agreed to is not linked to the account of who sent them the address', async () => {
  const { server, authorizeUrl, music, readState } = await startConnecting();
  const malsToken = await server.signUp(mal);
  const address = await authorizeUrl('spotify', malsToken);
  const before = server.inbox.length;

  // The victim follows the address in a browser without a session.
  const { code, state } = music.agree(address);
  const page = await server.call(finishSpotify, { code, state });

  expect(page).toMatchObject({ status: 200, body: { needs_code: true, telegram_user: '•••333' } });
  expect(await readState('spotify', malsToken)).toMatchObject({ state: 'unlinked' });
  // The attacker knows the state and gets the code, and lacks what the victim's page has.
  expect(server.inbox.slice(before)).toMatchObject([{ telegramId: mal }]);
  const stolen = { service: 'spotify', state, otp_code: server.readCode(mal) } as const;
  for (const confirmation of ['x', state, 'A'.repeat(43)]) {
    expect(await server.call(confirmConnection, { ...stolen, confirmation })).toMatchObject(
      unknown,
    );
    expect(
      await server.call(confirmConnection, { ...stolen, confirmation }, { token: malsToken }),
    ).toMatchObject(unknown);
  }
  for (const guess of ['x', state]) {
    expect(
      await server.call(finishSpotify, { code: guess, state }, { token: malsToken }),
    ).toMatchObject(unknown);
  }
  // The victim's page has that, and lacks the code.
  const { confirmation } = readUnconfirmed(page);
  expect(
    await server.call(confirmConnection, {
      ...stolen,
      confirmation,
      otp_code: wrongCode(stolen.otp_code),
    }),
  ).toMatchObject(wrong);
  expect(await readState('spotify', malsToken)).toMatchObject({ state: 'unlinked' });
  expect((await readRows(server))[0]).toEqual([]);
});

describe.each([
  ['spotify', 'Spotify', 'Someone has agreed to this at Spotify.'],
  ['anilist', 'AniList', 'Someone has agreed to this at AniList as “mika_watches”.'],
] as const)('%s', (service, label, agreed) => {
  test('is linked with the code that the bot sends to the user who began', async () => {
    const { server, token, code, confirm, readState, wayBack } = await startUnconfirmed(service);
    expect(server.inbox.at(-1)).toMatchObject({ telegramId: mal, code });
    expect(server.inbox.at(-1)?.text).toBe(
      [
        `${code} is the code to link ${label} to your Nori account.`,
        agreed,
        'If that was you, enter the code on the page that is open. It is good for 5 minutes. If not, do nothing and do not share the code.',
      ].join('\n\n'),
    );
    expect(await readState(service, token)).toMatchObject({ state: 'unlinked' });

    const reply = await confirm();

    expect(reply).toMatchObject({ status: 200, body: { message: `${label} is linked.` } });
    expect(await readState(service, token)).toMatchObject({
      state: 'linked',
      ...(service === 'anilist' ? { account_name: 'mika_watches' } : {}),
    });
    // Loaded or pressed again, the page shows the same.
    const again = { status: 200, body: { message: `${label} is linked already.` } };
    expect(await confirm()).toMatchObject(again);
    expect(await server.call(finishCalls[service], wayBack)).toMatchObject(again);
  });
});

test('a page that is loaded again goes on asking, and sends no second message', async () => {
  const { server, music, page, wayBack, confirm } = await startUnconfirmed();
  const messages = server.inbox.length;

  const replies = await Promise.all([1, 2].map(() => server.call(finishSpotify, wayBack)));

  expect(replies.map(readUnconfirmed)).toEqual([page, page]);
  expect(server.inbox).toHaveLength(messages);
  expect(music.callsTo('POST /api/token')).toHaveLength(1);
  expect((await confirm()).status).toBe(200);
});

test('a user who logs in where they agreed needs no code', async () => {
  const { server, token, wayBack, readState } = await startUnconfirmed();

  const reply = await server.call(finishSpotify, wayBack, { token });

  expect(reply).toMatchObject({ status: 200, body: { message: 'Spotify is linked.' } });
  expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
});

test('another user who is logged in where the code is entered is refused', async () => {
  const { server, wayBack, page, code, readState, token } = await startUnconfirmed();
  const annsToken = await server.signUp(ann);

  const reply = await server.call(
    confirmConnection,
    { service: 'spotify', state: wayBack.state, confirmation: page.confirmation, otp_code: code },
    { token: annsToken },
  );

  expect(reply).toMatchObject({ status: 403, body: { code: 'foreign_person' } });
  expect(await readState('spotify', token)).toMatchObject({ state: 'unlinked' });
});

test('the fifth wrong code ends the link, and the tokens are gone', async () => {
  const { server, code, confirm, readState, token } = await startUnconfirmed();

  const replies = [];
  for (let count = 1; count <= 5; count += 1) {
    replies.push(await confirm({ code: wrongCode(code) }));
  }
  const sixth = await confirm();

  expect(replies.slice(0, 4).map(({ body }) => body)).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ code: 'invalid_code' })),
  );
  expect(replies[4]).toMatchObject({
    status: 400,
    body: { detail: 'Too many wrong codes. Nothing was linked. Please start again from Nori.' },
  });
  expect(sixth).toMatchObject(unknown);
  expect(await readRows(server)).toEqual([[], []]);
  expect(await readState('spotify', token)).toMatchObject({ state: 'unlinked' });
});

test('of parallel guesses no more than five count', async () => {
  const { code, confirm } = await startUnconfirmed();

  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => confirm({ code: wrongCode(code) })),
  );
  const late = await confirm();

  expect(guesses.filter(({ status }) => status === 200)).toEqual([]);
  expect(late).toMatchObject(unknown);
});

test('the right code entered twice at the same time links once', async () => {
  const { server, confirm } = await startUnconfirmed();

  const replies = await Promise.all([confirm(), confirm()]);

  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const events = await server.db.selectFrom('account_events').select('kind').execute();
  expect(events.filter(({ kind }) => kind === 'linked')).toHaveLength(1);
});

test('the code and what was answered are good for five minutes', async () => {
  const { server, confirm } = await startUnconfirmed();

  server.wait(5 * minute);

  expect(await confirm()).toMatchObject({
    ...unknown,
    body: { detail: 'This link has expired or was already used. Please start again from Nori.' },
  });
  await sweep(server.deps);
  expect(await readRows(server)).toEqual([[], []]);
});

test.each([
  [
    'unlinks the service',
    (server: TestServer, token: string) =>
      server.call(removeConnection, { service: 'spotify' }, { token }),
  ],
  ['logs out', (server: TestServer, token: string) => server.call(logout, {}, { token })],
  [
    'logs out elsewhere',
    (server: TestServer, token: string) => server.call(endOtherSessions, {}, { token }),
  ],
  [
    'deletes the account',
    (server: TestServer, token: string) =>
      server.call(deleteAccount, { password: goodPassword }, { token }),
  ],
])('a user who %s meanwhile is not linked any more', async (_what, act) => {
  const { server, token, confirm } = await startUnconfirmed();

  expect((await act(server, token)).status).toBeLessThan(300);

  await expect.poll(() => readRows(server)).toEqual([[], []]);
  expect(await confirm()).toMatchObject(unknown);
});

test('one process exchanges, another confirms', async () => {
  const { confirm, readState, token, startAgain } = await startUnconfirmed();
  const other = await startAgain();

  expect((await confirm({}, other)).status).toBe(200);

  expect(await readState('spotify', token)).toMatchObject({ state: 'linked' });
});

test.each(['never started', 'blocked'] as const)(
  'a user whom the bot cannot write to (%s) is told so, and nothing is left',
  async (reach) => {
    const api = await startBotApi();
    onTestFinished(api.close);
    const { server, agree, startAgain } = await startConnecting();
    const token = await server.signUp(mal);
    const withBot = await startAgain({ bot: { api } });
    onTestFinished(withBot.stopBot);
    api.setReach(mal, reach);

    const reply = await withBot.call(finishSpotify, await agree('spotify', token));

    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'bot_not_started',
        detail:
          'The bot may not write to you yet. Open the bot, press Start, and link Spotify again.',
      },
    });
    expect(await readRows(server)).toEqual([[], []]);

    api.setReach(mal, 'started');
    const again = await withBot.call(finishSpotify, await agree('spotify', token));
    expect(readUnconfirmed(again)).toMatchObject({ telegram_user: '•••333' });
  },
);

test('what the service has answered can be read nowhere while it waits', async () => {
  const { server, music, page, code } = await startUnconfirmed();

  const stored = JSON.stringify([
    await readRows(server),
    await server.db.selectFrom('otps').selectAll().execute(),
  ]);

  for (const secret of [...music.tokens(), page.confirmation]) {
    expect(stored).not.toContain(secret);
    expect(server.logLines.join('')).not.toContain(secret);
  }
  expect(stored).not.toContain(`"${code}"`);
});

test('an answer that was copied to another attempt links nothing', async () => {
  const { server, confirm, wayBack, code } = await startUnconfirmed();
  const { server: strange } = await startUnconfirmed();
  const [, [row]] = await readRows(strange);
  await server.db
    .updateTable('connection_attempts')
    .set({ answer: row?.answer ?? '' })
    .execute();

  expect(wayBack.state).not.toBe('');
  expect(await confirm({ code })).toMatchObject(unknown);
});

test('both ways of linking and the end of a link are in the log of security events', async () => {
  const { server, token, confirm, link } = await startUnconfirmed();
  await confirm();
  await link('anilist', token);
  await server.call(removeConnection, { service: 'spotify' }, { token });
  // Nothing is linked, so nothing ends.
  await server.call(removeConnection, { service: 'spotify' }, { token });

  const events = await server.db
    .selectFrom('account_events')
    .select(['telegram_id', 'kind', 'detail'])
    .where('kind', 'in', ['linked', 'unlinked'])
    .execute();

  expect(events).toHaveLength(3);
  expect(events).toEqual(
    expect.arrayContaining([
      { telegram_id: mal, kind: 'linked', detail: 'Spotify' },
      { telegram_id: mal, kind: 'linked', detail: 'AniList' },
      { telegram_id: mal, kind: 'unlinked', detail: 'Spotify' },
    ]),
  );
});
