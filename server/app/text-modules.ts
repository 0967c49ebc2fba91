/** All text modules of the server, by the namespace of their translations. */
import * as messageTypes from '#contract/chats/message-type-texts';
import * as errors from '#contract/endpoints/error-texts';
import { type TextModules } from '#server/lib/languages';
import { accountTextModule } from '#services/accounts';
import { chatTextModule } from '#services/chats';

import * as bot from '../bot/texts.ts';

export const textModules: TextModules = {
  'contract-chats-message-type': messageTypes,
  'contract-endpoints-error': errors,
  'server-accounts': accountTextModule,
  'server-bot': bot,
  'server-chats': chatTextModule,
};
