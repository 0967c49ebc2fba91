/** The settings of a chat: display, search, adding topics, and links to topics. */
import { screen, waitFor, within } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { addTopic, readChat } from '#contract/endpoints/chats';
import {
  button,
  cats,
  notice,
  openSettings,
  toggle,
  topicHeadings,
  type App,
} from '#tests/open-settings';

const section = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) });

/** The settings with the answer of another backend. */
async function openAnswer(chat: Record<string, unknown>) {
  const app = await openSettings({ path: `/dashboard?chat=${cats}` });
  app.server.refuse(readChat, { status: 200, body: chat });
  await app.reload();
  return app;
}

describe('what is shown', () => {
  test('the chat, and a toggle for each of the 27 message types', async () => {
    await openSettings();

    expect(screen.getByRole('heading', { level: 2, name: 'Cat lovers' })).toBeVisible();
    expect(screen.getByText(`ID: ${cats}`)).toBeVisible();
    expect(screen.getByText('demo: no bot connected')).toBeVisible();
    expect(screen.getAllByRole('switch')).toHaveLength(27);
    const row = toggle('video note, General').closest('label');
    expect(row).toHaveTextContent(/^video noteAllowed$/);
    expect(toggle()).toHaveAccessibleDescription('Allowed');
  });

  test('topics by number, all open, each of which can be closed', async () => {
    const { user } = await openSettings({ topics: [10, 0, 9] });

    expect(topicHeadings()).toEqual(['General', 'Topic 9', 'Topic 10']);
    expect(screen.getAllByRole('switch')).toHaveLength(81);
    const general = await button(/^General/);
    expect(general).toHaveAttribute('aria-expanded', 'true');
    await user.click(general);

    expect(general).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByRole('switch', { name: 'photo, General' })).toBeNull();
    expect(toggle('photo, Topic 9')).toBeVisible();
    await user.click(general);
    expect(toggle()).toBeVisible();
  });

  test('unknown settings and topics', async () => {
    await openAnswer({
      chat: {
        chat_id: cats,
        chat_name: null,
        topics: { '0': { hologram_blocked: true, photo_blocked: false, odd: true }, '5': {} },
      },
    });

    expect(await screen.findByRole('switch', { name: 'hologram, General' })).toBeChecked();
    expect(screen.getByRole('heading', { level: 2, name: `Chat ${cats}` })).toBeVisible();
    expect(screen.getAllByRole('switch').map((it) => it.getAttribute('aria-label'))).toEqual([
      'photo, General',
      'hologram, General',
      'odd, General',
    ]);
    expect(section('Topic 5')).toHaveTextContent('This topic has no settings.');
  });

  test.each([undefined, null, {}])('General alone when topics are %s', async (topics) => {
    await openAnswer({ chat_id: String(cats), chat_name: 'مجموعة القطط', topics });

    const heading = await screen.findByRole('heading', { level: 2, name: 'مجموعة القطط' });
    expect(heading).toHaveAttribute('dir', 'auto');
    expect(topicHeadings()).toHaveLength(1);
    expect(screen.getAllByRole('switch')).toHaveLength(27);
  });

  test('five hundred topics open with the first few rendered', async () => {
    const topics = Object.fromEntries(
      Array.from({ length: 500 }, (_topic, id) => [id, { photo_blocked: false }]),
    );
    await openAnswer({ chat_id: cats, chat_name: 'Big', topics });
    await screen.findByRole('heading', { name: 'Big' });

    expect(topicHeadings()).toHaveLength(500);
    expect(screen.getAllByRole('switch').length).toBeLessThan(10);
  });

  test.each([
    ['a wrong shape', { status: 200, body: { chat_id: cats, topics: [1] } }, /loaded\.Try again$/],
    ['a refusal with a reason', { status: 400, body: { detail: 'Not now.' } }, /Not now\./],
  ])('an error with a way to try again, after %s', async (_case, answer, reason) => {
    const app = await openSettings();
    app.server.refuse(readChat, answer);
    await app.reload();

    const title = await screen.findByText('The settings could not be loaded.');
    expect(title.parentElement).toHaveTextContent(reason);
    app.server.heal(readChat);
    await app.user.click(await button('Try again'));

    expect(await screen.findByRole('switch', { name: 'photo, General' })).toBeVisible();
  });
});

