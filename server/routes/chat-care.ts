/** How chats fare, on the wire. */
import { type Hono } from 'hono';

import { readDeletions, readHealth } from '#contract/endpoints/chat-care';
import { type AppEnv } from '#server/lib/app-env';
import { on } from '#server/lib/on';
import { type Services } from '#server/services/services';

import { asker, chatNumber } from './chats.ts';

export function addChatCareRoutes(
  app: Hono<AppEnv>,
  { chatHealth }: Pick<Services, 'chatHealth'>,
): void {
  on(app, readHealth, ({ chat_id }, c) => chatHealth.read(asker(c), chatNumber(chat_id)));

  on(app, readDeletions, ({ chat_id }, c) => chatHealth.deletions(asker(c), chatNumber(chat_id)));
}
