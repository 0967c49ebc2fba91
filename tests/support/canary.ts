/**
 * A person who uses everything, and whose every text holds the same word: what is stored of them anywhere can be found by
 * their ID or by that word.
 */
import { sql } from 'kysely';
import sharp from 'sharp';
import * as v from 'valibot';

import { register, verifyOtp } from '#contract/endpoints/account';
import { addChat, setSetting, verifyChat } from '#contract/endpoints/chats';
import { startExport } from '#contract/endpoints/exports';
import { deleteGeneration, updateModelCache } from '#contract/endpoints/generations';
import { generate } from '#contract/endpoints/images';
import { setAccountLanguage } from '#contract/endpoints/language';
import { requestPasswordReset } from '#contract/endpoints/password-reset';
import { login } from '#contract/endpoints/session';
import { type SketchRequest } from '#server/upstream/images/sketch/index';

import { ann, bo, type CommandGroup, startGroup } from './command-group.ts';
import { readSaved, save } from './pictures.ts';
import { groupId } from './test-bot.ts';
import {
  createMemoryStore,
  goodPassword,
  type MemoryStore,
  type TestServer,
} from './test-server.ts';

export const mila = 7_042_424_241_717;
export const canary = 'Quokkabird';
const milaUser = {
  id: mila,
  is_bot: false,
  first_name: `${canary} Mila`,
  username: `${canary}_mila`,
  language_code: 'de',
};

/** Mila owns a group that Bo manages by her code, and does everything. Bo does the same things in the same places. */
export async function startCanaryWorld() {
  const objects = createMemoryStore();
  const group = await startGroup({
    group: { creator: mila, members: [ann, 555_555] },
    objects,
    paint: paintWithRecipe,
    variables: { PUBLIC_URL: 'https://nori.example.org' },
  });
  const { api, server } = group;
  api.addPerson(milaUser);
  const token = await signUp(group, mila, `${canary}@example.org`);
  const boToken = await signUp(group, bo, 'bo@example.org');

  await useAccount(server, token);
  await makePictures(server, token);
  await save(server, boToken, { prompt: 'the lighthouse of Bo' });
  await useChats(group, { token, boToken });
  await addRest(server);
  await server.call(startExport, { by_bot: true }, { token });
  await server.services.exports.runDue();
  return { ...group, objects, token, boToken };
}

/** A picture that says what it was made from, as a sketch does. */
function paintWithRecipe({ width, height, format = 'png' }: SketchRequest): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#0b7a5c' } })
    .toFormat(format)
    .withExif({ IFD0: { ImageDescription: canary } })
    .toBuffer();
}

async function signUp({ api, server }: CommandGroup, telegramId: number, email: string) {
  const telegram_id = String(telegramId);
  const asked = await server.call(register, { telegram_id, email, password: goodPassword });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), asked.body);
  const otp_code = api.lastCode(telegramId);
  const { body } = await server.call(verifyOtp, { telegram_id, otp_code, attempt });
  server.wait(61_000);
  return v.parse(verifyOtp.output, body).access_token;
}

/** Failed logins, a code that waits, a language, names of models. */
async function useAccount(server: TestServer, token: string): Promise<void> {
  const telegram_id = String(mila);
  await server.call(login, { telegram_id, password: 'wrong quiet otters' });
  await server.call(login, { telegram_id, password: goodPassword });
  await server.call(requestPasswordReset, { telegram_id });
  await server.call(setAccountLanguage, { language: 'en' }, { token });
  await server.call(
    updateModelCache,
    { models: [{ modelId: '424242', name: `${canary} model` }] },
    { token },
  );
  await server.db
    .updateTable('people')
    .set({ first_name: milaUser.first_name, username: milaUser.username, photo_url: canary })
    .where('telegram_id', '=', mila)
    .execute();
}

/** One that is uploaded, one that is in the bin, and one that is made by a job. */
async function makePictures(server: TestServer, token: string): Promise<void> {
  const fields = { prompt: `a ${canary} in the snow`, tags: JSON.stringify([canary]) };
  await save(server, token, fields);
  const { id } = readSaved(await save(server, token, { ...fields, seed: '2' }));
  await server.call(deleteGeneration, { id }, { token });
  const made = { prompt: `a ${canary}`, model_id: '1001', ratio: '1:1' } as const;
  await server.call(generate, made, { token });
}

