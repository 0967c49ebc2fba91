/** Reports to the administrators, in the log channel or for each of them alone, with buttons to deal with them. */
import * as v from 'valibot';

import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
  type Situation,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { getReply, linkToMessage, readReason, readWriter } from '#server/bot/reading';
import { type RichText, writeWithPeople } from '#server/bot/rich-text';
import { wholeChatId } from '#server/db/chat-values';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import { type DueJob, type DueJobs } from '#server/services/due-jobs';
import { type BotMessage, type MessageButton } from '#server/upstream/telegram/chat-actions';
import { memberTexts, type Order, type Person, readSettings, refuse } from '#services/members';
import { deletableForMs } from '#services/moderation';

import { callTelegram } from './calls.ts';
import { banPerson, deleteMessages, mutePerson } from './members.ts';
import { warnPerson } from './warnings.ts';

/** How many administrators are told, each alone. */
const maxTold = 10;
const minuteMs = 60_000;
const reportKind = 'report';

/** What the buttons need. */
const stored = v.object({
  messageId: v.number(),
  targetId: v.number(),
  topicId: v.optional(v.number()),
  isBasicGroup: v.boolean(),
  /** The press that deals with it: others come too late. */
  pressKey: v.optional(v.string()),
});
type StoredReport = v.InferOutput<typeof stored>;

export const report: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId } = request;
  const texts = say(commandTexts).report;
  if (verb === 'reports') {
    return switchReports(request, tools);
  }
  const { reports } = await readSettings(tools.services.chatValues, chatId);
  if (!reports) {
    return { text: texts.off };
  }
  return { text: (await tellAdministrators(request, tools)) ? texts.told : texts.noOne };
};

async function switchReports(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, say, chatId, chat, issuer } = request;
  const { chatValues } = tools.services;
  const texts = say(commandTexts).report;
  const state = args.text.trim().toLowerCase();
  if (state !== '' && state !== 'on' && state !== 'off') {
    throw refuse((_texts, saying) => saying(commandTexts).report.stateUsage);
  }
  if (state !== '') {
    await chatValues.changeByCommand(
      { chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' },
      new Map([[wholeChatId, { reports: state === 'on' }]]),
    );
  }
  const { reports } = await readSettings(chatValues, chatId);
  return { text: reports ? texts.isOn : texts.isOff };
}

/**
 * Returns whether any administrator was told. Throws a refusal without a message to report, for one of an
 * administrator, of the bot or of the one who reports, and for too many reports.
 */
async function tellAdministrators(request: CommandRequest, tools: BotTools): Promise<boolean> {
  const { message, chatId, chat, issuer, key, args } = request;
  const { memberCommands, dueJobs } = tools.services;
  const reply = getReply(message);
  const target = reply && readWriter(reply);
  if (reply === undefined || target === undefined) {
    throw refuse((_texts, say) => say(commandTexts).report.usage);
  }
  await memberCommands.rights.requireTarget(chatId, target, issuer.telegramId);
  const reason = readReason(args.text);
  await throwIfTooMany(request, tools);
  const isBasicGroup = chat.type === 'group';
  const body: StoredReport = {
    messageId: reply.message_id,
    targetId: target.telegramId,
    isBasicGroup,
    ...(request.topicId === undefined ? {} : { topicId: request.topicId }),
  };
  await dueJobs.add({
    id: toJobId(key),
    kind: reportKind,
    chatId,
    telegramId: issuer.telegramId,
    body: JSON.stringify(body),
    // Then there is nothing left to delete.
    dueAt: tools.deps.clock() + deletableForMs,
  });
  const order = { chatId, by: issuer, target, reason, key, isBasicGroup };
  await memberCommands.record(memberCommands.toAction(order, 'report'));
  const link = linkToMessage(request.chat, reply.message_id);
  return send(request, tools, { target, reason, messageId: reply.message_id, link });
}

/** A report that is handled again counts once. */
async function throwIfTooMany(
  { chatId, issuer, key }: CommandRequest,
  { services: { limiter, dueJobs } }: BotTools,
): Promise<void> {
  const isKnown = (await dueJobs.find(toJobId(key))) !== undefined;
  if (!isKnown && !(await limiter.tryTake(limits.reports, `${chatId}:${issuer.telegramId}`))) {
    const { max, windowMs } = limits.reports;
    throw refuse((_texts, say) => say(commandTexts).report.tooMany(max, windowMs / minuteMs));
  }
}

const toJobId = (key: string) => `${reportKind}:${key}`;

type ReportFacts = {
  readonly target: Person;
  readonly reason: string;
  readonly messageId: number;
  readonly link: string | undefined;
};

