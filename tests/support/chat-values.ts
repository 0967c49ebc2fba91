/** The values of a chat as a client reads and changes them. */
import * as v from 'valibot';
import { expect } from 'vitest';

import { changeValues, readValues } from '#contract/endpoints/chat-values';

import { chatId, type SignedIn } from './chats.ts';
import { type Reply, type TestServer } from './test-server.ts';

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The calls of one user about the values of `chatId`. */
export function actingOnValues(server: TestServer, person: SignedIn) {
  const put = (values: Values, facts: object = { kind: 'values' }): Promise<Reply> =>
    server.request(`/backend/chats/${chatId}/values`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...facts, values }),
    });
  return {
    put,
    change: async (values: Values, facts?: object) => {
      const reply = await put(values, facts);
      expect(reply.status).toBe(200);
      return v.parse(changeValues.output, reply.body).change;
    },
    read: async () =>
      v.parse(readValues.output, (await server.call(readValues, { chat_id: chatId }, person)).body)
        .values,
  };
}
