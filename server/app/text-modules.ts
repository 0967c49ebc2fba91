/** All text modules that the server speaks by, by the namespaces of their translations. */
import * as defaultContents from '#contract/chats/content-texts';
import * as messageTypes from '#contract/chats/message-type-texts';
import * as adultCommands from '#contract/commands/adult-texts';
import * as animeCommands from '#contract/commands/anime-texts';
import * as groupCommands from '#contract/commands/group-texts';
import * as inlineCommands from '#contract/commands/inline-texts';
import * as miscCommands from '#contract/commands/misc-texts';
import * as commandUsage from '#contract/commands/usage-texts';
import * as accountFields from '#contract/endpoints/account-texts';
import * as chatFields from '#contract/endpoints/chat-texts';
import * as errors from '#contract/endpoints/error-texts';
import * as fields from '#contract/endpoints/field-texts';
import * as pictureFields from '#contract/endpoints/picture-texts';
import * as sortOrders from '#contract/images/sort-order-texts';
import * as lists from '#contract/list-texts';
import * as playground from '#contract/playground/texts';
import { type TextModules } from '#server/lib/languages';
import { accountTextModule } from '#services/accounts';
import { automaticTextModule } from '#services/automatic';
import { chatTextModule } from '#services/chats';
import { connectionTextModule } from '#services/connections';
import { contentTextModule } from '#services/contents';
import { pictureTextModule } from '#services/images';
import { gateTextModule, joiningTextModule } from '#services/joining';
import { memberTextModule } from '#services/members';

import * as commandAnswers from '../bot/command-texts.ts';
import * as inlineAnswers from '../bot/inline-texts.ts';
import * as serviceAnswers from '../bot/service-texts.ts';
import * as bot from '../bot/texts.ts';
import * as words from '../bot/word-texts.ts';
import * as http from '../http/texts.ts';
import * as limits from '../lib/limit-texts.ts';
import * as lookups from '../services/lookup-texts.ts';
import * as messages from '../services/message-texts.ts';
import * as personal from '../services/personal-texts.ts';
import * as pictureMessages from '../services/picture-message-texts.ts';
import * as linkedServices from '../upstream/connections/texts.ts';
import * as imageServices from '../upstream/images/texts.ts';

export const textModules: TextModules = {
  'contract-chats-content': defaultContents,
  'contract-chats-message-type': messageTypes,
  'contract-commands-anime': animeCommands,
  'contract-commands-adult': adultCommands,
  'contract-commands-group': groupCommands,
  'contract-commands-inline': inlineCommands,
  'contract-commands-misc': miscCommands,
  'contract-commands-usage': commandUsage,
  'contract-endpoints-account': accountFields,
  'contract-endpoints-chat': chatFields,
  'contract-endpoints-error': errors,
  'contract-endpoints-field': fields,
  'contract-endpoints-picture': pictureFields,
  'contract-images-sort-order': sortOrders,
  'contract-list': lists,
  'contract-playground': playground,
  'server-accounts': accountTextModule,
  'server-automatic': automaticTextModule,
  'server-bot': bot,
  'server-bot-command': commandAnswers,
  'server-bot-service': serviceAnswers,
  'server-bot-inline': inlineAnswers,
  'server-bot-word': words,
  'server-chats': chatTextModule,
  'server-connections': connectionTextModule,
  'server-contents': contentTextModule,
  'server-http': http,
  'server-images': pictureTextModule,
  'server-joining': joiningTextModule,
  'server-joining-gate': gateTextModule,
  'server-members': memberTextModule,
  'server-lib-limit': limits,
  'server-upstream-connections': linkedServices,
  'server-upstream-images': imageServices,
  'server-lookup': lookups,
  'server-message': messages,
  'server-picture-message': pictureMessages,
  'server-personal': personal,
};