describe('a topic that cannot be rendered', () => {
  test('shows an error in its place, the others work, and it can be tried again', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    vi.doMock('../../src/features/chats/settings/setting-row.tsx', async (original) => {
      const { SettingRow } = await original<{ SettingRow: (props: object) => ReactNode }>();
      return {
        SettingRow: (props: { readonly topicId: string }) => {
          if (isBroken && props.topicId === '9') {
            throw new Error('a bug of ours');
          }
          return createElement(SettingRow, props);
        },
      };
    });
    onTestFinished(() => vi.doUnmock('../../src/features/chats/settings/setting-row.tsx'));

    const app = await openSettings({ topics: [0, 9, 12] });

    expect(await notice()).toHaveTextContent('Topic 9 could not be shown.');
    await app.user.click(toggle('photo, Topic 12'));
    expect(toggle('photo, Topic 12')).toBeChecked();
    expect(complaint).toHaveBeenCalledTimes(1);

    isBroken = false;
    await app.user.click(await button('Try again'));
    expect(await screen.findByRole('switch', { name: 'photo, Topic 9' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('searching', () => {
  test('filters the labels in all topics', async () => {
    const { user } = await openSettings({ topics: [0, 7] });
    await user.click(await button(/^Topic 7/));

    await user.type(screen.getByRole('searchbox', { name: 'Search settings...' }), 'VIDEO N');

    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(2));
    expect(toggle('video note, General')).toBeVisible();
    expect(toggle('video note, Topic 7')).toBeVisible();
  });

  test('says when nothing is found, and can be cleared', async () => {
    const { user } = await openSettings();

    await user.type(screen.getByRole('searchbox'), 'hologram');
    expect(await screen.findByText('No settings found matching your search')).toBeVisible();
    await user.click(await button('Clear the search'));

    await waitFor(() => expect(screen.getAllByRole('switch')).toHaveLength(27));
  });
});

describe('adding a topic', () => {
  async function add({ user }: App, number: string) {
    await user.click(await button('Add topic'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a topic' }));
    await user.click(dialog.getByLabelText('Topic number'));
    await user.paste(number);
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    return dialog;
  }

  test('by its number, with everything allowed', async () => {
    const app = await openSettings();

    await add(app, ' 42 ');

    expect(await screen.findByRole('switch', { name: 'photo, Topic 42' })).not.toBeChecked();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.search).toBe(`?chat=${cats}&topic=42`);
  });

  test.each([
    ['', 'Please enter the number of the topic'],
    ['news', 'A topic ID is a number, and 0 is General'],
    ['0', 'General is already in the list'],
  ])('refuses "%s" with a reason', async (number, reason) => {
    const app = await openSettings();

    const dialog = await add(app, number);

    expect(await dialog.findByRole('alert')).toHaveTextContent(reason);
    expect(app.server.requestsTo(addTopic)).toHaveLength(0);
  });

  test.each([
    [{ detail: 'A chat can have at most 1000 topics.' }, 'A chat can have at most 1000 topics.'],
    ['<html>', 'Failed to add the topic. Please try again.'],
  ])('that the server refuses shows the reason: %o', async (body, reason) => {
    const app = await openSettings();
    app.server.refuse(addTopic, { status: 422, body });

    const dialog = await add(app, '42');

    expect(await dialog.findByRole('alert')).toHaveTextContent(reason);
    expect(dialog.getByLabelText('Topic number')).toHaveValue('42');
    expect(dialog.getByLabelText('Topic number')).toHaveFocus();
  });
});

describe('a link to a topic', () => {
  test('scrolls to its heading', async () => {
    await openSettings({ path: `/dashboard?chat=${cats}&topic=9`, topics: [0, 9, 12] });

    await waitFor(() => expect(screen.getByRole('button', { name: /^Topic 9/ })).toHaveFocus());
  });

  test('that is not in the chat yet offers to add it', async () => {
    const app = await openSettings({ path: `/dashboard?chat=${cats}&topic=9` });

    expect(await screen.findByText('Topic 9 has no settings yet.')).toBeVisible();
    await app.user.click(await button('Add Topic 9'));

    expect(await screen.findByLabelText('Topic number')).toHaveValue('9');
  });
});
