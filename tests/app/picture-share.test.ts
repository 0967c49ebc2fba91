/** Sending and sharing pictures from the result, the history and the viewer: in Telegram's apps and in a browser. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';

import { listGenerations } from '#contract/endpoints/generations';
import { generate, readJob } from '#contract/endpoints/images';
import {
  notifyOfJob,
  readPictureLinks,
  sendPicture,
  sharePicture,
} from '#contract/endpoints/picture-sharing';
import { readCapabilities } from '#contract/endpoints/site';
import { readRecipe } from '#contract/images/recipe-file';
import { type Network } from '#tests/app-server';
import { fillIn, finished, generateButton, openGenerator, result } from '#tests/generator';
import { card, dialog, openHistory } from '#tests/history';
import { pngChunk, tinyPng, withPngChunks } from '#tests/picture-files';
import { remembered } from '#tests/remembered';

const telegramId = 4242;
const prompt = 'A heron at dusk, number 1';
const saved = {
  id: 'gen-1',
  prompt,
  image_url: '/icon-512.png',
  model_id: '1001',
  ratio: '1:1',
  created_at: '2026-11-21T12:00:00Z',
};

const photoUrl = 'https://nori.example.org/backend/media/p/photo?expires=1&signature=s';
const storyUrl = 'https://nori.example.org/backend/media/p/story?expires=1&signature=s';

const every = ['pictures.send', 'pictures.share', 'generations.jobs'];

/** A server with a bot and a public address, which does all it is asked for. */
function offer(network: Network, capabilities: readonly string[] = every): void {
  const body = { capabilities, bot_username: 'nori_test_bot' };
  network.refuse(readCapabilities, { status: 200, body });
  network.refuse(listGenerations, { status: 200, body: { generations: [saved] } });
  network.refuse(sendPicture, { status: 200, body: { state: 'sent' } });
  network.refuse(sharePicture, {
    status: 200,
    body: { prepared_message_id: 'prepared-1', expires_at: '2030-01-01T00:00:00Z' },
  });
  network.refuse(readPictureLinks, {
    status: 200,
    body: { photo_url: photoUrl, story_url: storyUrl },
  });
}

const barred = {
  status: 403,
  body: { code: 'bot_may_not_write', detail: 'The bot may not write to you yet.' },
} as const;

type Launch = { readonly version?: string; readonly kind?: 'ios' | 'android' };

async function inTelegram(launch: Launch = {}, capabilities: readonly string[] = every) {
  const app = await openHistory([], {
    as: telegramId,
    launch: { telegramId, ...launch },
    onConnect: (network) => offer(network, capabilities),
  });
  const sent = (name: string) =>
    app.bridge?.sent.filter((event) => event.name === name).map(({ data }) => data) ?? [];
  return { ...app, sent };
}

type App = Awaited<ReturnType<typeof inTelegram>>;

const sendButton = () => result().findByRole('button', { name: 'Send to my chat' });

async function openMenu({ user }: Pick<App, 'user'>) {
  await user.click(await result().findByRole('button', { name: 'Share' }));
  return within(await screen.findByRole('menu', { name: 'Share' }));
}

async function choose(app: Pick<App, 'user'>, item: string): Promise<void> {
  await app.user.click((await openMenu(app)).getByRole('menuitem', { name: item }));
}

const getTexts = (menu: ReturnType<typeof within>) =>
  menu.getAllByRole('menuitem').map((item: HTMLElement) => item.textContent);

test('in Telegram the bot sends the picture to the chat of its user, or its file', async () => {
  const app = await inTelegram();

  await app.user.click(await sendButton());
  await screen.findByText('Sent. Look in your chat with the bot.');
  await choose(app, 'Send to my chat as a file');

  await waitFor(() => expect(app.server.requestsTo(sendPicture)).toHaveLength(2));
  const [photo, file] = app.server.requestsTo(sendPicture).map(({ body }) => body);
  expect(photo).toMatchObject({ as: 'photo', picture: 0 });
  expect(file).toMatchObject({ as: 'file', picture: 0 });
  expect(photo).not.toMatchObject({ request_key: Reflect.get(Object(file), 'request_key') });
});

test('who keeps recipes out of files is sent one without it', async () => {
  localStorage.setItem('nori_keeps_recipe', 'false');
  const app = await inTelegram();

  await choose(app, 'Send to my chat as a file');

  await screen.findByText('Sent. Look in your chat with the bot.');
  expect(app.server.requestsTo(sendPicture)[0]?.body).toMatchObject({
    as: 'file',
    without_recipe: true,
  });
});