function writeReport(
  { say, issuer }: Pick<Situation, 'say' | 'issuer'>,
  { target, reason, link }: ReportFacts,
  toWhole: (line: string) => string = (line) => line,
): RichText {
  const texts = say(commandTexts).report;
  return writeWithPeople((name) => {
    const line =
      link === undefined
        ? texts.lineWithoutLink(name(target), name(issuer))
        : texts.line(name(target), name(issuer), link);
    return toWhole(reason === '' ? line : texts.lineWithReason(line, reason));
  });
}

function toButtons({ say, key }: Pick<Situation, 'say' | 'key'>): MessageButton[][] {
  const texts = say(commandTexts).report;
  const toButton = (verb: ReportVerb, text: string) => ({
    text,
    data: buttonData(verb, key),
  });
  return [
    [toButton('rdel', texts.delete), toButton('rwarn', texts.warn)],
    [toButton('rmute', texts.mute), toButton('rban', texts.ban)],
    [toButton('rno', texts.dismiss)],
  ];
}

/** To the log channel if it takes reports, else to each administrator alone. Returns whether it was sent. */
async function send(
  request: CommandRequest,
  tools: BotTools,
  facts: ReportFacts,
): Promise<boolean> {
  const { chatId, topicId, chat, say } = request;
  const { log_channel: log, log_categories: categories } = await readSettings(
    tools.services.chatValues,
    chatId,
  );
  const buttons = toButtons(request);
  if (log !== undefined && categories.includes('reports')) {
    const text = writeReport(request, facts, (line) =>
      say(memberTexts).log.inGroup(chat.title ?? String(chatId), line),
    );
    const outcome = await callTelegram(log.id, tools, (api, id) =>
      api.send({ ...text, buttons, chatId: id }),
    );
    if (outcome.kind === 'done') {
      return true;
    }
  }
  // Where there is no link, a reply leads to the message.
  const replyTo = facts.link === undefined ? facts.messageId : undefined;
  return sendToEach({ ...writeReport(request, facts), buttons, chatId, topicId, replyTo }, tools);
}

/** For all to see where Telegram shows administrators nothing of their own. */
async function sendToEach(message: BotMessage, tools: BotTools): Promise<boolean> {
  const { chatId } = message;
  const administrators = (await tools.services.memberCommands.rights.list(chatId))
    .filter(({ isBot }) => !isBot)
    .slice(0, maxTold);
  let told = 0;
  for (const { telegramId } of administrators) {
    const outcome = await callTelegram(chatId, tools, (api, id) =>
      api.send({ ...message, chatId: id, onlyFor: { telegramId } }),
    );
    if (outcome.kind === 'done' && outcome.result.messageId !== 0) {
      // The server does not know such messages and has sent it to all: once is enough.
      return true;
    }
    if (outcome.kind === 'done') {
      told += 1;
    } else if (outcome.kind !== 'refused') {
      return told > 0;
    } else if (outcome.why !== 'unknown person') {
      break;
    }
  }
  if (told > 0) {
    return true;
  }
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.send({ ...message, chatId: id }),
  );
  return outcome.kind === 'done';
}

type ReportVerb = 'rdel' | 'rwarn' | 'rmute' | 'rban' | 'rno';

const dayS = 86_400;

/** What each button needs, and says when it is done. */
const verbs = {
  rdel: { right: 'delete', said: 'wasDeleted' },
  rwarn: { right: 'restrict', said: 'wasWarned' },
  rmute: { right: 'restrict', said: 'wasMuted' },
  rban: { right: 'restrict', said: 'wasBanned' },
  rno: { right: 'delete', said: 'wasDismissed' },
} as const;

/** Returns the handler of one of the buttons. The group is that of the report: the message may be in the log channel. */
function handleReport(verb: ReportVerb): PressHandler {
  const { right, said } = verbs[verb];
  return async (press, tools) => {
    const { data, issuer, key } = press;
    const { dueJobs, memberCommands, chats } = tools.services;
    const found = await findReport(data, tools);
    if (found === undefined) {
      return { notice: press.say(commandTexts).report.over };
    }
    const { chatId } = found.job;
    const inGroup = chatId === press.chatId;
    await memberCommands.rights.requireUser(chatId, issuer.telegramId, right);
    if (verb !== 'rno') {
      await memberCommands.rights.requireBot(chatId, right);
    }
    const say = tools.deps.languages.textsIn(await chats.readLanguage(chatId));
    const target = await findTarget(found.facts, tools);
    const dealt = await dealOnce({ ...found, key }, dueJobs, () =>
      deal(verb, { ...found, target, issuer, say }, tools),
    );
    if (dealt === undefined) {
      return { notice: press.say(commandTexts).report.over };
    }
    await dueJobs.take(found.job.id);
    const texts = say(commandTexts).report;
    const text = writeWithPeople((name) => texts[said](name(target), name(issuer)));
    // Buttons find what was done by the group in which they are.
    return { edit: { text, buttons: inGroup ? dealt.buttons : [] } };
  };
}

