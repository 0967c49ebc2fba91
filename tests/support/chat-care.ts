/** What tests of many changed settings look at: what the server has, and what the page shows. */
import { screen, within } from '@testing-library/react';

import { type App } from './open-settings.ts';

/** What the server has blocked in a topic, sorted. */
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
