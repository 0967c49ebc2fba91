/**
 * Runs the Bot API stand-in by hand, to try the product without Telegram:
 * `npm run bot-api -- --port 8082 --creator 111 --member 222`, then start the server
 * with the TELEGRAM_API_ROOT and BOT_TOKEN it prints, and BOT_MODE=polling. Messages of the bot
 * are printed. A typed line is a message in Telegram: `111: /start` in private,
 * `222 in group: Hello` in the chat, `222 in 5: Hello` in its topic 5, `111 adds` the bot to the chat.
 * `111 (ru): /start` is written by a user whose Telegram is in Russian, and so is `111 (ru) adds`.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { startBotApi } from '../tests/support/bot-api-server.ts';
import { writtenMessage } from '../tests/support/bot-api-world.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8082' },
    chat: { type: 'string', default: '-1001234567890' },
    title: { type: 'string', default: 'Stand-in chat' },
    creator: { type: 'string', default: '111' },
    member: { type: 'string', multiple: true, default: [] },
  },
});

const api = await startBotApi({
  port: Number(values.port),
  onMessage: ({ to, text }) => say(`→ ${to}: ${text}`),
  onCall: ({ method, body }) => {
    if (method === 'deleteMessage' || method === 'deleteMessages') {
      say(`✗ ${String(body['chat_id'])}: ${String(body['message_id'] ?? body['message_ids'])}`);
    }
  },
});
api.addChat({
  id: Number(values.chat),
  title: values.title,
  creator: Number(values.creator),
  members: values.member.map(Number),
});

say(`TELEGRAM_API_ROOT=${api.apiRoot}`);
say(`BOT_TOKEN=${api.token}`);
say(`Chat ${values.chat} belongs to ${values.creator}.`);

say('Type “111: /start”, “222 in group: Hello”, “222 in 5: Hello” or “111 adds”.');

const typed = createInterface({ input: process.stdin });
// The bot counts its messages from 1.
let messageId = 1_000_000;
typed.on('line', (line) => {
  const language_code = /^\s*\d+ \(([\w-]+)\)/.exec(line)?.[1];
  const plain = line.replace(/^(\s*\d+) \([\w-]+\)/, '$1');
  const [, from = '', place, text = ''] =
    /^\s*(\d+)(?: in (group|\d+))?:\s*(.+)$/.exec(plain) ?? [];
  const adder = /^\s*(\d+) adds\s*$/.exec(plain)?.[1];
  if (adder !== undefined) {
    api.updates.push({ my_chat_member: arrival(Number(adder), language_code) });
  } else if (from === '') {
    say(
      'Unknown command. Type “111: /start”, “222 in group: Hello”, “222 in 5: Hello” or “111 adds”.',
    );
  } else {
    messageId += 1;
    const chatId = Number(place === undefined ? from : values.chat);
    const topicId = place === undefined || place === 'group' ? undefined : Number(place);
    const { title } = values;
    const message = writtenMessage({ text, chatId, from: Number(from), topicId, messageId, title });
    api.updates.push({ message: { ...message, from: { ...message.from, language_code } } });
    say(`message ${messageId}`);
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    typed.close();
    void api.close();
  });
}

/** The bot joins the chat as an administrator with the right to delete. */
function arrival(from: number, language_code: string | undefined) {
  const user = { ...api.bot, is_bot: true, first_name: 'Nori' };
  return {
    chat: { id: Number(values.chat), type: 'supergroup', title: values.title },
    from: { id: from, is_bot: false, first_name: `Person ${from}`, language_code },
    date: 0,
    old_chat_member: { status: 'left', user },
    new_chat_member: { status: 'administrator', user, can_delete_messages: true },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
