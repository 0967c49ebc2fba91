/** The language that the user chose on this device, by its tag. Kept when they log out. */
import * as v from 'valibot';

import { storedValue } from './storage.ts';

/** The page's inline script reads it, too. */
export const chosenLanguage = storedValue('language', v.string(), { isJson: false });

/** Stands for no choice: the language is that of Telegram or of the browser. The tag of what is not determined. */
export const automatic = 'und';
