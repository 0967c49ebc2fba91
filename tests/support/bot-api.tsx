/** Telegram's Bot API as tests meet it; see bot-api-server.ts, which also runs without a test. */
export { startBotApi, type BotApi, type Failure } from './bot-api-server.ts';
