import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
/** Opens, renames, closes and reopens topics. */
import { createTopicNameRepository } from '#server/db/topics';
import { joinList } from '#server/lib/languages';
import { isForumChat } from '#server/upstream/telegram/bot';
import { refuse, requireDone } from '#services/members';

import { callTelegram } from './calls.ts';

const maxNameLength = 128;

export const topics: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId, topicId = 0 } = request;
  const texts = say(commandTexts).topics;
  if (verb === 'topics') {
    return listTopics(request, tools);
  }
  if (verb === 'newtopic' || verb === 'renametopic') {
    const name = readName(request);
    const named = await nameTopic(request, tools, name);
    // Telegram tells a bot nothing of what it has done itself.
    await tools.services.chatUpdates.topicNamed({ chatId, topicId: named, name });
    return { text: verb === 'newtopic' ? texts.created(name) : texts.renamed(name) };
  }
  const isClosing = verb === 'closetopic';
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    isClosing ? api.closeTopic(id, topicId) : api.reopenTopic(id, topicId),
  );
  requireDone(outcome, { right: 'topics' });
  return { text: isClosing ? texts.closed : texts.reopened };
};

/** Opens a topic, or renames that of the command. Returns its ID. */
async function nameTopic(
  { name: verb, chatId, topicId = 0 }: CommandRequest,
  tools: BotTools,
  name: string,
): Promise<number> {
  const outcome = await callTelegram<number | true>(chatId, tools, (api, id) =>
    verb === 'newtopic' ? api.createTopic(id, name) : api.renameTopic(id, topicId, name),
  );
  const result = requireDone(outcome, { right: 'topics' });
  return result === true ? topicId : result;
}

function readName({ args }: CommandRequest): string {
  const name = args.text.trim();
  if (name === '') {
    throw refuse((_texts, say) => say(commandTexts).topics.nameMissing);
  }
  if (Array.from(name).length > maxNameLength) {
    throw refuse((_texts, say) => say(commandTexts).topics.nameTooLong(maxNameLength));
  }
  return name;
}

async function listTopics(
  { say, chatId, chat }: CommandRequest,
  { deps }: BotTools,
): Promise<Answer> {
  if (!isForumChat(chat)) {
    throw refuse((texts) => texts.topicsOnly);
  }
  const texts = say(commandTexts).topics;
  const names = await createTopicNameRepository(deps.database.db).readAll(chatId);
  return {
    text:
      names.size === 0 ? texts.usage : texts.known(joinList([...names.values()], say), texts.usage),
  };
}
