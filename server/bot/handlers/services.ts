/** Commands that ask other servers: translations, Wikipedia, Wiktionary, the weather, files of social networks and speech. */
import { type Message } from 'grammy/types';

import { type Language, languages } from '#contract/languages';
import {
  type Answer,
  type BotTools,
  type CommandRequest,
  type Handler,
  takeLookup,
} from '#server/bot/command';
import { getReply } from '#server/bot/reading';
import { type RichText } from '#server/bot/rich-text';
import { serviceAnswers } from '#server/bot/service-texts';
import { AppError } from '#server/lib/errors';
import { joinList, type Say } from '#server/lib/languages';
import { limits } from '#server/lib/limits';
import {
  maxAlbum,
  maxSpokenLength,
  networkNames,
  type Voice,
} from '#server/services/fetched-media';
import { licenses } from '#server/services/reference';
import { type Translation } from '#server/upstream/translators';
import { refuse } from '#services/members';

import { sayDay } from './days.ts';

/** What a message says, or the part of it that a reply quotes. */
function readReplied(message: Message): string {
  const reply = getReply(message);
  return message.quote?.text ?? reply?.text ?? reply?.caption ?? '';
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A language as people type it: two letters, and a region if they like. */
function readLanguageCode(word: string): string | undefined {
  const isCode = /^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(word);
  return isCode && englishNames.of(word) !== undefined ? word.toLowerCase() : undefined;
}

/** The name of a language in another one. Services use codes that are none at times. */
function nameLanguage(code: string, reader: Language): string {
  try {
    const names = new Intl.DisplayNames([languages[reader].locale], { type: 'language' });
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

function readTranslation({ args, message, language }: CommandRequest) {
  const [first = ''] = args.text.split(/\s/, 1);
  const code = readLanguageCode(first);
  const rest = (code === undefined ? args.text : args.text.slice(first.length)).trim();
  return { to: code ?? language.language, text: rest === '' ? readReplied(message) : rest };
}

export const translate: Handler = async (request, tools): Promise<Answer> => {
  const { reference } = tools.services;
  const { text, to } = readTranslation(request);
  if (text.trim() === '') {
    throw refuse((_texts, saying) => saying(serviceAnswers).translate.usage);
  }
  const { label = '', limit } = reference.translator ?? {};
  if (limit !== undefined && measure(text, limit.unit) > limit.max) {
    throw refuseTooLong(label, limit);
  }
  await takeLookup(request, tools);
  const translation = await reference.translate(text, to);
  return sayTranslation(translation, { request, to, label });
};

function sayTranslation(
  translation: Translation,
  asked: { readonly request: CommandRequest; readonly to: string; readonly label: string },
): Answer {
  const { label, to, request } = asked;
  const reader = request.language.language;
  const toName = nameLanguage(to, reader);
  const texts = request.say(serviceAnswers).translate;
  if (translation.kind === 'too long') {
    throw refuseTooLong(label, translation);
  }
  if (translation.kind !== 'done') {
    const isSame = translation.kind === 'same';
    return { text: isSame ? texts.same(toName) : texts.unsupported(label, toName), kind: 'quiet' };
  }
  const { from, text } = translation;
  const footer =
    from === undefined
      ? texts.to(toName, label)
      : texts.fromTo(nameLanguage(from, reader), toName, label);
  return { text: `${text}\n\n${footer}` };
}

function measure(text: string, unit: 'bytes' | 'characters'): number {
  return unit === 'bytes' ? Buffer.byteLength(text) : Array.from(text).length;
}

function refuseTooLong(
  label: string,
  { max, unit }: { readonly max: number; readonly unit: 'bytes' | 'characters' },
) {
  return refuse((texts, say) =>
    unit === 'bytes'
      ? say(serviceAnswers).translate.tooManyBytes(label, max)
      : texts.atMostCharacters(max),
  );
}

/** What follows the command, or the message that it replies to. Throws the usage when there is nothing. */
function requireQuery(
  { args, message }: CommandRequest,
  usage: (texts: typeof serviceAnswers) => string,
): string {
  const query = (args.text.trim() || readReplied(message)).replaceAll(/\s+/g, ' ').trim();
  if (query === '') {
    throw refuse((_texts, say) => usage(say(serviceAnswers)));
  }
  return query;
}

/** A text whose first line is bold. */
function withHeading(heading: string, ...paragraphs: readonly string[]): RichText {
  return {
    text: [heading, ...paragraphs].filter((part) => part !== '').join('\n\n'),
    entities: [{ type: 'bold', offset: 0, length: heading.length }],
  };
}

const maxExtractLength = 1000;

/** At most so many characters, whole words, with a mark where something is missing. */
function shorten(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const cut = text.slice(0, max - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > max / 2 ? cut.slice(0, end) : cut).toWellFormed().trimEnd()}…`;
}

/** A page of Wikipedia as it is sent, with its licence. */
export const writePage = (title: string, body: string, say: Say): RichText =>
  withHeading(
    title,
    shorten(body, maxExtractLength),
    say(serviceAnswers).wiki.source(licenses.wiki),
  );

const toLinkRow = (text: string, url: string) => [[{ text, url, opens: 'link' } as const]];

export const wiki: Handler = async (request, tools): Promise<Answer> => {
  const { say, language } = request;
  const query = requireQuery(request, (texts) => texts.wiki.usage);
  await takeLookup(request, tools);
  const { hit, others, extract, isAmbiguous } = await tools.services.reference.readPage(
    query,
    language.language,
  );
  const texts = say(serviceAnswers).wiki;
  const body = isAmbiguous
    ? [
        texts.ambiguous(hit.title),
        ...others.map(({ title, description }) =>
          description === undefined ? `• ${title}` : `• ${title} – ${description}`,
        ),
      ].join('\n')
    : extract || (hit.description ?? '');
  return {
    text: writePage(hit.title, body, say),
    buttons: toLinkRow(texts.read, hit.url),
  };
};

/** How much of a page of Wiktionary is shown. */
const maxMeanings = 4;
const maxDefinitions = 3;
const maxDefinitionLength = 300;

export const define: Handler = async (request, tools): Promise<Answer> => {
  const { say, language } = request;
  const word = requireQuery(request, (texts) => texts.define.usage);
  await takeLookup(request, tools);
  const { found, meanings } = await tools.services.reference.define(word);
  const own = language.language.split('-')[0];
  // English and the reader's language come first.
  const rank = (code: string) => (code === 'en' ? 0 : code === own ? 1 : 2);
  const shown = meanings
    .filter(({ definitions }) => definitions.length > 0)
    .toSorted((one, other) => rank(one.code) - rank(other.code))
    .slice(0, maxMeanings)
    .map(({ language: name, partOfSpeech, definitions }) =>
      [
        `${name} · ${partOfSpeech}`,
        ...definitions
          .slice(0, maxDefinitions)
          .map((text, at) => `${at + 1}. ${shorten(text, maxDefinitionLength)}`),
      ].join('\n'),
    );
  const texts = say(serviceAnswers).define;
  const url = `https://en.wiktionary.org/wiki/${encodeURIComponent(found)}`;
  return {
    text: withHeading(found, ...shown, texts.source(licenses.wiki)),
    buttons: toLinkRow(texts.read, url),
  };
};

export const weather: Handler = async (request, tools): Promise<Answer> => {
  const { say, language } = request;
  const asked = requireQuery(request, (texts) => texts.weather.usage);
  await takeLookup(request, tools);
  const { place, now, days } = await tools.services.reference.readWeather(asked, language.language);
  const texts = say(serviceAnswers).weather;
  const lines = days.map(({ date, sky, min, max }) =>
    texts.day(sayDay(date, language.language, date), texts.skies[sky], min, max),
  );
  return {
    text: withHeading(
      joinList(place, say),
      [texts.now(texts.skies[now.sky], now.temperature, now.feelsLike, now.wind), ...lines].join(
        '\n',
      ),
      texts.source(licenses.weather),
    ),
  };
};

/** Links of a message as they are written, and those behind its words. */
function findLinks({ text, caption, entities, caption_entities }: Partial<Message>): string[] {
  const written = text ?? caption ?? '';
  return (entities ?? caption_entities ?? []).flatMap((entity) => {
    if (entity.type === 'text_link') {
      return [entity.url];
    }
    const link = written.slice(entity.offset, entity.offset + entity.length);
    return entity.type === 'url' ? [/^https?:\/\//i.test(link) ? link : `https://${link}`] : [];
  });
}

/** The link that is meant. Throws a refusal when there is none, or none to a network that is known. */
function requireLink({ message }: CommandRequest, isKnown: (link: string) => boolean): string {
  const links = [message, getReply(message) ?? {}].flatMap(findLinks);
  const known = links.find(isKnown);
  if (known === undefined) {
    throw refuse((_texts, say) => {
      const texts = say(serviceAnswers).download;
      const names = joinList(networkNames, say);
      return links.length === 0 ? texts.usage(names) : texts.foreign(names);
    });
  }
  return known;
}

/** Telegram's limit for the text below files. */
const maxCaptionLength = 1024;

const toPlace = ({ chatId, topicId, message }: CommandRequest) => ({
  chatId,
  topicId,
  // An ephemeral command has no ID that all see.
  replyTo: message.message_id === 0 ? undefined : message.message_id,
});

export const download: Handler = async (request, tools): Promise<Answer | undefined> => {
  const { say, issuer } = request;
  const { fetchedMedia, limiter } = tools.services;
  const link = requireLink(request, fetchedMedia.isKnown);
  await takeLookup(request, tools);
  await limiter.take(limits.downloads, issuer.telegramId);
  const texts = say(serviceAnswers).download;
  const { title, files } = await fetchedMedia.find(link).catch(async (error: unknown) => {
    if (error instanceof AppError) {
      await limiter.giveBack(limits.downloads, issuer.telegramId);
    }
    throw error;
  });
  const visible = files.filter(({ kind }) => kind !== 'audio');
  // Telegram groups audio files among themselves only; of a page with pictures they are the music.
  const sent = (visible.length > 0 ? visible : files).slice(0, maxAlbum);
  const missing = files.length - sent.length;
  const more = missing > 0 ? texts.more(missing) : '';
  const below = [more, link].filter((part) => part !== '').join('\n');
  const heading = shorten(title, Math.max(1, maxCaptionLength - below.length - 1));
  const caption = [heading, below].filter((part) => part !== '').join('\n');
  const { links } = await fetchedMedia.deliver(
    toPlace(request),
    sent,
    caption.length > maxCaptionLength ? '' : caption,
  );
  return links.length === 0 ? undefined : { text: [texts.onlyLinks, ...links].join('\n') };
};

/** The voice whose name a text begins with, the longest one. */
function findVoice(text: string, voices: readonly Voice[]) {
  const small = text.toLowerCase();
  const [voice] = voices
    .filter(
      ({ name }) => small.startsWith(name.toLowerCase()) && /^[\s:]/.test(text.slice(name.length)),
    )
    .toSorted((one, other) => other.name.length - one.name.length);
  return voice === undefined
    ? { voice, spoken: text }
    : { voice, spoken: text.slice(voice.name.length).replace(/^[\s:]+/, '') };
}

/** Voices by category, as many as a message has room for. */
function sayVoices(voices: readonly Voice[], say: Say): string {
  const texts = say(serviceAnswers).tts;
  if (voices.length === 0) {
    return texts.noVoices;
  }
  const categories = Map.groupBy(voices, ({ category }) => category);
  const list = [...categories].map(
    ([category, members]) => `${category}: ${members.map(({ name }) => name).join(', ')}`,
  );
  return texts.voices(shorten(list.join('\n'), 3500));
}

export const tts: Handler = async (request, tools): Promise<Answer | undefined> => {
  const { args, name, message, say } = request;
  const { fetchedMedia } = tools.services;
  if (name === 'voices') {
    await takeLookup(request, tools);
    return { text: sayVoices(await fetchedMedia.listVoices(), say), kind: 'quiet' };
  }
  const typed = args.text.trim();
  if (typed === '' && readReplied(message).trim() === '') {
    throw refuse((_texts, saying) => saying(serviceAnswers).tts.usage);
  }
  await takeLookup(request, tools);
  await speak(request, tools, typed);
  return undefined;
};

/** Sends a voice message that says what was typed, or the message that was replied to, in the voice that was typed. */
async function speak(
  request: CommandRequest,
  { services }: BotTools,
  typed: string,
): Promise<void> {
  const { name, message } = request;
  const { fetchedMedia } = services;
  const collection = name === 'animetts' ? 'anime-tts' : 'tts';
  const all = await fetchedMedia.listVoices();
  const voices = name === 'animetts' ? all.filter((voice) => voice.collection === collection) : all;
  const replied = readReplied(message).trim();
  // As a reply, the name of a voice may stand alone.
  const { voice, spoken } = findVoice(`${typed}\n`, voices);
  const text = spoken.trim() || replied;
  if (text.length > maxSpokenLength) {
    throw refuse((texts) => texts.atMostCharacters(maxSpokenLength));
  }
  if (text === '') {
    throw refuse((_texts, say) => say(serviceAnswers).tts.usage);
  }
  const file = await fetchedMedia.speak(text, voice ?? { collection });
  if (file === undefined) {
    throw refuse((_texts, say) => say(serviceAnswers).tts.unplayable);
  }
  await fetchedMedia.sendVoice(toPlace(request), file);
}
