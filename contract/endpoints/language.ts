/** The language that a user chose, for what the bot writes to them and for the links that it sends. */
import * as v from 'valibot';

import { languageTags } from '../languages.ts';
import { endpoint, noAnswer } from './endpoint.ts';

/** The capability of a server that has this call. */
export const accountLanguage = 'account.language';

/** Saves the language of the account; null follows that of the user's Telegram again. */
export const setAccountLanguage = endpoint({
  method: 'PUT',
  path: '/account/language',
  input: v.object({ language: v.nullable(v.picklist(languageTags)) }),
  output: noAnswer,
  status: 204,
});
