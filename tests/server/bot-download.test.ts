/** /download: which files of which links get into a chat, and how; and each way in which that fails. */
import { describe, expect, test } from 'vitest';

import { ann, bo, dan, startGroup } from '#tests/command-group';
import { startWithMedia } from '#tests/media-servers';
import { timeoutFor } from '#tests/stand-in';

const link = 'https://www.tiktok.com/@otters/video/7';
const linked = (text: string) => ({
  fields: {
    text,
    entities: [
      { type: 'bot_command', offset: 0, length: text.indexOf(' ') },
      { type: 'url', offset: text.indexOf(' ') + 1, length: text.length - text.indexOf(' ') - 1 },
    ],
  },
});
type Group = Awaited<ReturnType<typeof startGroup>>;
const asks = (group: Group, text = `/download ${link}`, from = ann) =>
  group.says(from, text, linked(text));

const bytes = Buffer.from('a film');
const film = { headers: { 'Content-Type': 'video/mp4' }, body: bytes };
const video = (url: string) => ({ type: 'video', stream_url: url }) as const;
const image = (url: string) => ({ type: 'image', stream_url: url }) as const;

test('without a server that finds files there is no such command', async () => {
  const group = await startGroup();
  await asks(group);
  expect(group.api.messages).toEqual([]);
});

describe('a link', () => {
  test('is asked for at the endpoint of its network, and the file goes by its address', async () => {
    const { group, upstream, found, at } = await startWithMedia();
    Object.assign(found, { title: 'Otters 🦦', media: [video(at('/film'))] });
    group.api.media.addAddress(at('/film'), 'video');
    const id = await asks(group);
    expect(upstream.calls.map(({ path }) => path)).toEqual([
      `/tk?${new URLSearchParams({ url: link })}`,
    ]);
    expect(group.api.messages).toHaveLength(1);
    expect(group.api.messages[0]).toMatchObject({
      text: `Otters 🦦\n${link}`,
      body: { video: at('/film'), reply_parameters: { message_id: id } },
    });
    expect(group.api.messages[0]?.ephemeral).toBeUndefined();
  });

  test.each([
    ['/x', 'x.com/a/status/1', '/x'],
    ['/dl', 'https://www.instagram.com/p/A/', '/insta'],
    ['/pinterest', 'https://pin.it/a', '/pin'],
    ['/fb', 'https://fb.watch/a', '/fb'],
    ['/download', 'https://www.threads.net/@a/post/B', '/threads'],
    ['/douyin', 'https://www.douyin.com/video/7', '/douyin'],
  ])('%s %s is one of its network, whatever the command is called', async (name, typed, path) => {
    const { group, upstream, found, at } = await startWithMedia();
    found.media = [image(at('/a'))];
    group.api.media.addAddress(at('/a'), 'photo');
    await asks(group, `${name} ${typed}`);
    expect(upstream.calls[0]?.path.split('?')[0]).toBe(path);
    expect(group.api.messages[0]?.body).toMatchObject({ photo: at('/a') });
  });

  test('may be in the message that is replied to, or behind its words', async () => {
    const { group, found, at } = await startWithMedia();
    found.media = [video(at('/film'))];
    group.api.media.addAddress(at('/film'), 'video');
    const replied = group.toMessage(bo, {
      text: 'Look here',
      entities: [{ type: 'text_link', offset: 5, length: 4, url: link }],
    });
    await group.says(ann, '/download', { fields: { reply_to_message: replied } });
    expect(group.api.messages[0]).toMatchObject({ text: link, body: { video: at('/film') } });
  });

  test('is missing, or leads elsewhere: what is known is named, and no one is asked', async () => {
    const { group, upstream } = await startWithMedia();
    const known = 'Douyin, TikTok, Facebook, Instagram, X, Pinterest, Threads';
    await group.says(ann, '/download');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: `/download and a link, or as a reply to a message with one. I know these: ${known}.`,
      ephemeral: { to: ann },
    });
    await asks(group, '/download https://tiktok.com.example.org/video/7');
    expect(group.lastText()).toBe(`I know links to these only: ${known}.`);
    expect(upstream.calls).toEqual([]);
  });
});

