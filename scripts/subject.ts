/** `npm run subject -- <telegram id>`: how the log of security events names a user, by the key of this server and by earlier ones. */
import process from 'node:process';

import { readEnv } from '#server/app/env';
import { createSubjects } from '#server/lib/log';

import { loadEnvFile, root } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';

try {
  const [id = ''] = process.argv.slice(2);
  if (!/^\d{1,16}$/.test(id)) {
    throw new Stop('Name a Telegram user ID: npm run subject -- 123456789');
  }
  process.chdir(root);
  loadEnvFile();
  for (const toSubject of createSubjects(readEnv(process.env).secretKeys)) {
    say(toSubject(Number(id)));
  }
} catch (error) {
  giveUp(error);
}