test.each([
  ['with its recipe', undefined, '4711'],
  ['without it, for who keeps recipes out of files', 'false', undefined],
])('another app gets the file %s', async (_what, setting, seed) => {
  const shared: File[] = [];
  const share = async ({ files = [] }: ShareData) => void shared.push(...files);
  for (const [name, value] of Object.entries({ canShare: () => true, share })) {
    Object.defineProperty(navigator, name, { configurable: true, value });
    onTestFinished(() => void Reflect.deleteProperty(navigator, name));
  }
  if (setting !== undefined) {
    localStorage.setItem('nori_keeps_recipe', setting);
  }
  const app = await openHistory([remembered(1, { imageUrl: undefined })]);
  const text = 'a fox\nSteps: 20, Sampler: Euler a, Seed: 4711';
  const file = withPngChunks(tinyPng, pngChunk('tEXt', `parameters\0${text}`));
  const { saveFile } = await import('#lib/device-files');
  await saveFile('picture-1/original', new Blob([new Uint8Array(file)], { type: 'image/png' }));

  await app.user.click(await result().findByRole('button', { name: 'Share to another app' }));

  await waitFor(() => expect(shared).toHaveLength(1));
  const found = readRecipe(new Uint8Array((await shared[0]?.arrayBuffer()) ?? []));
  expect(found?.seed).toBe(seed);
});

test('what takes long is said to come later', async () => {
  const app = await inTelegram();
  app.server.refuse(sendPicture, { status: 200, body: { state: 'pending' } });

  await app.user.click(await sendButton());

  expect(
    await screen.findByText('Telegram does not answer. The bot will send the picture later.'),
  ).toBeVisible();
});