describe('files', () => {
  test('come as one album of ten at most, and it is said how many are missing', async () => {
    const { group, found, at } = await startWithMedia();
    found.media = Array.from({ length: 12 }, (_, count) =>
      count === 3 ? video(at(`/${count}`)) : image(at(`/${count}`)),
    );
    found.media.forEach(({ type, stream_url }) =>
      group.api.media.addAddress(stream_url, type === 'video' ? 'video' : 'photo'),
    );
    await asks(group);
    expect(group.api.calls.filter(({ method }) => method === 'sendMediaGroup')).toHaveLength(1);
    expect(group.api.messages).toHaveLength(10);
    expect(group.api.messages.map(({ text }) => text)).toEqual([
      `2 more files are on the page itself.\n${link}`,
      ...Array.from({ length: 9 }, () => ''),
    ]);
    expect(group.api.messages[3]?.body).toMatchObject({ video: at('/3') });
  });

  test('that are music go along with pictures only on the page; alone they are sent', async () => {
    const { group, found, at } = await startWithMedia();
    const music = { type: 'audio', stream_url: at('/song') } as const;
    group.api.media.addAddress(at('/a'), 'photo');
    group.api.media.addAddress(at('/song'), 'audio');
    found.media = [image(at('/a')), music];
    await asks(group);
    expect(group.lastText()).toBe(`1 more file is on the page itself.\n${link}`);
    found.media = [music];
    await asks(group);
    expect(group.api.messages.at(-1)?.body).toMatchObject({ audio: at('/song') });
  });

  test('that Telegram cannot get are uploaded', async () => {
    const { group, found, at } = await startWithMedia({ files: { '/film': film } });
    found.media = [video(at('/film'))];
    await asks(group);
    expect(group.api.messages).toHaveLength(1);
    expect(group.api.messages[0]).toMatchObject({
      text: link,
      body: { video: { name: 'video.mp4', bytes } },
    });
  });

  test('that are too large for Telegram by address are uploaded, up to fifty megabytes', async () => {
    const large = { ...film, body: Buffer.alloc(21 * 1024 * 1024, 1) };
    const { group, found, at } = await startWithMedia({
      files: { '/large': large, '/huge': { ...film, body: Buffer.alloc(50_000_001) } },
    });
    group.api.media.addAddress(at('/large'), 'video', large.body.length);
    found.media = [video(at('/large'))];
    await asks(group);
    expect(group.api.messages[0]?.body['video']).toMatchObject({ name: 'video.mp4' });

    found.media = [video(at('/huge'))];
    await asks(group);
    expect(group.lastText()).toBe(
      `Telegram cannot get these files. You can open them here:\n${at('/huge')}`,
    );
  });

  test('of an album are uploaded as far as there is room, and the rest are links', async () => {
    const { group, found, at } = await startWithMedia({
      files: {
        '/a': { headers: { 'Content-Type': 'image/png' }, body: Buffer.from('png') },
        '/b': { headers: { 'Content-Type': 'image/jpeg' }, body: Buffer.alloc(10_000_001) },
        '/c': film,
      },
    });
    found.media = [image(at('/a')), image(at('/b')), video(at('/c'))];
    await asks(group);
    expect(group.api.messages).toHaveLength(3);
    expect(group.api.messages[0]?.body).toMatchObject({ photo: { name: 'photo.png' } });
    expect(group.api.messages[1]?.body).toMatchObject({ video: { name: 'video.mp4' } });
    expect(group.lastText()).toContain(at('/b'));
  });

  test('of the server itself are uploaded, as Telegram may not reach it', async () => {
    const { group, found, upstream } = await startWithMedia({ files: { '/files/1.mp4': film } });
    found.media = [video('/files/1.mp4')];
    await asks(group);
    expect(group.api.messages[0]?.body).toMatchObject({ video: { bytes } });
    expect(upstream.callsTo('GET /files/1.mp4')).toHaveLength(1);
  });

  test('that are pages are links', async () => {
    const page = { headers: { 'Content-Type': 'text/html' }, body: '<h1>Log in</h1>' };
    const { group, found, at } = await startWithMedia({ files: { '/page': page } });
    found.media = [video(at('/page'))];
    await asks(group);
    expect(group.lastText()).toContain(at('/page'));
  });
});

