/** The editor of a content: nothing that is typed is lost, files are attached, and messages arrive from Telegram. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { requestContent, saveContent, uploadMedia } from '#contract/endpoints/chat-contents';
import { changeValues } from '#contract/endpoints/chat-values';
import { readCapabilities } from '#contract/endpoints/site';
import {
  addContent,
  type App,
  openSection,
  setByCommand,
  storedContents,
} from '#tests/chat-sections';
import { button, notice, updateFailed } from '#tests/open-settings';

const text = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
const openRules = async ({ user }: Pick<App, 'user'>) =>
  user.click(await button(/^Write the rules/));
const closed = () =>
  waitFor(() => expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull());
const texts = async (app: App) => (await storedContents(app)).map(({ text: one }) => one);

async function openEditor(options?: Parameters<typeof openSection>[1]): Promise<App> {
  const app = await openSection('content', options);
  await openRules(app);
  await text();
  return app;
}

describe('what is typed', () => {
  test('is still there when the server refuses it, with its sentence', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Be kind');
    const detail = 'Too many texts. Please wait a minute.';
    app.server.refuse(saveContent, { status: 429, body: { code: 'too_many_requests', detail } });

    await app.user.click(await button('Save'));

    expect(await screen.findByText(detail)).toBeVisible();
    expect(await text()).toHaveValue('Be kind');
    app.server.heal(saveContent);
    await app.user.click(await button('Save'));
    await closed();
    expect(await texts(app)).toEqual(['Be kind']);
    expect(await screen.findByText('The rules have a text')).toBeVisible();
  });

  test('is a draft when its value is refused after all', async () => {
    const app = await openEditor();
    app.server.refuse(changeValues, { status: 500 });
    await app.user.type(await text(), 'Be kind');
    await app.user.click(await button('Save'));
    expect(await notice()).toHaveTextContent(updateFailed);
    await closed();

    app.server.heal(changeValues);
    await openRules(app);

    expect(await text()).toHaveValue('Be kind');
    expect(screen.getByText(/^You had not saved this yet/)).toBeVisible();
    await app.user.click(await button('Save'));
    await closed();
    await waitFor(async () => expect(await texts(app)).toEqual(['Be kind']));
  });

  test('survives a reload, and is discarded on demand', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Be {Control>}b{/Control}kind');
    await app.user.click(await button('Add a button'));
    await app.user.keyboard('Site');

    await app.reload();
    await openRules(app);

    expect(await text()).toHaveValue('Be kind');
    expect(within(screen.getByRole('figure')).getByText('kind').tagName).toBe('STRONG');
    expect(await button('Site, row 1, place 1')).toBeVisible();
    await app.user.click(await button('Discard the draft'));
    expect(await text()).toHaveValue('');
    await app.reload();
    await openRules(app);
    expect(await text()).toHaveValue('');
    expect(screen.queryByText(/^You had not saved this yet/)).toBeNull();
  });

  test('makes closing a question', async () => {
    const app = await openEditor();
    await app.user.click(await button('Cancel'));
    await closed();
    await openRules(app);
    await app.user.type(await text(), 'Be kind');

    await app.user.click(await button('Cancel'));
    await app.user.click(await button('Go on writing'));
    expect(await text()).toHaveValue('Be kind');
    await app.user.click(await button('Cancel'));
    await app.user.click(await button('Keep the draft'));
    await closed();
    await openRules(app);
    expect(await text()).toHaveValue('Be kind');
    await app.user.click(await button('Cancel'));
    await app.user.click(await button('Discard'));
    await closed();
    await openRules(app);

    expect(await text()).toHaveValue('');
  });

  test('makes Telegram ask before it closes the app', async () => {
    const app = await openEditor({ launch: true });
    const asks = () =>
      app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_closing_behavior')?.data;
    await app.user.type(await text(), 'x');
    await waitFor(() => expect(asks()).toEqual({ need_confirmation: true }));

    await app.user.clear(await text());

    await waitFor(() => expect(asks()).toEqual({ need_confirmation: false }));
  });

  test('stays when another administrator changes the rules meanwhile', async () => {
    const app = await openEditor();
    await waitFor(() => expect(app.server.openStreams()).toBe(1));
    await app.user.type(await text(), 'Be kind');

    await setByCommand(
      app.testServer,
      { rules_content: await addContent(app.testServer, { text: 'No cats' }) },
      app.other.telegramId,
    );

    expect(await screen.findByText('Mara changed 1 setting')).toBeVisible();
    expect(await text()).toHaveValue('Be kind');
  });
});

describe('a file', () => {
  const media = { kind: 'photo', file_id: 'photo-1', bot_id: 123456 } as const;
  const input = () => screen.getByLabelText('Attach a photo, a video or a file');
  const photo = new File(['x'], 'cats.png', { type: 'image/png' });

  test('is attached with its kind, shown in the preview, and saved', async () => {
    const app = await openEditor();
    app.server.refuse(uploadMedia, { status: 200, body: { media } });

    await app.user.upload(input(), photo);

    expect(await button('Remove it')).toBeVisible();
    expect(within(screen.getByRole('figure')).getByRole('img', { name: 'Photo' })).toBeVisible();
    const [sent] = app.server.requestsTo(uploadMedia);
    expect(sent?.body).toMatchObject({ media_kind: 'photo', file_name: 'cats.png' });
    await app.user.click(await button('Save'));
    await closed();
    await waitFor(async () =>
      expect(await storedContents(app)).toEqual([{ text: '', entities: [], buttons: [], media }]),
    );
  });

  test('shows how far it is, and can be stopped', async () => {
    const app = await openEditor();
    app.server.hang(uploadMedia);
    await app.user.type(await text(), 'Be kind');

    await app.user.upload(input(), photo);

    const bar = await screen.findByRole('progressbar', { name: 'Uploading cats.png' });
    await waitFor(() => expect(bar).toHaveAttribute('value', '0.25'));
    await app.user.click(await button('Cancel the upload'));
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await text()).toHaveValue('Be kind');
  });

  test('that is refused leaves the text, and says why', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Be kind');
    const detail = 'Please press Start in the chat with the bot first.';
    app.server.refuse(uploadMedia, { status: 403, body: { code: 'bot_not_started', detail } });
    await app.user.upload(input(), photo);
    expect(await screen.findByText(detail)).toBeVisible();

    app.server.drop(uploadMedia);
    await app.user.upload(input(), photo);

    expect(await screen.findByText(/^The file could not be uploaded/)).toBeVisible();
    expect(await text()).toHaveValue('Be kind');
  });

  test('makes the text a caption, which is shorter', async () => {
    const app = await openEditor();
    app.server.refuse(uploadMedia, { status: 200, body: { media } });
    await app.user.type(await text(), 'Be kind');
    expect(await text()).toHaveAccessibleDescription('7 of 4000 characters');

    await app.user.upload(input(), photo);
    await button('Remove it');
    expect(await text()).toHaveAccessibleDescription('7 of 1024 characters');
    await app.user.click(await button('Remove it'));

    expect(await text()).toHaveAccessibleDescription('7 of 4000 characters');
  });

  test('of another bot is lost', async () => {
    const app = await openSection('content', {
      prepare: async (testServer) =>
        setByCommand(testServer, {
          rules_content: await addContent(testServer, {
            text: 'Be kind',
            media: { ...media, bot_id: 9 },
          }),
        }),
    });
    expect(
      await screen.findByText('Its file is lost, because another bot stored it.'),
    ).toBeVisible();

    await app.user.click(await button(/^Text of the rules/));

    expect(await screen.findByText(/^This bot cannot send the file/)).toBeVisible();
  });
});

describe('a message that is sent to the bot', () => {
  const link = 'https://t.me/nori_test_bot';
  const request = /^Write it in Telegram instead/;

  async function openAsking(refusal = { status: 200, body: { link } as unknown }) {
    const app = await openEditor({
      launch: true,
      onConnect: (network) => network.refuse(requestContent, refusal),
    });
    return app;
  }
  const arrive = async ({ testServer }: App) =>
    setByCommand(testServer, { rules_content: await addContent(testServer, { text: 'No dogs' }) });

  test('becomes the text, which closes the editor', async () => {
    const app = await openAsking();
    await app.user.click(await button(request));
    expect(await screen.findByText('Waiting for your message to the bot...')).toBeVisible();
    expect(app.server.requestsTo(requestContent)[0]?.body).toEqual({
      value_name: 'rules_content',
      place: 'chat',
    });
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_open_tg_link',
      data: { path_full: '/nori_test_bot' },
    });

    await arrive(app);

    expect(
      await screen.findByText('Your message has arrived and is saved.', {}, { timeout: 8000 }),
    ).toBeVisible();
    await closed();
    expect(await screen.findByText('No dogs')).toBeVisible();
  });

  test('leaves what was typed here', async () => {
    const app = await openAsking();
    await app.user.type(await text(), 'Be kind');
    await app.user.click(await button(request));
    await screen.findByText('Waiting for your message to the bot...');
    await arrive(app);

    expect(
      await screen.findByText(/What you had written here is still here/, {}, { timeout: 8000 }),
    ).toBeVisible();
    expect(await text()).toHaveValue('Be kind');
    await app.user.click(await button('Discard what I wrote'));

    await closed();
    expect(await screen.findByText('No dogs')).toBeVisible();
  });

  test('is awaited no longer on demand, and a refusal says why', async () => {
    const app = await openAsking();
    await app.user.click(await button(request));
    await app.user.click(await button('Stop waiting'));
    expect(screen.queryByText('Waiting for your message to the bot...')).toBeNull();

    const detail = 'Please press Start in the chat with the bot first.';
    app.server.refuse(requestContent, { status: 403, body: { code: 'bot_not_started', detail } });
    await app.user.click(await button(request));

    expect(await screen.findByText(detail)).toBeVisible();
  });
});

test('a server that does not say which bot it has does not call files lost', async () => {
  await openSection('content', {
    onConnect: (network) =>
      network.refuse(readCapabilities, {
        status: 200,
        body: { capabilities: ['chats.values', 'chats.contents'] },
      }),
    prepare: async (testServer) =>
      setByCommand(testServer, {
        rules_content: await addContent(testServer, {
          text: 'Be kind',
          media: { kind: 'video', file_id: 'video-1', bot_id: 9 },
        }),
      }),
  });

  expect(await screen.findByText('Be kind')).toBeVisible();
  expect(screen.queryByText('Its file is lost, because another bot stored it.')).toBeNull();
});
