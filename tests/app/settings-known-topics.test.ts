/** Adding a topic that the bot has seen, without its number. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { addTopic } from '#contract/endpoints/chats';
import { button, cats, openSettings } from '#tests/open-settings';

describe('adding a topic that the bot has seen', () => {
  /** The chat has General and topic 4; topics with names are those that the bot has seen. */
  async function openWithNames(names: Readonly<Record<number, string>>) {
    const app = await openSettings({ topics: [0, 4] });
    await app.testServer.db
      .insertInto('topic_names')
      .values(
        Object.entries(names).map(([topicId, name]) => ({
          chat_id: cats,
          topic_id: Number(topicId),
          name,
          updated_at: 0,
        })),
      )
      .execute();
    await app.reload();
    await app.user.click(await button('Add topic'));
    return { ...app, dialog: within(await screen.findByRole('dialog', { name: 'Add a topic' })) };
  }

  test('takes one press, and leads to it', async () => {
    const { dialog, user } = await openWithNames({ 4: 'News', 9: 'Rules', 12: 'צ׳אט' });

    expect(within(dialog.getByRole('list')).getAllByRole('button')).toHaveLength(2);
    await user.click(dialog.getByRole('button', { name: 'Add Rules, Topic 9' }));

    expect(await screen.findByRole('switch', { name: 'photo, Rules' })).not.toBeChecked();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.search).toBe(`?chat=${cats}&topic=9`);
  });

  test('works by the keyboard, and is not offered again', async () => {
    const { dialog, user } = await openWithNames({ 9: 'Rules', 12: 'Off topic' });

    dialog.getByRole('button', { name: 'Add Rules, Topic 9' }).focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('switch', { name: 'photo, Rules' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await button('Add topic'));

    expect(await button('Add Off topic, Topic 12')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add Rules, Topic 9' })).toBeNull();
  });

  test('finds one among many by its name', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [index + 10, `Room ${index + 10}`]),
    );
    const { dialog, user } = await openWithNames(many);

    expect(within(dialog.getByRole('list')).getAllByRole('button')).toHaveLength(50);
    expect(dialog.getByText('10 more: type a part of the name to find them.')).toBeVisible();
    await user.type(dialog.getByRole('searchbox'), 'room 69');
    expect(dialog.getByRole('button', { name: 'Add Room 69, Topic 69' })).toBeVisible();
    expect(within(dialog.getByRole('list')).getAllByRole('button')).toHaveLength(1);

    await user.type(dialog.getByRole('searchbox'), '!');
    expect(dialog.getByText('No topic is called that. Its number works, too.')).toBeVisible();
  });

  test('that the server refuses shows the reason, and the number can be typed', async () => {
    const { dialog, user, server } = await openWithNames({ 9: 'Rules' });
    server.refuse(addTopic, { status: 422, body: { detail: 'There are too many topics.' } });

    await user.click(dialog.getByRole('button', { name: 'Add Rules, Topic 9' }));

    expect(await dialog.findByRole('alert')).toHaveTextContent('There are too many topics.');
    expect(dialog.getByLabelText('Topic number')).toBeEnabled();
    expect(dialog.getByRole('button', { name: 'Add Rules, Topic 9' })).toBeEnabled();
  });

  test('is not offered when none is known', async () => {
    const { dialog } = await openWithNames({ 4: 'News' });

    expect(dialog.queryByRole('list')).toBeNull();
    expect(dialog.getByLabelText('Topic number')).toHaveFocus();
  });
});
