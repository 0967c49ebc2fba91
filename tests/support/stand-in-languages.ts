/** Translations that no translator has made, so that tests can tell them from English. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Language } from '#contract/languages';
import { parameterNames } from '#contract/text-functions';
import { textModules } from '#server/app/text-modules';
import { isTextFunction, openLanguages, type ServerLanguages } from '#server/lib/languages';
import { createLog } from '#server/lib/log';

import { dataFolders } from './setup.ts';

type Files = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every text of a module by its key, with the key of its translation. */
export function listTexts(module: Readonly<Record<string, object>>) {
  const trees = Object.entries(module);
  return trees.flatMap(([name, tree]) => walk(tree, trees.length > 1 ? [name] : []));
}

type Text = { readonly key: string; readonly path: readonly string[]; readonly english: unknown };

function walk(tree: object, path: readonly string[]): Text[] {
  return Object.entries(tree).flatMap(([name, english]): Text[] => {
    const here = [...path, name];
    return typeof english === 'object' && english !== null
      ? walk(english, here)
      : [{ key: here.join('.'), path: here, english }];
  });
}

/**
 * A translation of all texts: constants stand between tags of the language, `<de>Nori</de>`, and a function is
 * said as its key and its arguments.
 */
export function standInFiles(tag: string): Files {
  return Object.fromEntries(
    Object.entries(textModules).map(([namespace, module]) => [
      namespace,
      Object.fromEntries(
        listTexts(module).map(({ key, english }) => [
          key,
          isTextFunction(english)
            ? `<${tag}>${key} ${parameterNames(english)
                .map((name) => `{${name}}`)
                .join(' ')}</${tag}>`
            : `<${tag}>${String(english).replaceAll("'", "''")}</${tag}>`,
        ]),
      ),
    ]),
  );
}

/** A folder like `locales/`. */
export function writeLocales(languages: Partial<Readonly<Record<Language, Files>>>): string {
  mkdirSync(dataFolders, { recursive: true });
  const folder = mkdtempSync(join(dataFolders, 'locales-'));
  for (const [language, files] of Object.entries(languages)) {
    mkdirSync(join(folder, language));
    for (const [namespace, messages] of Object.entries(files)) {
      writeFileSync(join(folder, language, `${namespace}.json`), JSON.stringify(messages));
    }
  }
  return folder;
}

/** The languages of a server whose `locales/` is `folder`, and the log of what is wrong there. */
export function openTestLanguages(
  folder: string,
  { modules = textModules, limitTo }: Partial<Parameters<typeof openLanguages>[0]> = {},
): ServerLanguages & { readonly logLines: readonly string[] } {
  const logLines: string[] = [];
  const log = createLog('warn', { write: (line) => void logLines.push(line) });
  return { ...openLanguages({ folder, modules, limitTo, log }), logLines };
}

/** The languages of a server that offers English and these, in stand-in translations. */
export function standInLanguages(...tags: readonly Language[]): ServerLanguages {
  const files = Object.fromEntries(tags.map((tag) => [tag, standInFiles(tag)]));
  return openTestLanguages(writeLocales(files));
}
