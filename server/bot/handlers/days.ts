/** Days as the bot writes them. */
import { type Language, languages, sourceLanguage } from '#contract/languages';

/** In English the day comes first, as in most of the world: 3 May. */
const englishDays = 'en-GB';

/** Such as 3 May, or 3 May 2027 in another year than now; in UTC, as a group has no time zone. */
export function sayDay(time: number, language: Language, now: number): string {
  const date = new Date(time);
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  const locale = language === sourceLanguage ? englishDays : languages[language].locale;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date);
}