describe('a private network', () => {
  const refused = 'Pictures from this address cannot be downloaded here.';

  test('is reached neither by Telegram nor by the server', async () => {
    const { group, found, host, at } = await startWithMedia({ files: { '/film': film } });
    found.media = [video(at('/film', 'router.intern'))];
    group.api.media.addAddress(at('/film', 'router.intern'), 'video');
    await asks(group);
    expect(group.lastText()).toBe(refused);
    found.media = [video(`http://10.0.0.1/film`)];
    await asks(group);
    expect(group.lastText()).toBe(refused);
    expect(host.calls).toEqual([]);
    expect(group.api.calls.some(({ method }) => method === 'sendVideo')).toBe(false);
  });

  test('is not named, also where Telegram takes none of the files', async () => {
    const { group, found, at } = await startWithMedia({ files: { '/film': film } });
    found.media = [video(at('/film')), video(at('/film', 'router.intern'))];
    const description = 'Bad Request: IMAGE_PROCESS_FAILED';
    group.api.fail('sendVideo', { error_code: 400, description });
    await asks(group);
    expect(group.lastText()).toContain(at('/film'));
    expect(group.lastText()).not.toContain('router.intern');
  });

  test('is not reached by a redirect, and other redirects are followed', async () => {
    const to = (address: string) => ({ status: 302, headers: { Location: address } });
    const files: Record<string, object> = { '/film': film, '/relative': to('/film') };
    const { group, found, upstream, at } = await startWithMedia({ files });
    files['/inside'] = to(at('/film', 'router.intern'));
    files['/back'] = to(`${upstream.url}/admin`);
    files['/loop'] = to('/loop');
    found.media = [video(at('/relative'))];
    await asks(group);
    expect(group.api.messages.at(-1)?.body).toMatchObject({ video: { bytes } });
    found.media = [video(at('/inside'))];
    await asks(group);
    expect(group.lastText()).toBe(refused);
    found.media = [video(at('/loop'))];
    await asks(group);
    expect(group.lastText()).toContain(at('/loop'));
    expect(upstream.callsTo('GET /admin')).toEqual([]);
  });
});

describe('a server that', () => {
  test.each([
    ['finds nothing', { body: { url: link, media: [] } }, 'Nothing was found.'],
    ['knows no such page', { status: 404, body: {} }, 'Nothing was found.'],
    ['is down', { status: 503 }, /does not answer right now/],
    ['breaks off', 'reset', /does not answer right now/],
    ['sends a page', 'page', /an answer that cannot be used/],
    ['is asked too often', { status: 429, headers: { 'Retry-After': '30' } }, /in 30 seconds/],
    [
      'has examples only',
      { body: { url: link, media: [video('https://a.example/1')], is_demo: true } },
      /is not connected/,
    ],
    ['never answers', 'hang', /took too long/],
  ] as const)('%s', async (_name, failure, said) => {
    const options = { serviceTimeoutMs: timeoutFor(failure) };
    const { group, upstream } = await startWithMedia({ options });
    upstream.fail('GET /tk*', failure);
    await asks(group);
    expect(group.api.messages).toHaveLength(1);
    expect(group.lastText()).toMatch(said);
  });

  test('has a file that never comes is answered by a link', async () => {
    const options = { serviceTimeoutMs: timeoutFor('hang') };
    const { group, found, host, at } = await startWithMedia({ options });
    host.fail('GET /film', 'hang');
    found.media = [video(at('/film'))];
    await asks(group);
    expect(group.lastText()).toContain(at('/film'));
  });
});

test('where the bot may send no videos, it says so', async () => {
  const { group, found, at } = await startWithMedia();
  found.media = [video(at('/film'))];
  group.api.fail('sendVideo', {
    error_code: 400,
    description: 'Bad Request: not enough rights to send videos to the chat',
  });
  await asks(group);
  expect(group.lastText()).toBe('Telegram does not allow this here.');
});

test('a person downloads ten times an hour, and failures do not count', async () => {
  const { group, found, upstream, at } = await startWithMedia();
  found.media = [video(at('/film'))];
  group.api.media.addAddress(at('/film'), 'video');
  upstream.fail('GET /tk*', { status: 503 });
  const text = `/download ${link}`;
  const alone = (from: number) =>
    group.writes(text, { chatId: from, from, fields: linked(text).fields });
  for (let count = 0; count < 12; count += 1) {
    await alone(ann);
    group.server.wait(60_000);
  }
  expect(group.lastText()).toBe('You have downloaded a lot. Please try again in 49 minutes.');
  expect(upstream.calls).toHaveLength(11);
  await alone(dan);
  expect(group.api.messages.at(-1)?.body).toMatchObject({ video: at('/film') });
});