type FoundReport = { readonly job: DueJob; readonly facts: StoredReport };

async function findReport(data: string, { services }: BotTools): Promise<FoundReport | undefined> {
  const job = await services.dueJobs.find(toJobId(data));
  const parsed = v.safeParse(stored, job === undefined ? undefined : JSON.parse(job.body));
  return job === undefined || !parsed.success ? undefined : { job, facts: parsed.output };
}

/** Only IDs are stored with a report. */
async function findTarget({ targetId }: StoredReport, { services }: BotTools): Promise<Person> {
  const names = await services.memberCommands.seenPeople.findNames([targetId]);
  return { telegramId: targetId, name: names.get(targetId) ?? String(targetId) };
}

/**
 * Of several who press at once one deals with the report, also when that press is handled again. Returns undefined
 * for the others. What is refused leaves the report to others.
 */
async function dealOnce<T>(
  { job, facts, key }: FoundReport & { readonly key: string },
  dueJobs: Pick<DueJobs, 'changeBody'>,
  dealWith: () => Promise<T>,
): Promise<T | undefined> {
  const mine = JSON.stringify({ ...facts, pressKey: key });
  const isOurs =
    facts.pressKey === key ||
    (facts.pressKey === undefined && (await dueJobs.changeBody(job, mine)));
  if (!isOurs) {
    return undefined;
  }
  try {
    return await dealWith();
  } catch (error) {
    if (error instanceof AppError) {
      const open = JSON.stringify({ ...facts, pressKey: undefined });
      await dueJobs.changeBody({ id: job.id, body: mine }, open);
    }
    throw error;
  }
}

type Dealing = FoundReport & {
  readonly target: Person;
  readonly issuer: Person;
  /** In the language of the group. */
  readonly say: Say;
};

/** Resolves with the buttons of what was done, where nothing else shows them. */
async function deal(
  verb: ReportVerb,
  dealing: Dealing,
  tools: BotTools,
): Promise<Required<Pick<Answer, 'buttons'>>> {
  const { job, target, issuer } = dealing;
  const { chatId, id: key } = job;
  const { isBasicGroup } = dealing.facts;
  const order: Order = { chatId, by: issuer, target, reason: '', key, isBasicGroup };
  const answer = await act(verb, { ...order, say: dealing.say }, tools);
  const isTold = answer !== undefined && (await tellGroup(answer, dealing, tools));
  if (verb !== 'rno') {
    await deleteReported(verb, dealing, tools);
  }
  return { buttons: isTold ? [] : (answer?.buttons ?? []) };
}

/** Resolves to what the group may know; undefined where nothing is done to the member. */
async function act(
  verb: ReportVerb,
  { say, ...order }: Order & Pick<Situation, 'say'>,
  tools: BotTools,
): Promise<Answer | undefined> {
  if (verb === 'rwarn') {
    return warnPerson(order, { say }, tools);
  }
  if (verb === 'rmute') {
    return mutePerson({ ...order, seconds: dayS }, { say }, tools);
  }
  return verb === 'rban' ? banPerson(order, { say }, tools) : undefined;
}

/** Only the administrators see the report. Returns false when nothing was said, as in a group that wants it quiet. */
async function tellGroup(
  { text, buttons = [] }: Answer,
  { job: { chatId }, facts: { topicId } }: Dealing,
  tools: BotTools,
): Promise<boolean> {
  const { quiet_actions: isQuiet } = await readSettings(tools.services.chatValues, chatId);
  if (isQuiet) {
    return false;
  }
  const rich = typeof text === 'string' ? { text } : text;
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.send({ ...rich, chatId: id, topicId, buttons }),
  );
  return outcome.kind === 'done';
}

/** Who may act on the member but not delete leaves the message. */
async function deleteReported(
  verb: ReportVerb,
  { job: { chatId, id: key }, facts, target, issuer }: Dealing,
  tools: BotTools,
): Promise<void> {
  const { rights, logChannel } = tools.services.memberCommands;
  const administrator = await rights.find(chatId, issuer.telegramId);
  if (administrator?.rights.has('delete') !== true) {
    return;
  }
  const { refused, putOff } = await deleteMessages(chatId, [facts.messageId], tools);
  if (verb !== 'rdel') {
    return;
  }
  if (refused > 0) {
    throw refuse((texts) => texts.messageTooOld);
  }
  await logChannel.add(chatId, {
    category: 'messages',
    id: key,
    body: { kind: 'delete', targetId: target.telegramId, byId: issuer.telegramId },
  });
  if (putOff > 0) {
    throw refuse((texts) => texts.deletedLater);
  }
}

export const reportPresses = {
  rdel: handleReport('rdel'),
  rwarn: handleReport('rwarn'),
  rmute: handleReport('rmute'),
  rban: handleReport('rban'),
  rno: handleReport('rno'),
} as const;
