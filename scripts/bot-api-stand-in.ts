/**
 * Runs the Bot API stand-in by hand, to try the product without Telegram:
 * `npm run bot-api -- --port 8082 --creator 111 --member 222`, then start the server
 * with the TELEGRAM_API_ROOT and BOT_TOKEN it prints, and BOT_MODE=polling. Messages of the bot
 * are printed. A typed line is a message in Telegram: `111: /start` in private,
 * `222 in group: Hello` in the chat, `222 in 5: Hello` in its topic 5, `111 adds` the bot to the chat,
 * `222 presses 3 Undo` a button under message 3 of the bot, and an ephemeral message is number 0.
 * `111 (ru): /start` is written by a user whose Telegram is in Russian, and so is `111 (ru) adds`.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { type SentMessage, startBotApi } from '../tests/support/bot-api-server.ts';
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

/** Calls that change something which no message shows. */
const shownCalls = /^(?:ban|unban|restrict|promote|pin|unpin|edit|answer)|ForumTopic$|Tag$|Title$/;

const usage =
  'Type “111: /start”, “222 in group: Hello”, “222 in 5: Hello”, “111 adds” or “222 presses 3 Undo”.';

const api = await startBotApi({
  port: Number(values.port),
  onMessage: (message) =>
    say(`→ ${message.to}, message ${message.messageId}: ${describe(message)}`),
  onCall: ({ method, body }) => {
    if (method === 'deleteMessage' || method === 'deleteMessages') {
      say(`✗ ${String(body['chat_id'])}: ${String(body['message_id'] ?? body['message_ids'])}`);
    } else if (shownCalls.test(method)) {
      say(`⚒ ${method} ${JSON.stringify(body)}`);
    }
  },
});
const chat = api.addChat({
  id: Number(values.chat),
  title: values.title,
  creator: Number(values.creator),
  members: values.member.map(Number),
});

say(`TELEGRAM_API_ROOT=${api.apiRoot}`);
say(`BOT_TOKEN=${api.token}`);
say(`Chat ${values.chat} belongs to ${values.creator}.`);

say(usage);

const typed = createInterface({ input: process.stdin });
// The bot counts its messages from 1.
let lastId = 1_000_000;
typed.on('line', (line) => {
  const language_code = /^\s*\d+ \(([\w-]+)\)/.exec(line)?.[1];
  const plain = line.replace(/^(\s*\d+) \([\w-]+\)/, '$1');
  const adder = /^\s*(\d+) adds\s*$/.exec(plain)?.[1];
  const pressing = /^\s*(\d+) presses (\d+) (.+)$/.exec(plain);
  const writing = /^\s*(\d+)(?: in (group|\d+))?:\s*(.+)$/.exec(plain);
  if (adder !== undefined) {
    api.updates.push({ my_chat_member: arrival(Number(adder), language_code) });
  } else if (pressing !== null) {
    press(Number(pressing[1]), Number(pressing[2]), pressing[3] ?? '');
  } else if (writing !== null) {
    write(writing, language_code);
  } else {
    say(`Unknown command. ${usage}`);
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    typed.close();
    void api.close();
  });
}

function write(
  [, from = '', place, text = '']: RegExpExecArray,
  language_code: string | undefined,
): void {
  lastId += 1;
  const chatId = Number(place === undefined ? from : values.chat);
  const topicId = place === undefined || place === 'group' ? undefined : Number(place);
  chat.isForum ||= topicId !== undefined;
  const message = writtenMessage({
    text,
    chatId,
    from: Number(from),
    topicId,
    messageId: lastId,
    title: values.title,
  });
  api.updates.push({ message: { ...message, from: { ...message.from, language_code } } });
  say(`message ${lastId}`);
}

/** The text of a message of the bot with the labels of its buttons, and who alone sees it. */
function describe(message: SentMessage): string {
  const labels = api.show(message)?.buttons.flat() ?? [];
  const reader = message.ephemeral === undefined ? '' : ` (for ${message.ephemeral.to} alone)`;
  return `${message.text}${labels.map((label) => ` [${label}]`).join('')}${reader}`;
}

/** The newest message with this number is meant. */
function press(from: number, messageId: number, label: string): void {
  const message = api.messages.findLast((one) => one.messageId === messageId);
  try {
    if (message === undefined) {
      throw new Error(`The bot has sent no message ${messageId}`);
    }
    api.presses.press(message, from, label);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

/** The bot joins the chat as an administrator with the rights that it asks for. */
function arrival(from: number, language_code: string | undefined) {
  const user = { ...api.bot, is_bot: true, first_name: 'Nori' };
  return {
    chat: { id: Number(values.chat), type: 'supergroup', title: values.title },
    from: { id: from, is_bot: false, first_name: `Person ${from}`, language_code },
    date: 0,
    old_chat_member: { status: 'left', user },
    new_chat_member: {
      status: 'administrator',
      user,
      can_delete_messages: true,
      can_restrict_members: true,
      can_invite_users: true,
      can_pin_messages: true,
      can_manage_topics: true,
      can_manage_tags: true,
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
