/** Reads the settings of a topic: those that the server has stored, and those that the page shows. */
import { screen, within } from '@testing-library/react';

import { type App } from './open-settings.ts';

/** The names that the server has stored as blocked in a topic, sorted. */
export async function storedIn({ testServer }: App, topicId = 0): Promise<readonly string[]> {
  const rows = await testServer.db
    .selectFrom('topic_settings')
    .select('name')
    .where('topic_id', '=', topicId)
    .where('is_blocked', '=', 1)
    .execute();
  return rows.map(({ name }) => name).toSorted();
}

/** The labels of all settings that are shown as blocked, in the page's order. */
export const shownBlocked = () =>
  screen
    .queryAllByRole('switch', { checked: true })
    .map((toggle) => toggle.getAttribute('aria-label'));

/** A group of settings in a topic. */
export const group = (name: string, topic = 'General') =>
  within(screen.getByRole('region', { name: new RegExp(`^${topic}`) })).getByRole('group', {
    name,
  });
