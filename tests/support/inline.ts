/** Questions to the bot in any chat, and what is shown for them. */
import { asRecord } from './bot-api-world.ts';
import { ada, type TestBot } from './test-bot.ts';

type Asked = Partial<NonNullable<ReturnType<TestBot['api']['inline']['answerTo']>>> & {
  readonly id: string;
};

type Asking = { readonly from?: number; readonly offset?: string; readonly language?: string };

/** Types after the bot's name. Resolves with what is shown, once the bot has handled it. */
export async function typeQuery(
  { api, server }: Pick<TestBot, 'api' | 'server'>,
  query: string,
  { from = ada.id, ...more }: Asking = {},
): Promise<Asked> {
  const id = api.inline.typeQuery(from, query, more);
  await api.updates.confirmed();
  await server.handled();
  return { id, ...api.inline.answerTo(id) };
}

/** The texts that would be sent. */
export const listTexts = ({ results }: Asked): readonly unknown[] | undefined =>
  results?.map((result) => asRecord(result['input_message_content'])['message_text']);
