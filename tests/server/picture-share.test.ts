/** Pictures that users send to their own chat, share to others or post as a story, and of whose end the bot tells them. */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';

import { deleteGeneration, restoreGeneration } from '#contract/endpoints/generations';
import { cancelJob, generate } from '#contract/endpoints/images';
import {
  notifyOfJob,
  readPictureLinks,
  sendPicture,
  sharePicture,
} from '#contract/endpoints/picture-sharing';
import { readCapabilities } from '#contract/endpoints/site';
import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { startBot } from '#tests/test-bot';
import { createMemoryStore, createTestServer, openTestDatabase } from '#tests/test-server';

const [ada, bob] = [42, 43];
const publicUrl = 'https://nori.example.org';
const key = (text: string) => text.padEnd(32, '0');

type Options = Parameters<typeof startBot>[0];

/** Ada and Bob on a server with a bot and a public address. */
async function start({ variables, ...options }: Options = {}) {
  const bot = await startBot({ variables: { PUBLIC_URL: publicUrl, ...variables }, ...options });
  const { server, api } = bot;
  const me = await signIn(server, ada);
  const other = await signIn(server, bob);
  const shown = (to = ada) =>
    api.messages.filter((message) => message.to === to).flatMap((one) => api.show(one) ?? []);
  return { ...bot, me, other, shown };
}

/** Ada has made a picture. */
async function startWithPicture(options: Options = {}) {
  const started = await start(options);
  const { server, me } = started;
  await server.call(generate, { ...getPending(), prompt: 'a fox' }, me);
  const [generation] = await server.services.generations.list(ada);
  return { ...started, id: generation?.id ?? '', pictureId: generation?.pictureIds[0] ?? '' };
}

type Server = Awaited<ReturnType<typeof start>>['server'];

/** Loads an address under the public one, as Telegram does. */
async function load({ app }: Server, address: string) {
  const { origin, pathname, search } = new URL(address);
  expect(origin).toBe(publicUrl);
  const response = await app.request(pathname + search);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('Content-Type'), bytes };
}

const readAnnounced = async (server: Pick<Server, 'call'>) =>
  v.parse(readCapabilities.output, (await server.call(readCapabilities, {})).body).capabilities;

test('what is possible is announced: without a bot nothing, without a public address no sharing', async () => {
  const bare = await createTestServer();
  const hidden = await start({ variables: { PUBLIC_URL: '' } });
  const deaf = await start({ variables: { BOT_MODE: 'off' } });
  const whole = await start();

  expect(await readAnnounced(bare)).not.toContain('pictures.send');
  expect(await readAnnounced(deaf.server)).not.toContain('pictures.send');
  expect(await readAnnounced(hidden.server)).toContain('pictures.send');
  expect(await readAnnounced(hidden.server)).not.toContain('pictures.share');
  expect(await readAnnounced(whole.server)).toEqual(
    expect.arrayContaining(['pictures.send', 'pictures.share']),
  );
  await bare.close();
});

