/**
 * Runs the Bot API stand-in by hand, to try the product without Telegram:
 * `npm run bot-api -- --port 8082 --creator 111 --member 222`, then start the server
 * with the TELEGRAM_API_ROOT and BOT_TOKEN it prints. Messages of the bot appear here.
 */
import { parseArgs } from 'node:util';

import { startBotApi } from '../tests/support/bot-api-server.ts';

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

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void api.close());
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
