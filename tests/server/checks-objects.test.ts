/** Attacks on what belongs to others: every call of the contract that names a chat, something in a chat, a picture or a person. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { listChanges } from '#contract/endpoints/chat-changes';
import { type Endpoint } from '#contract/endpoints/endpoint';
import { deleteGeneration } from '#contract/endpoints/generations';
import { generate } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { listPasskeys } from '#contract/endpoints/passkeys';
import { listSessions, login } from '#contract/endpoints/session';
import { chatId as cats, friend, giveChats, owner, signIn } from '#tests/chats';
import { createInput, dump, everyEndpoint, readFields, send } from '#tests/every-endpoint';
import { getPending } from '#tests/image-services';
import { ann, garden, readSaved, save, startWithPeople } from '#tests/pictures';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const dogs = -1_005_550_000_000;
const unknown = -1_009_999_999_999;
const member = 999;

/** How a user gets access to a chat. What these ask for is tested in `chat-claim.test.ts` and `ownership.test.ts`. */
const waysIn = new Set(['addChat', 'verifyChat', 'claimChat']);

/** Calls about one's own request to join, which launch data proves; they are tested in `gate.test.ts`. */
const ofRequests = new Set(['openGate', 'answerGate']);

const ofChats = everyEndpoint.filter(
  ([name, endpoint]) =>
    'chat_id' in readFields(endpoint) && !waysIn.has(name) && !ofRequests.has(name),
);

/** `owner` manages the cats; `friend` manages the dogs, where something of each kind is stored. */
async function startTwoOwners() {
  const server = await createTestServer();
  const [ofCats, ofDogs] = [await signIn(server, owner), await signIn(server, friend)];
  await giveChats(server, owner, [{ id: cats, name: 'Cat lovers' }]);
  await giveChats(server, friend, [{ id: dogs, name: 'Dog lovers', topics: [0, 7] }]);
  await server.services.chatChanges.toggle(friend, {
    chatId: dogs,
    topicId: 7,
    name: 'photo_blocked',
    isBlocked: true,
  });
  const at = server.now();
  const facts = { chat_id: dogs, by_id: friend, reason: 'spam' };
  const given = { ...facts, telegram_id: member, given_at: at };
  await server.db
    .insertInto('warnings')
    .values({ ...given, id: 'warning', expires_at: null, ended_at: null, update_id: null })
    .execute();
  await server.db
    .insertInto('actions')
    .values({
      ...facts,
      id: 'ban',
      kind: 'ban',
      target_id: member,
      at,
      until: null,
      undone_at: null,
    })
    .execute();
  await server.db
    .insertInto('approvals')
    .values({ chat_id: dogs, by_id: friend, telegram_id: member, at, until: null })
    .execute();
  const { body } = await server.call(listChanges, { chat_id: dogs }, ofDogs);
  const change_id = v.parse(listChanges.output, body).changes[0]?.change_id ?? 'none';
  return { server, ofCats, ofDogs, change_id };
}

/** Everything that is stored, without when a session was last used and what the limits have counted. */
const dumpData = ({ db }: TestServer) => dump(db, ['sessions', 'rate_buckets']);

describe('a chat of another user', () => {
  test('is named by calls that go through what follows', () => {
    expect(ofChats.length).toBeGreaterThanOrEqual(20);
  });

  test.each(ofChats)('%s: refused like an unknown chat, and nothing changes', async (...call) => {
    const { server, ofCats, ofDogs } = await startTwoOwners();
    const [, endpoint] = call;
    const sendFor = (chat_id: number, token: string) =>
      send(server, { endpoint, input: createInput(call, { chat_id: String(chat_id) }), token });
    const before = await dumpData(server);

    const foreign = await sendFor(dogs, ofCats.token);
    const absent = await sendFor(unknown, ofCats.token);
    const after = await dumpData(server);
    const own = await sendFor(dogs, ofDogs.token);

    expect([403, 404]).toContain(foreign.status);
    expect(foreign.body).toMatchObject({
      code: expect.stringMatching(/^chat_not_(?:found|verified)$/),
    });
    expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
    expect(after).toEqual(before);
    // The owner's call goes further, so the refusal was about the chat and not about the rest.
    expect(own.body ?? {}).not.toMatchObject({
      code: expect.stringMatching(/^(?:chat_not|invalid)/),
    });
  });

  const paths = [...new Set(ofChats.map(([, { path }]) => path))];

  test.each(paths)('%s: no other method does more', async (path) => {
    const { server, ofCats } = await startTwoOwners();
    const address = path.replace(':chat_id', String(dogs)).replaceAll(/:\w+/g, '7');
    const before = await dumpData(server);

    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'get']) {
      const reply = await server.request(`/backend${address}`, {
        method,
        headers: { Authorization: `Bearer ${ofCats.token}`, 'X-HTTP-Method-Override': 'PUT' },
      });
      expect([403, 404, 415, 422]).toContain(reply.status);
    }

    expect(await dumpData(server)).toEqual(before);
  });
});

function findCall(name: string): readonly [string, Endpoint] {
  const call = ofChats.find(([listed]) => listed === name);
  if (call === undefined) {
    throw new Error(`There is no ${name}`);
  }
  return call;
}

