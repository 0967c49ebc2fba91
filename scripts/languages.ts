/**
 * `npm run languages` writes the English messages of all text modules to `locales/en`, for translators.
 * `npm run languages -- check` writes nothing: it says what the translations lack.
 */
import process from 'node:process';

import { sourceLanguage } from '#contract/languages';

import { shippedLanguages } from './lib/languages/build-language.ts';
import { checkLanguage, formatFindings } from './lib/languages/check.ts';
import { checkEnglish, makeEnglish } from './lib/languages/english.ts';
import { readMessageFiles, writeMessageFiles } from './lib/languages/files.ts';
import { loadTexts } from './lib/languages/texts.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

try {
  const { texts, findings } = await loadTexts();
  const kept = readMessageFiles(sourceLanguage);
  const english = makeEnglish(texts, kept);
  const isCheck = process.argv.includes('check');
  const found = [...findings, ...english.findings];
  if (isCheck) {
    found.push(...checkEnglish(english.files, kept));
    for (const language of shippedLanguages().slice(1)) {
      const files = readMessageFiles(language);
      found.push(...checkLanguage({ language, texts, english: english.files, files }));
    }
  } else {
    const changed = writeMessageFiles(sourceLanguage, english.files);
    say(`${texts.length} texts in locales/en; ${changed} files changed`);
  }
  if (found.length > 0) {
    throw new Stop(`${found.length} findings:\n${formatFindings(found)}`);
  }
  say(isCheck ? `${shippedLanguages().length} languages are complete` : 'done');
} catch (failure) {
  giveUp(failure);
}
