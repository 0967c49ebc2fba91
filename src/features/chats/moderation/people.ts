/** How members and administrators are called. */
import { type Person } from '#contract/endpoints/chat-members';
import { useCapabilities } from '#lib/capabilities';

import { userName } from '../names.ts';
import { moderationTexts } from './texts.ts';

/** The account that Telegram names for administrators who are anonymous. */
const anonymousId = '1087968824';

export function personName(person: Person): string {
  return person.telegram_id === anonymousId ? moderationTexts.anonymous : userName(person);
}

/** Returns how who has done something is called: also the bot does something by itself. */
export function useActorName(): (person: Person) => string {
  const { botId } = useCapabilities();
  return (person) =>
    person.telegram_id === String(botId) ? moderationTexts.bot : personName(person);
}
