/** Finds the people whom commands are about, and says who they are. */
import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { getReply, readTarget } from '#server/bot/reading';
import { writeWithPeople } from '#server/bot/rich-text';
import { serviceAnswers } from '#server/bot/service-texts';
import { AppError } from '#server/lib/errors';
import { type ChatMember } from '#server/upstream/telegram/telegram';
import { anonymousId, refuse, type Person } from '#services/members';

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

export const showIds: Handler = async (request, tools): Promise<Answer> => {
  const { chatId, topicId, inGroup, issuer, message, say } = request;
  const found = await findTarget(request, tools);
  const replied = getReply(message);
  const texts = say(serviceAnswers).id;
  const text = writeWithPeople((name) => {
    const who =
      found === undefined
        ? issuer.telegramId === anonymousId
          ? []
          : [texts.you(String(issuer.telegramId))]
        : [texts.person(name(found.person), String(found.person.telegramId))];
    return [
      ...(inGroup ? [texts.chat(String(chatId))] : []),
      ...(topicId === undefined ? [] : [texts.topic(String(topicId))]),
      ...who,
      ...(replied === undefined ? [] : [texts.message(String(replied.message_id))]),
    ].join('\n');
  });
  return { text };
};

/** What Telegram says of a person in the group; undefined in private, of channels, and while it says nothing. */
async function readMember(
  { chatId, inGroup }: Pick<CommandRequest, 'chatId' | 'inGroup'>,
  telegramId: number,
  { deps }: Pick<BotTools, 'deps'>,
) {
  if (!inGroup || telegramId < 0) {
    return undefined;
  }
  try {
    return (await deps.telegram?.member(chatId, telegramId))?.member;
  } catch (error) {
    if (error instanceof AppError) {
      return undefined;
    }
    throw error;
  }
}

const getRole = ({ status, isPresent }: Pick<ChatMember, 'status' | 'isPresent'>) =>
  isPresent || status === 'kicked' ? status : 'left';

export const info: Handler = async (request, tools): Promise<Answer> => {
  const { issuer, message, say } = request;
  const { person } = (await findTarget(request, tools)) ?? { person: issuer };
  if (person.telegramId === anonymousId) {
    throw refuse((texts) => texts.noTarget);
  }
  const texts = say(serviceAnswers).info;
  const member = await readMember(request, person.telegramId, tools);
  const writers = [message.from, getReply(message)?.from];
  const seen = writers.find((user) => user?.id === person.telegramId);
  const username = member?.username ?? seen?.username;
  // Who hides that they are an administrator stays hidden.
  const role = member?.isAnonymous === false ? texts.roles[getRole(member)] : undefined;
  const text = writeWithPeople((name) =>
    [
      texts.lines(name(person), String(person.telegramId)),
      ...(username === undefined ? [] : [texts.username(username)]),
      ...(person.telegramId < 0 ? [texts.channel] : []),
      ...(member?.isBot === true || seen?.is_bot === true ? [texts.bot] : []),
      ...(role === undefined
        ? []
        : [member?.title === undefined ? role : texts.titled(role, member.title)]),
    ].join('\n'),
  );
  return { text };
};