describe('sending', () => {
  test('brings the picture as a photo, or the file as it was made', async () => {
    const { server, me, id, pictureId, shown } = await startWithPicture();

    const photo = await server.call(sendPicture, { id, as: 'photo', request_key: key('a') }, me);
    const file = await server.call(sendPicture, { id, as: 'file', request_key: key('b') }, me);

    expect(photo.body).toEqual({ state: 'sent' });
    expect(file.body).toEqual({ state: 'sent' });
    const [first, second] = shown();
    expect(first?.media).toMatchObject({ kind: 'photo' });
    expect(second?.media).toMatchObject({ kind: 'document' });
    const original = await server.services.pictures.read(pictureId, 'original');
    expect(second?.media?.file?.bytes.equals(original?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('leaves out what a file was made from when that is wanted', async () => {
    const { server, me, id, shown } = await startWithPicture();
    const request = { id, as: 'file', without_recipe: true, request_key: key('a') } as const;

    await server.call(sendPicture, request, me);

    const { bytes = Buffer.alloc(0) } = shown()[0]?.media?.file ?? {};
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.includes('a fox')).toBe(false);
  });

  test('the same request sends once, and another one again', async () => {
    const { server, me, id, shown } = await startWithPicture();
    const request = { id, as: 'photo', request_key: key('a') } as const;

    const replies = await Promise.all([
      server.call(sendPicture, request, me),
      server.call(sendPicture, request, me),
    ]);
    const later = await server.call(sendPicture, request, me);
    expect([...replies, later].map(({ body }) => body)).toEqual([
      { state: 'sent' },
      { state: 'sent' },
      { state: 'sent' },
    ]);
    expect(shown()).toHaveLength(1);

    await server.call(sendPicture, { ...request, request_key: key('b') }, me);
    expect(shown()).toHaveLength(2);
  });

  test('is refused while the bot may not write, and possible with the same key afterwards', async () => {
    const { server, api, me, id, shown } = await startWithPicture();
    const request = { id, as: 'photo', request_key: key('a') } as const;

    for (const reach of ['never started', 'blocked'] as const) {
      api.setReach(ada, reach);
      expect(await server.call(sendPicture, request, me)).toMatchObject({
        status: 403,
        body: {
          code: 'bot_may_not_write',
          detail: 'The bot may not write to you yet. Open the bot, press Start, and come back.',
        },
      });
    }
    api.setReach(ada, 'started');

    expect((await server.call(sendPicture, request, me)).body).toEqual({ state: 'sent' });
    expect(shown()).toHaveLength(1);
  });

  test('is said to come later while Telegram does not take it', async () => {
    const { server, api, me, id } = await startWithPicture({ serviceTimeoutMs: 300 });
    api.fail('sendMessage', {
      error_code: 429,
      description: 'Too Many Requests: retry after 60',
      parameters: { retry_after: 60 },
    });

    const { body } = await server.call(sendPicture, { id, as: 'photo', request_key: key('a') }, me);

    expect(body).toEqual({ state: 'pending' });
  });

  test('is for the owner of a picture that there is', async () => {
    const { server, me, other, id, shown } = await startWithPicture();
    const request = { id, as: 'photo', request_key: key('a') } as const;
    const missing = { status: 404, body: { code: 'generation_not_found' } };

    expect((await server.call(sendPicture, request)).status).toBe(401);
    expect(await server.call(sendPicture, request, other)).toMatchObject(missing);
    expect(await server.call(sendPicture, { ...request, picture: 1 }, me)).toMatchObject(missing);
    await server.call(deleteGeneration, { id }, me);
    expect(await server.call(sendPicture, request, me)).toMatchObject(missing);

    expect([...shown(), ...shown(bob)]).toEqual([]);
  });
});

describe('sharing', () => {
  test('prepares a message whose picture Telegram can load: a JPEG without what it was made from', async () => {
    const { server, api, me, id } = await startWithPicture();

    const { body } = await server.call(sharePicture, { id }, me);

    const [prepared] = api.prepared;
    expect(body).toEqual({
      prepared_message_id: prepared?.id,
      expires_at: new Date((prepared?.expiresAt ?? 0) * 1000).toISOString(),
    });
    expect(prepared?.to).toBe(ada);
    const { photo_url, thumbnail_url } = v.parse(
      v.object({ photo_url: v.string(), thumbnail_url: v.string() }),
      prepared?.result,
    );
    const photo = await load(server, photo_url);
    const preview = await load(server, thumbnail_url);
    expect(photo).toMatchObject({ status: 200, type: 'image/jpeg' });
    expect(detectPictureType(photo.bytes)).toBe('image/jpeg');
    expect(photo.bytes.length).toBeLessThanOrEqual(5 * 1024 * 1024);
    expect((await sharp(photo.bytes).metadata()).exif).toBeUndefined();
    expect(photo.bytes.includes('a fox')).toBe(false);
    expect(preview.type).toBe('image/jpeg');
    expect(preview.bytes.length).toBeLessThan(photo.bytes.length + 1);
  });

  describe('of a picture that the bot has sent as a photo', () => {
    async function startWithPhoto() {
      const started = await startWithPicture();
      const { server, api, me, id, shown } = started;
      const request = { id, as: 'photo', request_key: key('a') } as const;
      expect((await server.call(sendPicture, request, me)).body).toEqual({ state: 'sent' });
      const share = async () => {
        expect((await server.call(sharePicture, { id }, me)).status).toBe(200);
        return api.prepared.at(-1)?.result;
      };
      return { ...started, share, fileId: shown()[0]?.media?.fileId ?? '' };
    }

    const byLink = { photo_url: expect.stringContaining(publicUrl) };

    test('names the photo that Telegram has already', async () => {
      const { share, fileId } = await startWithPhoto();

      const result = await share();

      expect(fileId).not.toBe('');
      expect(result).toEqual({ type: 'photo', id: expect.any(String), photo_file_id: fileId });
    });

    test('is by its address where Telegram has that photo no more, and it is not named again', async () => {
      const { api, share, fileId } = await startWithPhoto();
      api.media.forget(fileId);

      expect(await share()).toMatchObject(byLink);
      expect(api.callsTo('savePreparedInlineMessage')).toHaveLength(2);
      await share();
      expect(api.callsTo('savePreparedInlineMessage')).toHaveLength(3);
    });

    test('is by its address for another bot, which does not have the photos of the earlier one', async () => {
      const { server, api, share } = await startWithPhoto();
      await server.db.updateTable('pictures').set({ photo_bot_id: 1 }).execute();

      expect(await share()).toMatchObject(byLink);
      expect(api.callsTo('savePreparedInlineMessage')).toHaveLength(1);
    });

    test('forgets the photo with the picture, also when that is restored', async () => {
      const { server, me, id, share, fileId } = await startWithPhoto();
      const listPhotos = async () =>
        (await server.db.selectFrom('pictures').select('photo_file_id').execute()).map(
          ({ photo_file_id: kept }) => kept,
        );
      expect(await listPhotos()).toEqual([fileId]);

      await server.call(deleteGeneration, { id }, me);
      expect(await listPhotos()).toEqual([null]);
      expect((await server.call(restoreGeneration, { id }, me)).status).toBeLessThan(300);
      expect(await share()).toMatchObject(byLink);
    });
  });

  test('a picture that was sent as a file alone is shared by its address', async () => {
    const { server, api, me, id } = await startWithPicture();
    await server.call(sendPicture, { id, as: 'file', request_key: key('a') }, me);

    await server.call(sharePicture, { id }, me);

    expect(api.prepared.at(-1)?.result).toHaveProperty('photo_url');
  });

  test('says what Telegram refuses, and that it does not answer', async () => {
    const { server, api, me, id } = await startWithPicture();

    api.setReach(ada, 'unknown');
    expect(await server.call(sharePicture, { id }, me)).toMatchObject({
      status: 409,
      body: { code: 'telegram_refused' },
    });
    api.setReach(ada, 'started');
    api.fail('savePreparedInlineMessage', 'html');
    expect(await server.call(sharePicture, { id }, me)).toMatchObject({
      status: 503,
      body: { code: 'telegram_unavailable' },
    });
    api.fail('savePreparedInlineMessage', { result: { id: 7 } });
    expect(await server.call(sharePicture, { id }, me)).toMatchObject({
      status: 503,
      body: { code: 'telegram_unavailable' },
    });
  });

  test('a story is as large as a screen, with the whole picture in it', async () => {
    const { server, me, id } = await startWithPicture();
    const { story_url, photo_url } = v.parse(
      readPictureLinks.output,
      (await server.call(readPictureLinks, { id }, me)).body,
    );

    const story = await load(server, story_url);

    expect(await sharp(story.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1080,
      height: 1920,
    });
    expect((await load(server, photo_url)).status).toBe(200);
  });

  test('links are signed for one thing, expire, and end with the picture', async () => {
    const { server, me, id } = await startWithPicture();
    const { story_url, photo_url } = v.parse(
      readPictureLinks.output,
      (await server.call(readPictureLinks, { id }, me)).body,
    );
    const forged = photo_url.replace('/photo?', '/story?');
    expect((await load(server, forged)).status).toBe(403);
    expect((await load(server, photo_url.replace('/photo?', '/poster?'))).status).toBe(404);
    // In memory from now on.
    expect((await load(server, photo_url)).status).toBe(200);

    await server.call(deleteGeneration, { id }, me);
    expect((await load(server, photo_url)).status).toBe(404);
    server.wait(3 * 24 * 60 * 60_000);
    expect((await load(server, story_url)).status).toBe(403);
  });

  test('is for the owner, and needs a public address', async () => {
    const { server, other, id } = await startWithPicture();
    for (const endpoint of [sharePicture, readPictureLinks]) {
      expect((await server.call(endpoint, { id })).status).toBe(401);
      expect(await server.call(endpoint, { id }, other)).toMatchObject({
        status: 404,
        body: { code: 'generation_not_found' },
      });
    }

    const inside = await startWithPicture({ variables: { PUBLIC_URL: 'http://nori.local' } });
    expect(await inside.server.call(sharePicture, { id: inside.id }, inside.me)).toMatchObject({
      status: 503,
      body: { code: 'service_not_set_up' },
    });
    expect(inside.api.callsTo('savePreparedInlineMessage')).toEqual([]);
  });
});

describe('telling when a picture is ready', () => {
  /** Ada's picture is being made. */
  async function startMaking(options: Options = {}) {
    const hand = createHandEngine();
    const started = await start({ engines: { pixai: hand.engine }, ...options });
    const { server, me } = started;
    const input = getPending();
    const made = server.call(generate, input, me);
    await expect.poll(hand.waiting).toBe(1);
    const notify = (who = me) => server.call(notifyOfJob, { job_key: input.job_key }, who);
    return { ...started, hand, made, input, notify };
  }

  test('sends it once, however often that was asked for', async () => {
    const { hand, made, notify, shown } = await startMaking();

    expect((await notify()).body).toEqual({ state: 'waiting' });
    expect((await notify()).body).toEqual({ state: 'waiting' });
    expect(shown()).toEqual([]);
    hand.finish();
    await made;

    await expect.poll(() => shown().map(({ media }) => media?.kind)).toEqual(['photo']);
    expect((await notify()).body).toEqual({ state: 'ended' });
    expect(shown()).toHaveLength(1);
  });

  test('says why there is none', async () => {
    const { hand, made, notify, shown } = await startMaking();
    await notify();

    hand.fail(new AppError('out_of_credit'));
    await made;

    await expect
      .poll(() => shown().map(({ text }) => text))
      .toEqual([expect.stringMatching(/^Your picture could not be made\. ./)]);
  });

  test('says nothing of one that its user has cancelled', async () => {
    const { server, input, me, made, notify, shown } = await startMaking();
    await notify();

    await server.call(cancelJob, { job_key: input.job_key }, me);
    await made;

    await expect.poll(() => server.db.selectFrom('due_jobs').select('id').execute()).toEqual([]);
    expect(shown()).toEqual([]);
  });

  test('goes on after a restart that nobody has heard the end of', async () => {
    const database = await openTestDatabase();
    const kept = {
      database: { ...database, close: () => Promise.resolve() },
      objects: createMemoryStore(),
    };
    const { server, api, hand, made, notify, shown } = await startMaking(kept);
    await notify();
    await server.stopBot();
    hand.finish();
    await made;
    expect(shown()).toEqual([]);

    const next = await createTestServer({ bot: { api }, ...kept });
    onTestFinished(next.close);
    next.wait(60_000);
    await next.services.dueJobs.runDue();

    await expect.poll(() => shown().map(({ media }) => media?.kind)).toEqual(['photo']);
  });

  test('is refused while the bot may not write, and for a picture of somebody else', async () => {
    const { server, api, other, hand, made, notify } = await startMaking();
    api.setReach(ada, 'never started');

    expect(await notify()).toMatchObject({ status: 403, body: { code: 'bot_may_not_write' } });
    expect(await notify(other)).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
    expect(await server.db.selectFrom('due_jobs').select('id').execute()).toEqual([]);
    hand.finish();
    await made;
  });
});
