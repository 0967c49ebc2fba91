/** Telegram's Bot API as tests meet it; see bot-api-server.ts, which also runs without a test. */
export {
  startBotApi,
  type BotApi,
  type Failure,
  type Reach,
  type RecordedCall,
  type SentMessage,
  type StandInChat,
} from './bot-api-server.ts';