async function useChats(
  group: CommandGroup,
  { token, boToken }: { readonly token: string; readonly boToken: string },
): Promise<void> {
  const { api, server, says, hears } = group;
  const asMila = { fields: { from: milaUser } };
  const chat = { id: groupId, type: 'supergroup', title: 'Otters', is_forum: true };
  const me = { id: api.bot.id, is_bot: true, first_name: 'Nori', username: api.bot.username };
  const rights = { can_delete_messages: true, can_restrict_members: true };
  await hears({
    my_chat_member: {
      chat,
      from: milaUser,
      date: 0,
      old_chat_member: { status: 'left', user: me },
      new_chat_member: { status: 'administrator', user: me, ...rights },
    },
  });
  for (const one of [token, boToken]) {
    await server.call(addChat, { chat_id: groupId }, { token: one });
    const otp = api.lastCode(mila);
    await server.call(verifyChat, { chat_id: groupId, otp }, { token: one });
    server.wait(61_000);
  }
  const setting = { chat_id: groupId, topic_id: 0, value: true } as const;
  await server.call(setSetting, { ...setting, setting_name: 'photo_blocked' }, { token });
  await server.call(setSetting, { ...setting, setting_name: 'video_blocked' }, { token: boToken });
  await says(mila, 'Hello', asMila);
  await says(mila, `/warn ${canary} reason`, { to: ann, ...asMila });
  await says(mila, '/approve', { to: ann, ...asMila });
  await says(bo, '/approve', { to: 555_555 });
  // A code that waits.
  server.wait(61_000);
  await server.call(addChat, { chat_id: groupId }, { token: boToken });
}

