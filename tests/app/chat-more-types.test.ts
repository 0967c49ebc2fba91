/** Message types beyond the 27 of the specification: behind "More", where the server announces them. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { moreMessageTypes, settingName, settingNames } from '#contract/chats/message-types';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { readChat, setSetting } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import {
  type App,
  button,
  cats,
  choose,
  group,
  openSettings,
  openShared,
  storedIn,
  toggle,
} from '#tests/open-settings';

const content = moreMessageTypes.content.map(settingName).toSorted();

const more = (topic = 'General') => button(new RegExp(`^More, ${topic}`));

const labels = () =>
  screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label')?.split(', ')[0]);

async function openMore(options: Parameters<typeof openSettings>[0] = {}) {
  const app = await openSettings(options);
  await app.user.click(await more());
  return app;
}

/** A backend of the specification, with an addition of its own. */
async function openForeign(capabilities: readonly string[]): Promise<App> {
  const app = await openSettings();
  app.server.refuse(readCapabilities, { status: 200, body: { capabilities } });
  app.server.refuse(readChat, {
    status: 200,
    body: { chat_id: cats, topics: { '0': { photo_blocked: false, gift_blocked: true } } },
  });
  await app.reload();
  await screen.findByRole('switch', { name: 'gift, General' });
  return app;
}

