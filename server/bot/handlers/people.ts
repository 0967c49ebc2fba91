/** Finds the people whom commands are about. */
import { type BotTools, type CommandRequest } from '#server/bot/command';
import { readTarget } from '#server/bot/reading';
import { refuse, type Person } from '#services/members';

export type TargetRequest = { readonly person: Person; readonly rest: string };

/** Undefined when the command names no one. Throws a refusal for a @name that the bot has not seen. */
export async function findTarget(
  { message, args }: Pick<CommandRequest, 'message' | 'args'>,
  { deps, services }: Pick<BotTools, 'deps' | 'services'>,
): Promise<TargetRequest | undefined> {
  const { seenPeople, rights } = services.memberCommands;
  const { target, rest } = readTarget(message, args);
  if (target === undefined) {
    return undefined;
  }
  if (target.kind === 'person') {
    return { person: target.person, rest };
  }
  if (target.kind === 'id') {
    const { telegramId } = target;
    const names = await seenPeople.findNames([telegramId]);
    return { person: { telegramId, name: names.get(telegramId) ?? String(telegramId) }, rest };
  }
  // The bot sees no messages of its own.
  const ownName = await deps.telegram?.username();
  if (ownName?.toLowerCase() === target.username.toLowerCase()) {
    return { person: { telegramId: rights.botId, name: `@${ownName}` }, rest };
  }
  const found = await seenPeople.findByUsername(target.username);
  if (found === undefined) {
    throw refuse((texts) => texts.unseen(target.username));
  }
  const { telegramId, firstName } = found;
  return { person: { telegramId, name: firstName || `@${target.username}` }, rest };
}

/** As `findTarget`, but throws a refusal when the command names no one. */
export async function requireTarget(
  request: Pick<CommandRequest, 'message' | 'args'>,
  tools: Pick<BotTools, 'deps' | 'services'>,
): Promise<TargetRequest> {
  const found = await findTarget(request, tools);
  if (found === undefined) {
    throw refuse((texts) => texts.noTarget);
  }
  return found;
}
