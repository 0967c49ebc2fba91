/** A server that speaks several languages: each text is the English one behind the tag of its language. */
import { type Language, sourceLanguage } from '#contract/languages';
import { type ServerLanguages, sayEnglish } from '#server/lib/languages';

/** `ru: Open Nori` for Russian; English stays as it is. */
export function markLanguages(...tags: readonly Language[]): ServerLanguages {
  return {
    offered: [sourceLanguage, ...tags],
    textsIn: (language) =>
      tags.includes(language) ? (texts) => markTree(texts, language) : sayEnglish,
  };
}

function markTree<Texts extends object>(texts: Texts, language: Language): Texts {
  return new Proxy(texts, {
    get: (target, name) => {
      const english: unknown = Reflect.get(target, name);
      if (typeof english === 'string') {
        return `${language}: ${english}`;
      }
      if (typeof english === 'function') {
        return (...values: unknown[]) =>
          `${language}: ${String(Reflect.apply(english, target, values))}`;
      }
      return typeof english === 'object' && english !== null
        ? markTree(english, language)
        : english;
    },
  });
}