describe('behind More', () => {
  test('stand in groups after the 27, folded, each with an explanation', async () => {
    const { user } = await openSettings();
    const fold = await more();
    expect(fold).toHaveAttribute('aria-expanded', 'false');
    expect(labels()).toHaveLength(27);

    await user.click(fold);

    expect(fold).toHaveAttribute('aria-expanded', 'true');
    expect(labels().slice(27)).toEqual([
      'external reply',
      'quote',
      'email',
      'phone number',
      'gift',
      'invoice',
      'channel sender',
      'invite link',
      'new member',
      'left member',
      'pinned message',
      'title change',
      'photo change',
      'topic change',
      'list change',
      'video chat',
      'boost',
      'other service',
    ]);
    expect(within(group('Content')).getAllByRole('switch')).toHaveLength(8);
    const rows = within(group('Service')).getAllByRole('listitem');
    expect(rows.map((row) => row.querySelector('p')?.textContent.length ?? 0).every(Boolean)).toBe(
      true,
    );
    expect(screen.queryByRole('switch', { checked: true })).toBeNull();

    await user.click(fold);
    expect(labels()).toHaveLength(27);
  });

  test('can be blocked by keyboard, and the fold says how many are', async () => {
    const app = await openSettings();
    (await more()).focus();
    await app.user.keyboard('{Enter}');
    toggle('gift, General').focus();
    await app.user.keyboard(' ');

    await waitFor(async () => expect(await storedIn(app)).toEqual(['gift_blocked']));
    await app.user.click(await more());
    expect(await more()).toHaveAccessibleName(/1 blocked$/);
    await app.reload();

    await app.user.click(await button(/^More, General.*1 blocked/));
    expect(toggle('gift, General')).toBeChecked();
    await app.user.click(toggle('gift, General'));
    await waitFor(async () => expect(await storedIn(app)).toEqual([]));
    await app.reload();
    expect(await more()).not.toHaveAccessibleName(/blocked/);
  });

  test('are blocked as a group, and allowed again by Undo', async () => {
    const app = await openMore();

    await app.user.click(await button('Block all: Content, General'));

    expect(await screen.findByText('Content in General: 8 settings blocked.')).toBeVisible();
    expect(await storedIn(app)).toEqual(content);
    await app.user.click(await button('Undo'));
    await waitFor(async () => expect(await storedIn(app)).toEqual([]));
    expect(toggle('gift, General')).not.toBeChecked();
  });

  test('are found by the search without opening the fold', async () => {
    const { user } = await openSettings();
    await more();

    await user.type(screen.getByRole('searchbox'), 'member');

    await waitFor(() => expect(labels()).toEqual(['new member', 'left member']));
    expect(screen.queryByRole('button', { name: /^More/ })).toBeNull();
  });

  test('are changed by a preset only if people write them', async () => {
    const app = await openMore();
    await app.user.click(toggle('new member, General'));
    await app.user.click(toggle('quote, General'));
    await waitFor(async () =>
      expect(await storedIn(app)).toEqual(['new_member_blocked', 'quote_blocked']),
    );
    await choose(app, 'Presets, General', 'Menu, General');
    const dialog = within(await screen.findByRole('dialog'));
    await app.user.click(dialog.getByRole('radio', { name: 'No links or forwards' }));

    expect(dialog.getByRole('region')).toHaveTextContent('1 message type will be allowed: quote');
    await app.user.click(dialog.getByRole('button', { name: 'Apply' }));

    await screen.findByText(/^No links or forwards in General: 6 settings changed/);
    expect(await storedIn(app)).toEqual([
      'external_reply_blocked',
      'forward_blocked',
      'invite_link_blocked',
      'new_member_blocked',
      'url_blocked',
      'via_bot_blocked',
    ]);
  });

  test('are copied to another topic, those that are allowed as well', async () => {
    const app = await openMore({ topics: [0, 9] });
    await app.user.click(toggle('boost, General'));
    await waitFor(async () => expect(await storedIn(app)).toEqual(['boost_blocked']));
    const { token } = app;
    const change = { chat_id: cats, topic_id: 9, setting_name: 'gift_blocked', value: true };
    await app.testServer.call(setSetting, change, { token });
    await app.reload();

    await choose(app, 'Copy to..., General', 'Menu, General');
    await app.user.click(await screen.findByRole('checkbox', { name: 'Topic 9, Cat lovers' }));
    await app.user.click(await button('Preview'));
    await app.user.click(await screen.findByText('Topic 9: 2 changes'));
    expect(screen.getByText('gift: Blocked → Allowed')).toBeVisible();
    expect(screen.getByText('boost: Allowed → Blocked')).toBeVisible();
    await app.user.click(await button('Change 2 settings'));

    await screen.findByText('General copied: 2 settings changed.');
    expect(await storedIn(app, 9)).toEqual(['boost_blocked']);
  });

  test('are shown in the history, and reverted from there', async () => {
    const app = await openMore();
    await app.user.click(toggle('pinned message, General'));
    await waitFor(async () => expect(await storedIn(app)).toEqual(['pinned_message_blocked']));

    await choose(app, 'History of changes');
    await screen.findByRole('heading', { name: 'History of changes' });
    expect(await screen.findByText(/pinned message/)).toBeVisible();
    await app.user.click(await button(/^Revert/));
    const dialog = await screen.findByRole('dialog', { name: 'Revert this change?' });
    await app.user.click(within(dialog).getByRole('button', { name: 'Revert' }));

    await waitFor(async () => expect(await storedIn(app)).toEqual([]));
  });

  test('change on open pages when another owner changes them', async () => {
    const { user, other } = await openShared();
    await user.click(await more());

    await other.toggle('video_chat', true);

    await waitFor(() => expect(toggle('video chat, General')).toBeChecked());
  });
});

describe('a server that does not announce more types', () => {
  test('shows its 27, and whatever else it has under Other', async () => {
    await openForeign([]);

    expect(screen.queryByRole('button', { name: /^More/ })).toBeNull();
    expect(labels()).toEqual(['photo', 'gift']);
    expect(group('Other')).toHaveTextContent(/^Other/);
  });

  test('is sent no setting of them by a preset', async () => {
    const app = await openForeign([chatActivity]);
    app.server.refuse(changeSettings, { status: 200, body: { change: null } });
    await choose(app, 'Presets, General', 'Menu, General');
    const dialog = within(await screen.findByRole('dialog'));
    await app.user.click(dialog.getByRole('radio', { name: 'Announcements only' }));
    await app.user.click(dialog.getByRole('button', { name: 'Apply' }));

    await waitFor(() => expect(app.server.requestsTo(changeSettings)).toHaveLength(1));
    expect(app.server.requestsTo(changeSettings)[0]?.body).toMatchObject({
      topics: { '0': Object.fromEntries(settingNames.map((name) => [name, true])) },
    });
    expect(JSON.stringify(app.server.requestsTo(changeSettings)[0]?.body)).not.toContain('gift');
  });
});
