/** The handler of each command and of each button. A command of the table without one does not compile. */
import { type CommandId } from '#contract/commands/index';

import { type Handler, type PressHandler } from '../command.ts';
import { help, link, pressForget, privacy, settings, start, status } from './general.ts';
import { lock } from './locks.ts';
import { logchannel } from './log-channel.ts';
import { approve, ban, kick, mute, pressUndo, pressWipe, unban, unmute } from './members.ts';
import { del, pin, pressUnpinAll, purge } from './messages.ts';
import { report, reportPresses } from './reports.ts';
import { admins, promote, tag } from './roles.ts';
import { topics } from './topics.ts';
import { warn, warnmode, warns } from './warnings.ts';

export const handlers = {
  status,
  settings,
  lock,
  ban,
  unban,
  kick,
  mute,
  unmute,
  warn,
  warns,
  warnmode,
  purge,
  del,
  approve,
  topics,
  pin,
  promote,
  tag,
  admins,
  report,
  logchannel,
  start,
  help,
  link,
  privacy,
} as const satisfies Readonly<Record<CommandId, Handler>>;

/** By the verb of the button. */
export const pressHandlers: Readonly<Record<string, PressHandler>> = {
  undo: pressUndo,
  wipe: pressWipe,
  unpin: pressUnpinAll,
  forget: pressForget,
  ...reportPresses,
};
