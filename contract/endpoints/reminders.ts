/** The reminders that the user has asked the bot for. They are made in chats. */
import * as v from 'valibot';

import { endpoint, noAnswer, noInput } from './endpoint.ts';

/** The capability of a server whose bot hears `/remind`. */
export const reminders = 'account.reminders';

/** The next first. */
export const listReminders = endpoint({
  method: 'GET',
  path: '/reminders',
  input: noInput,
  output: v.object({
    reminders: v.array(
      v.object({
        id: v.string(),
        /** Where the user is reminded: a group, or the private chat with the bot. */
        chat_id: v.string(),
        /** Empty for a reminder of a message. */
        text: v.string(),
        /** ISO 8601 UTC. */
        due_at: v.string(),
      }),
    ),
  }),
});

/** Does nothing for a reminder that the user does not have. */
export const removeReminder = endpoint({
  method: 'DELETE',
  path: '/reminders/:id',
  input: v.object({ id: v.pipe(v.string(), v.maxLength(64)) }),
  output: noAnswer,
  status: 204,
});
