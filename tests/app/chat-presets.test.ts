/** Presets: the preview, applying one, and undoing it. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type Preset, presets, getPresetSettings } from '#contract/chats/presets';
import { changeSettings } from '#contract/endpoints/chat-changes';
import {
  type App,
  button,
  choose,
  notice,
  openSettings,
  toggle,
  updateFailed,
  shownBlocked,
  storedIn,
} from '#tests/open-settings';

const blockedBy = (preset: Preset) =>
  Object.entries(getPresetSettings(preset, { withMore: true }))
    .filter(([, isBlocked]) => isBlocked)
    .map(([name]) => name)
    .toSorted();

async function openPresets(app: App, topic = 'General') {
  await choose(app, `Presets, ${topic}`, `Menu, ${topic}`);
  return within(await screen.findByRole('dialog', { name: `Presets for ${topic}` }));
}

type Dialog = Awaited<ReturnType<typeof openPresets>>;

const preview = (dialog: Dialog) => dialog.getByRole('region', { name: 'What will change' });

describe('choosing a preset', () => {
  test('shows what will change, and changes nothing', async () => {
    const app = await openSettings();
    await app.user.click(toggle());
    await waitFor(async () => expect(await storedIn(app)).toEqual(['photo_blocked']));
    const dialog = await openPresets(app);
    expect(dialog.getAllByRole('radio').map((it) => it.getAttribute('aria-label'))).toEqual([
      'Announcements only',
      'Text only',
      'Photos and text',
      'No links or forwards',
      'Quiet night',
    ]);
    expect(preview(dialog)).toHaveTextContent('Choose a preset to see what it changes.');
    expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();

    await app.user.click(dialog.getByRole('radio', { name: 'No links or forwards' }));

    expect(preview(dialog)).toHaveTextContent(
      '5 message types will be blocked: url, forward, via bot, external reply, invite link',
    );
    expect(preview(dialog)).toHaveTextContent('1 message type will be allowed: photo');
    expect(dialog.getByRole('radio', { name: 'No links or forwards' })).toHaveAccessibleDescription(
      'Everything but links, forwards and inline bots.',
    );
    await app.user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(app.server.requestsTo(changeSettings)).toHaveLength(0);
    expect(shownBlocked()).toEqual(['photo, General']);
    expect(await button('Menu, General')).toHaveFocus();
  });

  test('updates the preview when settings change meanwhile', async () => {
    const app = await openSettings();
    const dialog = await openPresets(app);
    await app.user.click(dialog.getByRole('radio', { name: 'No links or forwards' }));
    expect(preview(dialog)).toHaveTextContent('5 message types will be blocked');

    // A write that was in flight when the dialog opened.
    toggle('url, General').click();

    await waitFor(() =>
      expect(preview(dialog)).toHaveTextContent('4 message types will be blocked'),
    );
  });
});

describe('applying a preset', () => {
  test.each(presets)('gives the topic its settings: %s', async (preset) => {
    const app = await openSettings({ topics: [0, 9] });
    const dialog = await openPresets(app, 'Topic 9');
    const choice = dialog.getAllByRole('radio')[presets.indexOf(preset)];
    if (choice === undefined) {
      throw new Error(`${preset} is not offered`);
    }
    await app.user.click(choice);

    await app.user.click(dialog.getByRole('button', { name: 'Apply' }));

    expect(screen.queryByRole('dialog')).toBeNull();
    await app.user.click(await button(/^More, Topic 9/));
    expect(shownBlocked()).toHaveLength(blockedBy(preset).length);
    expect(
      await screen.findByText(`in Topic 9: ${blockedBy(preset).length} settings changed.`, {
        exact: false,
      }),
    ).toBeVisible();
    expect(await storedIn(app, 9)).toEqual(blockedBy(preset));
    expect(await storedIn(app)).toEqual([]);
    expect(app.server.requestsTo(changeSettings)[0]?.body).toMatchObject({
      kind: 'preset',
      preset,
    });
  });

  test('by keyboard alone, and undoing it', async () => {
    const app = await openSettings();
    (await button('Menu, General')).focus();
    await app.user.keyboard('{Enter}');
    await waitFor(() =>
      expect(screen.getByRole('menuitem', { name: 'Presets, General' })).toHaveFocus(),
    );
    await app.user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByRole('radio', { name: 'Announcements only' }).focus();
    await app.user.keyboard('{ArrowDown}');
    expect(dialog.getByRole('radio', { name: 'Text only' })).toBeChecked();
    dialog.getByRole('button', { name: 'Apply' }).focus();
    await app.user.keyboard('{Enter}');

    expect(await screen.findByText('Text only in General: 24 settings changed.')).toBeVisible();
    expect(await storedIn(app)).toEqual(blockedBy('text_only'));
    expect(await button('Menu, General')).toHaveFocus();
    await app.user.click(await button('Undo'));

    await waitFor(async () => expect(await storedIn(app)).toEqual([]));
    expect(shownBlocked()).toEqual([]);
  });

  test('that the topic follows already cannot be applied', async () => {
    const app = await openSettings();
    const first = await openPresets(app);
    await app.user.click(first.getByRole('radio', { name: 'Quiet night' }));
    await app.user.click(first.getByRole('button', { name: 'Apply' }));
    await screen.findByText(/^Quiet night in General/);

    const again = await openPresets(app);
    await app.user.click(again.getByRole('radio', { name: 'Quiet night' }));

    expect(preview(again)).toHaveTextContent('Nothing: this topic is already set like this.');
    expect(again.getByRole('button', { name: 'Apply' })).toBeDisabled();
  });

  test('that the server refuses is reverted with an error', async () => {
    const app = await openSettings();
    app.server.refuse(changeSettings, { status: 500 });
    const dialog = await openPresets(app);
    await app.user.click(dialog.getByRole('radio', { name: 'Announcements only' }));

    await app.user.click(dialog.getByRole('button', { name: 'Apply' }));

    expect(await notice()).toHaveTextContent(updateFailed);
    await waitFor(() => expect(shownBlocked()).toEqual([]));
  });

  test('in a chat to which access is lost leaves the chat', async () => {
    const app = await openSettings();
    const dialog = await openPresets(app);
    await app.user.click(dialog.getByRole('radio', { name: 'Announcements only' }));
    app.server.refuse(changeSettings, { status: 403, body: { code: 'chat_not_verified' } });

    await app.user.click(dialog.getByRole('button', { name: 'Apply' }));

    expect(await screen.findByText(/You no longer manage Cat lovers/)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Manage Your Chats' })).toBeVisible();
  });
});
