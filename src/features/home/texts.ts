/** What Home says. */
import { brand } from '#lib/brand';

export const texts = {
  headline: 'The bot your group chat was missing',
  greeting: (firstName: string) => `Hi, ${firstName}`,
  lead: 'Moderate topics, make art, look things up inline. Set it all up here, in Telegram or in any browser.',
  openBot: 'Open the Bot',
  notSet: (variable: string) =>
    `No bot is linked yet: give the server a BOT_TOKEN, or build ${brand.name} with ${variable}.`,
  dashboard: 'Dashboard',
  login: 'Login',
} as const;
