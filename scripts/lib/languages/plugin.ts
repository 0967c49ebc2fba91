/** Vite's plugin that puts the texts of another language in the place of the English ones. */
import { type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import path from 'node:path';
import { type Plugin } from 'vite';

import { languages, sourceLanguage } from '#contract/languages';

import { root } from '../run.mjs';
import { type BuildLanguage, isPseudoLanguage, longestLanguage } from './build-language.ts';
import { compileModule, pluralModule, pluralSource } from './compile.ts';
import { makeEnglish } from './english.ts';
import { readMessageFiles, readTranslations } from './files.ts';
import { readLongest } from './longest.ts';
import { parseMessage } from './messages.ts';
import { toPseudo } from './pseudo.ts';
import { loadTexts, type Text } from './texts.ts';

const textModule = /[\\/](?:[\w-]+-)?texts\.ts$/;
const resolvedPluralModule = `\0${pluralModule}`;

/** Does nothing for English. A text without a translation stays English, with a warning. */
export function translations(language: BuildLanguage): Plugin {
  let sources: Promise<Sources> | undefined;
  let brand = 'Nori';
  const { direction, locale } = languages[isPseudoLanguage(language) ? sourceLanguage : language];
  return {
    name: 'translations',
    enforce: 'pre',
    apply: () => language !== sourceLanguage,
    configResolved({ env }) {
      brand = String(env['VITE_BRAND_NAME'] ?? brand);
    },
    resolveId: {
      filter: { id: new RegExp(`^${pluralModule}$`) },
      handler: () => resolvedPluralModule,
    },
    load: {
      filter: { id: [textModule, new RegExp(`^${resolvedPluralModule}$`)] },
      async handler(id) {
        if (id === resolvedPluralModule) {
          return pluralSource(locale);
        }
        const file = path.relative(root, id).replaceAll(path.sep, '/');
        sources ??= readSources(language);
        const { texts, modules, getMessage } = await sources;
        const exported = modules.get(file);
        if (exported === undefined) {
          return null;
        }
        const missing: string[] = [];
        const code = compileModule(
          {
            exported,
            texts: texts.filter((text) => text.file === file),
            getMessage: (text) => {
              const message = getMessage(text);
              if (!message.isTranslated) {
                missing.push(text.key);
              }
              return message.elements;
            },
          },
          { isRightToLeft: direction === 'rtl', brand },
        );
        if (missing.length > 0) {
          this.warn(
            `${language} lacks texts of ${file}, which stay English: ${missing.join(', ')}`,
          );
        }
        return code;
      },
    },
  };
}

type Sources = Pick<Awaited<ReturnType<typeof loadTexts>>, 'texts' | 'modules'> & {
  readonly getMessage: (text: Text) => {
    readonly elements: readonly MessageFormatElement[];
    readonly isTranslated: boolean;
  };
};

/** Read once for all builds of a process. */
let english: ReturnType<typeof loadTexts> | undefined;

async function readSources(language: BuildLanguage): Promise<Sources> {
  english ??= loadTexts();
  const { texts, modules } = await english;
  const { files } = makeEnglish(texts, readMessageFiles(sourceLanguage));
  const translate = isPseudoLanguage(language) ? makePseudo(language) : readTranslations(language);
  return {
    texts,
    modules,
    getMessage({ namespace, key }) {
      const source = parseMessage(files[namespace]?.[key] ?? key);
      const translation = translate(namespace, key, source);
      return { elements: translation ?? source, isTranslated: translation !== undefined };
    },
  };
}

type Translate = (
  namespace: string,
  key: string,
  source: readonly MessageFormatElement[],
) => readonly MessageFormatElement[] | undefined;

function makePseudo(language: BuildLanguage): Translate {
  const longest = language === longestLanguage ? readLongest() : undefined;
  return (namespace, key, source) =>
    longest === undefined ? toPseudo(source) : longest(namespace, key);
}