/** What other helpers of the server store, and what waits. */
async function addRest({ db, now }: TestServer): Promise<void> {
  const at = now();
  const later = at + 50 * 60_000;
  const mine = { telegram_id: mila };
  await db
    .insertInto('passkeys')
    .values({
      ...mine,
      id: 'passkey',
      public_key: canary,
      counter: 0,
      transports: '[]',
      name: `${canary} key`,
      created_at: at,
      last_used_at: null,
    })
    .execute();
  await db
    .insertInto('passkey_challenges')
    .values({ ...mine, challenge_hash: canary, purpose: 'register', expires_at: later })
    .execute();
  await db
    .insertInto('registrations')
    .values({
      ...mine,
      attempt_hash: 'an attempt',
      email: `${canary}@example.org`,
      password_hash: 'hash',
      created_at: at,
      expires_at: later,
    })
    .execute();
  await db
    .insertInto('connections')
    .values({
      ...mine,
      service: 'anilist',
      access_token: canary,
      refresh_token: null,
      expires_at: null,
      account_name: `${canary} watches`,
      linked_at: at,
    })
    .execute();
  await db
    .insertInto('connection_attempts')
    .values({
      ...mine,
      state_hash: 'state',
      service: 'spotify',
      verifier: 'v',
      redirect_uri: 'r',
      status: 'pending',
      expires_at: later,
    })
    .execute();
  const warned = { chat_id: groupId, by_id: bo, reason: `${canary} of Mila` };
  await db
    .insertInto('warnings')
    .values({
      ...mine,
      ...warned,
      id: 'w',
      given_at: at,
      expires_at: null,
      ended_at: null,
      update_id: null,
    })
    .execute();
  await db
    .insertInto('actions')
    .values({
      ...warned,
      id: 'w',
      at,
      target_id: mila,
      kind: 'warn',
      until: null,
      undone_at: null,
    })
    .execute();
  await db
    .insertInto('approvals')
    .values({ ...mine, chat_id: groupId, by_id: bo, at, until: null })
    .execute();
  await db
    .insertInto('join_checks')
    .values({
      ...mine,
      chat_id: groupId,
      kind: 'task',
      state: 'passed',
      started_at: at,
      due_at: at,
      settled_at: at,
    })
    .execute();
  await db
    .insertInto('recent_joins')
    .values({ ...mine, chat_id: groupId, at, key: 'x' })
    .execute();
  await db
    .insertInto('away')
    .values({ ...mine, reason: `${canary} sleeps`, since: at })
    .execute();
  await db
    .insertInto('whispers')
    .values([
      {
        id: 'from Mila',
        from_id: mila,
        to_id: bo,
        to_username: null,
        text: 'sealed',
        created_at: at,
        expires_at: later,
      },
      {
        id: 'to Mila',
        from_id: bo,
        to_id: mila,
        to_username: milaUser.username.toLowerCase(),
        text: 'sealed',
        created_at: at,
        expires_at: later,
      },
    ])
    .execute();
  await db
    .insertInto('sticker_packs')
    .values({
      ...mine,
      name: `p1_${mila}_by_nori_bot`,
      number: 1,
      title: `${canary} stickers`,
      count: 3,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('adult_confirmations')
    .values({ ...mine, confirmed_at: at })
    .execute();
  await db
    .insertInto('due_jobs')
    .values([
      {
        ...mine,
        id: 'begun:x',
        kind: 'begun',
        chat_id: groupId,
        body: '{}',
        due_at: later,
      },
      {
        telegram_id: null,
        id: 'line:x',
        kind: 'line without a user',
        chat_id: groupId,
        body: JSON.stringify({ kind: 'approve', targetId: mila, byId: bo }),
        due_at: later,
      },
      {
        telegram_id: bo,
        id: 'line:other',
        kind: 'line without a user',
        chat_id: groupId,
        body: JSON.stringify({ kind: 'approve', targetId: mila * 10, byId: bo }),
        due_at: later,
      },
    ])
    .execute();
  await db
    .insertInto('due_deletions')
    .values({
      chat_id: groupId,
      message_id: 5,
      due_at: later,
      setting: 'photo_blocked',
      sender_id: mila,
      give_up_at: later,
    })
    .execute();
  await db
    .insertInto('due_hints')
    .values({ ...mine, chat_id: groupId - 1, due_at: later, give_up_at: later })
    .execute();
  await db
    .insertInto('bot_inbox')
    .values({
      bot_id: 1,
      update_id: 77,
      chat_id: mila,
      payload: JSON.stringify({ message: { from: milaUser, text: canary } }),
      received_at: at,
      handled_at: null,
      runner: '',
      leased_until: 0,
    })
    .execute();
  await db
    .insertInto('rate_buckets')
    .values({ key: `login-failures:${mila}:192.0.2.*`, window_start: at, hits: 1 })
    .execute();
}

const isOfMila = new RegExp(String.raw`(?<!\d)${mila}(?!\d)|${canary}`, 'i');

/** Where the person can be found, such as `table warnings`. */
export async function findTraces(
  server: TestServer,
  objects: MemoryStore,
): Promise<readonly string[]> {
  const tables = await server.db.introspection.getTables();
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(server.db);
    if (rows.some((row) => isOfMila.test(JSON.stringify(row)))) {
      found.push(`table ${name}`);
    }
  }
  for (const name of objects.names()) {
    const bytes = (await objects.read(name))?.bytes ?? Buffer.alloc(0);
    if (isOfMila.test(name) || isOfMila.test(readAnyText(bytes))) {
      found.push(`file ${name.replace(/^.*-/, '')}`);
    }
  }
  for (const [log, lines] of Object.entries({
    log: server.logLines,
    'security log': server.securityLines,
    console: server.said,
  })) {
    found.push(...lines.filter((line) => isOfMila.test(line)).map((line) => `${log}: ${line}`));
  }
  return [...new Set(found)].toSorted();
}

/** As bytes, and as the UTF-16 of comments in pictures. */
function readAnyText(bytes: Buffer): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const odd = bytes.subarray(1, bytes.length - ((bytes.length - 1) % 2));
  return [
    bytes.toString('latin1'),
    ...[even, odd].flatMap((half) => [
      half.toString('utf16le'),
      Buffer.from(half).swap16().toString('utf16le'),
    ]),
  ].join('\n');
}
