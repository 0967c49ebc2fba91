/** Routes of the health, deletions and events of chats, and of picking a chat. */
import { type Hono } from 'hono';

import {
  followChat,
  preparePick,
  readDeletions,
  readChatHealth,
} from '#contract/endpoints/chat-activity';
import { type AppEnv } from '#server/http/app-env';
import { on, onStream } from '#server/http/on';
import { requireUser, requireTelegramId } from '#server/http/requests';
import { type Services } from '#server/services/services';

import { chatNumber } from './chats.ts';

export function addChatActivityRoutes(
  app: Hono<AppEnv>,
  {
    chatHealth,
    chatPicks,
    chatStreams,
  }: Pick<Services, 'chatHealth' | 'chatPicks' | 'chatStreams'>,
): void {
  on(app, readChatHealth, ({ chat_id }, c) =>
    chatHealth.read(requireTelegramId(c), chatNumber(chat_id)),
  );

  on(app, readDeletions, ({ chat_id }, c) =>
    chatHealth.deletions(requireTelegramId(c), chatNumber(chat_id)),
  );

  onStream(app, followChat, ({ chat_id }, c, stream) =>
    chatStreams.open(requireUser(c), chatNumber(chat_id), stream),
  );

  on(app, preparePick, async (_input, c) => ({
    request_id: await chatPicks.prepare(requireTelegramId(c)),
  }));
}
