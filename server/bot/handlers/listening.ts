/** What people watch and listen to, by the accounts that they have linked. */
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
  type Situation,
  takeLookup,
} from '#server/bot/command';
import { botTexts } from '#server/bot/texts';
import { AppError } from '#server/lib/errors';
import { type Say } from '#server/lib/languages';
import { dashboardPath } from '#server/services/links';
import { lookupTexts } from '#server/services/lookup-texts';
import { type MessageButton } from '#server/upstream/telegram/chat-actions';
import { type Watched } from '#services/connections';
import { findMeant } from '#services/lookups';
import { refuse, sayRefusal } from '#services/members';

import { askWhich } from './lookups.ts';

/** Of a list: a button for each. */
const maxShown = 8;
const maxEpisode = 9999;
const maxLabelLength = 40;

/** Where the link is missing or lost, the answer has the button that leads to a new one. */
async function withLink(
  { say, inGroup, links }: Situation,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && linkErrors.has(error.code)) {
      const texts = say(botTexts);
      const address = inGroup ? links.toBot('link') : links.toPage(dashboardPath);
      const text = inGroup ? texts.openBot : texts.openConnections;
      return {
        text: sayRefusal(error, say),
        buttons: address === undefined ? [] : [[{ text, ...address }]],
        kind: 'quiet',
      };
    }
    throw error;
  }
}

const linkErrors: ReadonlySet<string> = new Set(['not_linked', 'connection_lost']);

export const nowplaying: Handler = (request, tools) =>
  withLink(request, async () => {
    const { issuer, say } = request;
    const texts = say(lookupTexts);
    await takeLookup(request, tools);
    const playing = await tools.services.nowPlaying.read(issuer.telegramId);
    if (playing === undefined || !playing.isPlaying) {
      return { text: texts.nothingPlaying, kind: 'quiet' };
    }
    const { artist, track, album, albumArtUrl, url } = playing;
    const lines = [[artist, track].filter((part) => part !== '').join(' – '), album];
    return {
      text: lines
        .filter((line) => line !== '')
        .join('\n')
        .slice(0, 1000)
        .toWellFormed(),
      ...(albumArtUrl === ''
        ? {}
        : { media: { kind: 'photo', fileId: albumArtUrl, textWhenLost: '' } }),
      ...(url === undefined ? {} : { buttons: [[{ text: texts.listen, url, opens: 'link' }]] }),
    };
  });

export const watchlist: Handler = (request, tools) =>
  withLink(request, async () => {
    await takeLookup(request, tools);
    return request.name === 'watched' ? noteWatched(request, tools) : showList(request, tools);
  });

async function showList(situation: Situation, { services }: BotTools): Promise<Answer> {
  const { issuer, say } = situation;
  const { telegramId } = issuer;
  const list = await services.watchlist.list(telegramId);
  const texts = say(lookupTexts);
  if (list.length === 0) {
    return { text: texts.watchingNothing };
  }
  const shown = list.slice(0, maxShown);
  const more = list.length - shown.length;
  return {
    text: [
      texts.watching,
      ...shown.map((one) => `• ${sayProgress(one, one.progress, say)}`),
      ...(more === 0 ? [] : [texts.more(more)]),
    ].join('\n'),
    buttons: shown.filter(hasFurther).map((one) => [toNextButton(one, telegramId)]),
  };
}

const hasFurther = ({ anime: { episodes }, progress }: Watched): boolean =>
  episodes === undefined || progress < episodes;

/** It names the number that becomes of it, so that pressing it twice counts once. */
function toNextButton(
  { anime: { id, title }, progress }: Watched,
  telegramId: number,
): MessageButton {
  const label = `+1 ${title}`;
  return {
    text:
      label.length <= maxLabelLength
        ? label
        : `${label.slice(0, maxLabelLength - 1).toWellFormed()}…`,
    data: buttonData('plus', `${id}.${progress + 1}.${telegramId}`),
  };
}

function sayProgress({ anime: { title, episodes } }: Watched, progress: number, say: Say): string {
  const texts = say(lookupTexts);
  return episodes === undefined
    ? texts.progress(title, progress)
    : texts.progressWithTotal(title, progress, episodes);
}

