/** The open-source packages that the product uses, with their licences. */

type Part = {
  readonly name: string;
  /** Its npm packages. */
  readonly packages: readonly string[];
  readonly licence: 'MIT' | 'ISC' | 'Apache-2.0';
  readonly href: string;
  /** What the product uses it for. */
  readonly use: string;
};

export const parts: readonly Part[] = [
  {
    name: 'React',
    packages: ['react', 'react-dom'],
    licence: 'MIT',
    href: 'https://react.dev',
    use: 'draws every screen',
  },
  {
    name: 'React Router',
    packages: ['react-router-dom'],
    licence: 'MIT',
    href: 'https://reactrouter.com',
    use: 'gives each screen its address',
  },
  {
    name: 'TanStack Query',
    packages: ['@tanstack/react-query'],
    licence: 'MIT',
    href: 'https://tanstack.com/query',
    use: 'keeps what the server said up to date',
  },
  {
    name: 'Zustand',
    packages: ['zustand'],
    licence: 'MIT',
    href: 'https://github.com/pmndrs/zustand',
    use: 'holds what several screens share',
  },
  {
    name: 'axios',
    packages: ['axios'],
    licence: 'MIT',
    href: 'https://axios-http.com',
    use: 'makes the calls',
  },
  {
    name: 'Valibot',
    packages: ['valibot'],
    licence: 'MIT',
    href: 'https://valibot.dev',
    use: 'checks everything that comes in',
  },
  {
    name: 'Telegram Mini Apps SDK',
    packages: ['@telegram-apps/sdk-react'],
    licence: 'MIT',
    href: 'https://docs.telegram-mini-apps.com',
    use: 'talks to Telegram around the app',
  },
  {
    name: 'TelegramUI',
    packages: ['@telegram-apps/telegram-ui'],
    licence: 'MIT',
    href: 'https://github.com/telegram-mini-apps-dev/TelegramUI',
    use: 'makes it look at home in Telegram',
  },
  {
    name: 'Lucide',
    packages: ['lucide-react'],
    licence: 'ISC',
    href: 'https://lucide.dev',
    use: 'drew the icons',
  },
  {
    name: 'idb',
    packages: ['idb'],
    licence: 'ISC',
    href: 'https://github.com/jakearchibald/idb',
    use: 'keeps pictures on your device',
  },
  {
    name: 'uqr',
    packages: ['uqr'],
    licence: 'MIT',
    href: 'https://github.com/unjs/uqr',
    use: 'draws QR codes',
  },
  {
    name: 'Hono',
    packages: ['hono', '@hono/node-server'],
    licence: 'MIT',
    href: 'https://hono.dev',
    use: 'answers the calls',
  },
  {
    name: 'grammY',
    packages: ['grammy'],
    licence: 'MIT',
    href: 'https://grammy.dev',
    use: 'speaks for the bot',
  },
  {
    name: 'Kysely',
    packages: ['kysely'],
    licence: 'MIT',
    href: 'https://kysely.dev',
    use: 'writes the database queries',
  },
  {
    name: 'node-postgres',
    packages: ['pg'],
    licence: 'MIT',
    href: 'https://node-postgres.com',
    use: 'reaches PostgreSQL, where it is used',
  },
  {
    name: 'Valibot to JSON Schema',
    packages: ['@valibot/to-json-schema'],
    licence: 'MIT',
    href: 'https://valibot.dev',
    use: 'describes the public API',
  },
  {
    name: 'sharp',
    packages: ['sharp'],
    licence: 'Apache-2.0',
    href: 'https://sharp.pixelplumbing.com',
    use: 'sizes pictures',
  },
  {
    name: 'Pino',
    packages: ['pino'],
    licence: 'MIT',
    href: 'https://getpino.io',
    use: 'keeps the server’s log',
  },
  {
    name: 'zxcvbn-ts',
    packages: ['@zxcvbn-ts/language-common'],
    licence: 'MIT',
    href: 'https://github.com/zxcvbn-ts/zxcvbn',
    use: 'knows the passwords that everybody tries first',
  },
  {
    name: 'Node.js',
    packages: ['node'],
    licence: 'MIT',
    href: 'https://nodejs.org',
    use: 'runs the server',
  },
];