describe('something of another chat', () => {
  test.each([
    ['a change', 'revertChange', { kind: 'revert' }],
    ['a ban', 'undoAction', { action_id: 'ban' }],
    ['a topic', 'readTopic', { topic_id: '7' }],
    ['a setting', 'setSetting', { topic_id: '7', setting_name: 'photo_blocked', value: false }],
    ['settings', 'changeSettings', { topics: { '7': { photo_blocked: false } } }],
    ['a warning', 'removeWarnings', { telegram_id: String(member), warning_id: 'warning' }],
    ['an approval', 'removeApproval', { telegram_id: String(member) }],
  ])('%s: %s does not reach it through a chat of one’s own', async (_what, name, given) => {
    const { server, ofCats, change_id } = await startTwoOwners();
    const call = findCall(name);
    const before = await dumpData(server);

    const reply = await send(server, {
      endpoint: call[1],
      input: createInput(call, { chat_id: String(cats), change_id, ...given }),
      token: ofCats.token,
    });

    // To remove what is not there is no failure: it is gone.
    expect(reply.status).toBe(name.startsWith('remove') ? 204 : 404);
    expect(await dumpData(server)).toEqual(before);
  });
});

/** What a call names of Ann's: her ID, or what she has made. */
const namedByCalls: Readonly<
  Record<string, (server: TestServer, token: string) => Promise<Record<string, unknown>>>
> = {
  listImagineHistory: async () => ({ user_id: String(ann) }),
  readNowPlaying: async () => ({ telegram_id: String(ann) }),
  deleteGeneration: async (server, token) => ({ id: readSaved(await save(server, token)).id }),
  updateGeneration: async (server, token) => ({ id: readSaved(await save(server, token)).id }),
  sendPicture: async (server, token) => ({ id: readSaved(await save(server, token)).id }),
  sharePicture: async (server, token) => ({ id: readSaved(await save(server, token)).id }),
  readPictureLinks: async (server, token) => ({ id: readSaved(await save(server, token)).id }),
  notifyOfJob: makeJob,
  deleteMidjourney: async (server, token) => {
    const { body } = await server.call(generateMidjourney, garden, { token });
    return { id: v.parse(generateMidjourney.output, body).id };
  },
  restoreGeneration: async (server, token) => {
    const { id } = readSaved(await save(server, token));
    await server.call(deleteGeneration, { id }, { token });
    return { id };
  },
  removeReminder: async ({ services, now }, _token) => {
    const place = { chatId: ann, topicId: undefined, text: 'tea', dueAt: now() + 60_000 };
    await services.reminders.add({ key: 'of-ann', telegramId: ann, ...place });
    return { id: 'of-ann' };
  },
  removePasskey: async (server, token) => {
    const passkey = { id: 'YW4tYW5uLWtleQ', telegram_id: ann, public_key: 'AAAA', counter: 0 };
    await server.db
      .insertInto('passkeys')
      .values({
        ...passkey,
        transports: '[]',
        name: 'Key',
        created_at: server.now(),
        last_used_at: null,
      })
      .execute();
    // Both have the same password, so that Bob's proof is a good one, too.
    const { body } = await server.call(listPasskeys, {}, { token });
    const id = v.parse(listPasskeys.output, body).passkeys[0]?.id;
    return { id, proof: { password: goodPassword } };
  },
  endOneSession: async (server, token) => {
    await server.call(login, { telegram_id: String(ann), password: goodPassword });
    const { body } = await server.call(listSessions, {}, { token });
    const other = v.parse(listSessions.output, body).sessions.find(({ is_current }) => !is_current);
    return { session_id: other?.id };
  },
  readJob: makeJob,
  cancelJob: makeJob,
};

async function makeJob(server: TestServer, token: string) {
  const input = getPending();
  await server.call(generate, input, { token });
  return { job_key: input.job_key };
}

/** What a person types of themselves before there is a session. */
const beforeSession = [
  'login',
  'register',
  'sendOtp',
  'verifyOtp',
  'requestPasswordReset',
  'resetPassword',
  'requestLoginCode',
];
/** Keys of jobs that a call begins: repeated by another user they are refused (`hub-requests.test.ts`). */
const beginsJob = [
  'generate',
  'generateWithLoras',
  'generateMidjourney',
  'saveImagine',
  'saveGeneration',
];
const isPersonal = (field: string) =>
  /^(?:id|job_key|user_id|telegram_id|(?!model|video).+_id)$/.test(field);

const ofUsers = everyEndpoint.filter(
  ([name, endpoint]) =>
    endpoint.base === undefined &&
    !('chat_id' in readFields(endpoint)) &&
    ![...beforeSession, ...beginsJob].includes(name) &&
    Object.keys(readFields(endpoint)).some(isPersonal),
);

describe('what another user has', () => {
  test('is named by no other calls than these', () => {
    expect(ofUsers.map(([name]) => name).toSorted()).toEqual(Object.keys(namedByCalls).toSorted());
  });

  test.each(ofUsers)('%s: neither a user nor a visitor reaches it', async (...call) => {
    const { server, tokens } = await startWithPeople();
    const [name, endpoint] = call;
    const input = createInput(call, await namedByCalls[name]?.(server, tokens.ann));
    const dumpAll = () => dump(server.db, ['rate_buckets']);
    const before = await dumpAll();

    const foreign = await send(server, { endpoint, input, token: tokens.bob });
    const visitor = await send(server, { endpoint, input });
    const after = await dumpAll();
    const own = await send(server, { endpoint, input, token: tokens.ann });

    // A passkey or reminder that the user does not have is none: to remove it is no failure.
    const isOwnAlone = name === 'removePasskey' || name === 'removeReminder';
    expect(isOwnAlone ? [204] : [403, 404]).toContain(foreign.status);
    expect([401, 404]).toContain(visitor.status);
    expect(after).toEqual(before);
    // For her it is there; where Spotify is not connected, the refusal is another one.
    expect(own.status === 503 ? 200 : own.status).toBeLessThan(300);
    const hasChanged = JSON.stringify(await dumpAll()) !== JSON.stringify(before);
    expect(hasChanged || !/^(?:remove|delete|end)/.test(name)).toBe(true);
  });
});