/** Reads `Frieren 5` and `Frieren`. */
function readWatched({ args }: CommandRequest): { query: string; progress: number | undefined } {
  const typed = args.text.trim();
  const [, query, digits] = /^(.*\S)\s+(\d{1,4})$/su.exec(typed) ?? [];
  return query === undefined
    ? { query: typed, progress: undefined }
    : { query, progress: Number(digits) };
}

async function noteWatched(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { issuer } = request;
  const { lookups, watchlist: lists } = tools.services;
  const { query, progress } = readWatched(request);
  if (query === '') {
    throw refuse((_texts, say) => say(lookupTexts).usage('/watched Frieren 5'));
  }
  const current = (await lists.list(issuer.telegramId)).map(({ anime }) => anime);
  const { entries } = await lookups.search('anime', query);
  const watching = entries.filter(({ id }) => current.some((one) => one.id === id));
  const meant = findMeant(entries, query) ?? (watching.length === 1 ? watching[0] : undefined);
  if (meant === undefined) {
    const rest = `${progress ?? 'n'}.${issuer.telegramId}.${request.key}`;
    const choices = watching.length > 1 ? watching : entries;
    return askWhich(
      choices,
      { query, toData: ({ id }) => buttonData('seen', `${id}.${rest}`) },
      request,
    );
  }
  return { text: await note(request, { mediaId: meant.id, progress }, tools) };
}

type Noted = {
  readonly mediaId: number;
  /** The next episode when undefined: one for each command, however often its answer is pressed. */
  readonly progress: number | undefined;
  /** Names the command; the update itself when absent. */
  readonly command?: string;
  /** Whether what is noted already may be more. */
  readonly isLeast?: boolean;
};

const notedKind = 'watched';

/** Resolves to what is noted now. */
async function note(
  { issuer: { telegramId }, say, key }: Situation,
  { mediaId, progress, command = key, isLeast = false }: Noted,
  { deps, services }: BotTools,
): Promise<string> {
  const found = await services.watchlist.find(telegramId, mediaId);
  const texts = say(lookupTexts);
  if (found === undefined) {
    throw refuse((_texts, saying) => saying(lookupTexts).over);
  }
  const { title, episodes } = found.anime;
  const wanted = progress ?? (await readNext(found.progress + 1));
  if (wanted > (episodes ?? maxEpisode)) {
    throw refuse((_texts, saying) => saying(lookupTexts).atMost(title, episodes ?? maxEpisode));
  }
  if (isLeast && found.progress >= wanted) {
    return sayProgress(found, found.progress, say);
  }
  await services.watchlist.save(telegramId, found, wanted);
  return wanted === episodes ? texts.completed(title) : sayProgress(found, wanted, say);

  /** The same number when the update is handled again, or its button pressed again. */
  async function readNext(next: number): Promise<number> {
    const id = `${notedKind}:${command}.${mediaId}`;
    await services.dueJobs.add({
      id,
      kind: notedKind,
      chatId: telegramId,
      telegramId,
      body: String(next),
      dueAt: deps.clock() + 3_600_000,
    });
    return Number((await services.dueJobs.find(id))?.body ?? next);
  }
}

/** The buttons of a list, for the one whose list it is. */
const pressOwn =
  (isLeast: boolean): PressHandler =>
  async (press, tools) => {
    const { data, issuer, say } = press;
    const [mediaId = '', progress = '', owner = '', ...command] = data.split('.');
    if (Number(owner) !== issuer.telegramId) {
      return { notice: say(lookupTexts).notYours };
    }
    await takeLookup(press, tools);
    const wanted = {
      mediaId: Number(mediaId),
      progress: progress === 'n' ? undefined : Number(progress),
      command: command.join('.'),
      isLeast,
    };
    const notice = await note(press, wanted, tools);
    return { notice, edit: await showList(press, tools) };
  };

export const listeningPresses = {
  /** One more episode. */
  plus: pressOwn(true),
  /** The anime that was meant. */
  seen: pressOwn(false),
} as const satisfies Readonly<Record<string, PressHandler>>;
