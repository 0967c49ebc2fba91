/** The texts of the credits. */
import { brand } from '#lib/brand';

export const creditsTexts = {
  heading: 'Models',
  lead: `Whose models, data and open work ${brand.name} stands on.`,

  providersHeading: 'Providers',
  providersLead:
    'Each of them is independent of this app. The operator of this server decides which are connected.',
  /** What each of them is used for. */
  providers: {
    pixai: 'Models and LoRAs for anime pictures',
    kusa: 'Styles to draw in',
    imagineArt: 'Pictures in six styles',
    midjourney: 'Pictures in series',
    anilist: 'Facts about anime, manga and characters',
    spotify: 'The song that is playing',
    translation: 'Translations',
    wikimedia: 'Pages and words, under CC BY-SA 4.0',
    openMeteo: 'The weather, under CC BY 4.0',
    telegram: 'The chats, the bot, and this app’s home',
  },

  authorHeading: 'Author',
  author: (name: string) => `Made by ${name}.`,
  /** Where no author is named. */
  contributors: 'Made by the Nori contributors.',
  licence: `${brand.name} is free software under the MIT licence.`,
  updates: 'Updates channel',
  noUpdates: 'Not linked yet',
  /** For the operator alone. */
  setVariable: (variable: string) => `Set ${variable} to link this`,

  partsHeading: 'Open source',
  partsLead: 'Thank you to all who write, maintain and document these:',
  licenceText: (licence: string) => `${licence} licence`,
  /** What each package does here. */
  uses: {
    react: 'draws every screen',
    router: 'gives each screen its address',
    query: 'keeps what the server said up to date',
    zustand: 'holds what several screens share',
    axios: 'makes the calls',
    valibot: 'checks everything that comes in',
    sdk: 'talks to Telegram around the app',
    telegramUi: 'makes it look at home in Telegram',
    lucide: 'drew the icons',
    idb: 'keeps pictures on your device',
    uqr: 'draws QR codes',
    hono: 'answers the calls',
    grammy: 'speaks for the bot',
    kysely: 'writes the database queries',
    postgres: 'reaches PostgreSQL, where it is used',
    aws4fetch: 'signs the requests to a picture store',
    nats: 'shares the bot’s work between servers',
    telemetry: 'measures how the server is doing',
    jsonSchema: 'describes the public API',
    formatjs: 'reads the translations',
    messageFormat: 'puts names and numbers into them',
    fflate: 'packs exports and pictures',
    webauthn: 'checks passkeys',
    sharp: 'sizes pictures',
    pino: 'keeps the server’s log',
    zxcvbn: 'knows the passwords that everybody tries first',
    node: 'runs the server',
  },
} as const;
