/** The door of this module: what the rest of the server may use of it. */
export { createChatAccess } from './access.ts';
export { createBotNews, type BotNews } from './bot-news.ts';
export { createChatChanges, type ChatChanges } from './changes.ts';
export { createChats, type Chats, type ManagedChat } from './chats.ts';
export { createChatEvents, type ChatEvents } from './events.ts';
export { createChatHealth, type ChatHealthService } from './health.ts';
export { createChatPicks, type ChatPicks } from './picks.ts';
export { createChatStreams, type ChatStreams } from './streams.ts';
export { chatTexts } from './texts.ts';
export { createChatUpgrades, type ChatUpgrades } from './upgrades.ts';
export { createChatVerification, type ChatVerification } from './verification.ts';
export { type RecordedChange } from '#server/db/setting-changes';