test('who has not let the bot write is asked, and then it is sent once', async () => {
  const app = await inTelegram();
  app.server.refuse(sendPicture, barred);
  if (app.bridge) {
    app.bridge.answers['web_app_request_write_access'] = () => {
      app.server.refuse(sendPicture, { status: 200, body: { state: 'sent' } });
      return ['write_access_requested', { status: 'allowed' }];
    };
  }

  await app.user.click(await sendButton());

  await screen.findByText('Sent. Look in your chat with the bot.');
  const keys = app.server
    .requestsTo(sendPicture)
    .map(({ body }): unknown => Reflect.get(Object(body), 'request_key'));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('who does not let the bot write reads what to do, and gets there', async () => {
  const app = await inTelegram();
  app.server.refuse(sendPicture, barred);
  if (app.bridge) {
    app.bridge.answers['web_app_request_write_access'] = () => [
      'write_access_requested',
      { status: 'cancelled' },
    ];
  }

  await app.user.click(await sendButton());
  await screen.findByText('The bot may not write to you yet.');
  await app.user.click(screen.getByRole('button', { name: 'Open the bot' }));

  expect(app.sent('web_app_open_tg_link')).toEqual([{ path_full: '/nori_test_bot?start' }]);
  expect(app.server.requestsTo(sendPicture)).toHaveLength(1);
});

test('a message that the bot has prepared is shared to a chat, and a closed list is no failure', async () => {
  const app = await inTelegram();
  await choose(app, 'Share to a chat');
  await waitFor(() =>
    expect(app.sent('web_app_send_prepared_message')).toEqual([{ id: 'prepared-1' }]),
  );

  for (const data of [{ error: 'USER_DECLINED' }, undefined]) {
    answerShare(app, data);
    await choose(app, 'Share to a chat');
  }

  await waitFor(() => expect(app.sent('web_app_send_prepared_message')).toHaveLength(3));
  expect(screen.queryByText('The picture could not be shared. Try again.')).toBeNull();
});

function answerShare({ bridge }: App, data: unknown): void {
  if (bridge) {
    bridge.answers['web_app_send_prepared_message'] = () => ['prepared_message_failed', data];
  }
}

test('an expired message is prepared once more, and not a third time', async () => {
  const app = await inTelegram();
  answerShare(app, { error: 'MESSAGE_EXPIRED' });

  await choose(app, 'Share to a chat');

  await screen.findByText('The picture could not be shared. Try again.');
  expect(app.server.requestsTo(sharePicture)).toHaveLength(2);
  expect(app.sent('web_app_send_prepared_message')).toHaveLength(2);
});

test.each(['MESSAGE_SEND_FAILED', 'UNKNOWN_ERROR'])('%s is said', async (error) => {
  const app = await inTelegram();
  answerShare(app, { error });

  await choose(app, 'Share to a chat');

  await screen.findByText('The picture could not be shared. Try again.');
  expect(app.server.requestsTo(sharePicture)).toHaveLength(1);
});

const link = { path_full: `/share/url?url=${encodeURIComponent(photoUrl)}` };

test('where Telegram says that messages cannot be shared, a link is', async () => {
  const app = await inTelegram();
  answerShare(app, { error: 'UNSUPPORTED' });

  await choose(app, 'Share to a chat');

  await waitFor(() => expect(app.sent('web_app_open_tg_link')).toEqual([link]));
});

test('a version that cannot share messages shares a link', async () => {
  const app = await inTelegram({ version: '7.10' });

  await choose(app, 'Share to a chat');

  await waitFor(() => expect(app.sent('web_app_open_tg_link')).toEqual([link]));
  expect(app.sent('web_app_send_prepared_message')).toEqual([]);
});

test('what the server refuses is said in its words', async () => {
  const app = await inTelegram();
  app.server.refuse(sharePicture, {
    status: 404,
    body: { code: 'generation_not_found', detail: 'There is no such picture in your history.' },
  });

  await choose(app, 'Share to a chat');

  expect(await screen.findByText('There is no such picture in your history.')).toBeVisible();
});

test('when preparing takes long, a new press shares: Telegram ignores what comes late after one', async () => {
  const app = await inTelegram({ kind: 'android' });
  const release = app.server.hang(sharePicture, {
    status: 200,
    body: { prepared_message_id: 'prepared-9', expires_at: '2030-01-01T00:00:00Z' },
  });
  await choose(app, 'Share to a chat');
  await waitFor(() => expect(app.server.requestsTo(sharePicture)).toHaveLength(1));
  const readClock = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => readClock() + 9000);
  onTestFinished(() => clock.mockRestore());
  release();
  await screen.findByText('The picture can be shared now.');
  expect(app.sent('web_app_send_prepared_message')).toEqual([]);

  const inResult = result().getByRole('button', { name: 'Share' });
  const again = screen.getAllByRole('button', { name: 'Share' }).find((one) => one !== inResult);
  await app.user.click(again ?? document.body);

  await waitFor(() =>
    expect(app.sent('web_app_send_prepared_message')).toEqual([{ id: 'prepared-9' }]),
  );
});

test('a picture is posted as a story', async () => {
  const app = await inTelegram();

  await choose(app, 'Post as a story');

  await waitFor(() =>
    expect(app.sent('web_app_share_to_story')).toEqual([{ media_url: storyUrl }]),
  );
});

test('a version without stories offers none', async () => {
  const app = await inTelegram({ version: '7.7' });

  expect(getTexts(await openMenu(app))).toEqual(['Send to my chat as a file', 'Share to a chat']);
});

test('without a public address pictures are only sent', async () => {
  const app = await inTelegram({}, ['pictures.send']);

  expect(getTexts(await openMenu(app))).toEqual(['Send to my chat as a file']);
});

test('without a bot nothing is offered in Telegram', async () => {
  await inTelegram({}, []);

  await result().findByRole('button', { name: `Enlarge: ${prompt}` });
  expect(result().queryByRole('button', { name: 'Send to my chat' })).toBeNull();
  expect(result().queryByRole('button', { name: 'Share' })).toBeNull();
});

test('the viewer shares the picture that it shows, and a press beside the menu closes the menu alone', async () => {
  const app = await inTelegram();
  await app.user.click(await (await card(prompt)).findByRole('button', { name: /^Enlarge/ }));
  const viewer = await dialog('Image viewer');
  await app.user.click(await viewer.findByRole('button', { name: 'Share' }));
  const menu = viewer.getByRole('menu', { name: 'Share' });
  expect(getTexts(within(menu))[0]).toBe('Send to my chat');

  await app.user.click(menu.previousElementSibling ?? document.body);
  expect(viewer.queryByRole('menu')).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Image viewer' })).toBeVisible();
});

test('in a browser the link is copied, and a member has the bot send the picture', async () => {
  const app = await openHistory([], { as: telegramId, onConnect: offer });

  await app.user.click(await result().findByRole('button', { name: 'Copy link' }));
  await screen.findByText('Link copied. It works for at least a day.');
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/icon-512.png`);
  await choose(app, 'Send to my chat');

  await screen.findByText('Sent. Look in your chat with the bot.');
});

test('while a picture is made, the bot is asked to tell when it is ready, also after a reload', async () => {
  const app = await openGenerator({ as: telegramId, onConnect: offer });
  app.server.refuse(notifyOfJob, { status: 200, body: { state: 'waiting' } });
  app.server.refuse(readJob, { status: 200, body: { state: 'running' } });
  const release = app.server.hang(generate);
  await fillIn(app);
  await app.user.click(generateButton());

  await app.user.click(await result().findByRole('button', { name: 'Tell me when it is ready' }));
  await result().findByText('The bot will tell you when it is ready.');
  await app.reload();

  await screen.findByText('The bot will tell you when it is ready.');
  expect(app.server.requestsTo(notifyOfJob)).toHaveLength(1);
  app.server.heal(readJob);
  release();
  await finished('a red fox');
  expect(result().queryByText('The bot will tell you when it is ready.')).toBeNull();
});

test('who may not be told reads why, and can ask again', async () => {
  const app = await openGenerator({ as: telegramId, onConnect: offer });
  app.server.refuse(notifyOfJob, barred);
  const release = app.server.hang(generate);
  await fillIn(app);
  await app.user.click(generateButton());

  await app.user.click(await result().findByRole('button', { name: 'Tell me when it is ready' }));

  await screen.findByText('The bot may not write to you yet.');
  expect(result().getByRole('button', { name: 'Tell me when it is ready' })).toBeEnabled();
  release();
  await finished('a red fox');
});
