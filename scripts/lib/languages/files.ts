/** The files of translations: `locales/<tag>/<namespace>.json`. */
import { type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';

import { type Language, languages } from '#contract/languages';
import { markDirections } from '#contract/text-functions';

import { Stop } from '../say.mjs';
import { localesFolder } from './build-language.ts';
import { type Messages, parseMessage } from './messages.ts';

/** Messages by namespace and key. */
export type MessageFiles = Readonly<Record<string, Messages>>;

const content = v.record(v.string(), v.string());

/** All messages of a language; none when it has no folder. Throws a `Stop` that names a broken file. */
export function readMessageFiles(language: string, folder = localesFolder): MessageFiles {
  const place = path.join(folder, language);
  const names = fs.existsSync(place) ? fs.readdirSync(place) : [];
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => [path.basename(name, '.json'), readMessages(path.join(place, name))]),
  );
}

/** A message by its namespace and key; undefined where a language has none. */
export type GetMessage = (
  namespace: string,
  key: string,
) => readonly MessageFormatElement[] | undefined;

/** The messages of a language as they are shown, with the marks of its direction. Throws like `readMessageFiles`. */
export function readTranslations(language: Language): GetMessage {
  const files = readMessageFiles(language);
  const isRightToLeft = languages[language].direction === 'rtl';
  return (namespace, key) => {
    const message = files[namespace]?.[key];
    return message === undefined
      ? undefined
      : parseMessage(isRightToLeft ? markDirections(message) : message);
  };
}

function readMessages(file: string): Messages {
  try {
    return v.parse(content, JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    throw new Stop(`${file} is no flat JSON file of texts: ${reason}`);
  }
}

/** Writes the files of a language, and removes those of namespaces that are gone. Returns how many changed. */
export function writeMessageFiles(
  language: string,
  files: MessageFiles,
  folder = localesFolder,
): number {
  const place = path.join(folder, language);
  fs.mkdirSync(place, { recursive: true });
  const wanted = new Map(
    Object.entries(files).map(([namespace, messages]) => [
      `${namespace}.json`,
      `${JSON.stringify(messages, null, 2)}\n`,
    ]),
  );
  const gone = fs.readdirSync(place).filter((name) => name.endsWith('.json') && !wanted.has(name));
  gone.forEach((name) => fs.rmSync(path.join(place, name)));
  const changed = [...wanted].filter(([name, text]) => {
    const file = path.join(place, name);
    const isSame = fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text;
    if (!isSame) {
      fs.writeFileSync(file, text);
    }
    return !isSame;
  });
  return gone.length + changed.length;
}
