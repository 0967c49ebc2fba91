/** The way to the list of chats, as the one thing to do about a message. */
import { dashboardPaths } from '#lib/paths';
import { ButtonLink } from '#ui/button';

import { chatTexts } from '../texts.ts';

export function BackToListLink() {
  return <ButtonLink to={dashboardPaths.list}>{chatTexts.backToList}</ButtonLink>;
}
