/** The open-source packages that the product uses, with their licences. */
import { creditsTexts } from './credits-texts.ts';

const { uses } = creditsTexts;

type Part = {
  readonly name: string;
  /** Its npm packages. */
  readonly packages: readonly string[];
  readonly licence: 'MIT' | 'ISC' | 'Apache-2.0' | 'BSD-3-Clause';
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
    use: uses.react,
  },
  {
    name: 'React Router',
    packages: ['react-router-dom'],
    licence: 'MIT',
    href: 'https://reactrouter.com',
    use: uses.router,
  },
  {
    name: 'TanStack Query',
    packages: ['@tanstack/react-query'],
    licence: 'MIT',
    href: 'https://tanstack.com/query',
    use: uses.query,
  },
  {
    name: 'Zustand',
    packages: ['zustand'],
    licence: 'MIT',
    href: 'https://github.com/pmndrs/zustand',
    use: uses.zustand,
  },
  {
    name: 'axios',
    packages: ['axios'],
    licence: 'MIT',
    href: 'https://axios-http.com',
    use: uses.axios,
  },
  {
    name: 'Valibot',
    packages: ['valibot'],
    licence: 'MIT',
    href: 'https://valibot.dev',
    use: uses.valibot,
  },
  {
    name: 'Telegram Mini Apps SDK',
    packages: ['@telegram-apps/sdk-react'],
    licence: 'MIT',
    href: 'https://docs.telegram-mini-apps.com',
    use: uses.sdk,
  },
  {
    name: 'TelegramUI',
    packages: ['@telegram-apps/telegram-ui'],
    licence: 'MIT',
    href: 'https://github.com/telegram-mini-apps-dev/TelegramUI',
    use: uses.telegramUi,
  },
  {
    name: 'Lucide',
    packages: ['lucide-react'],
    licence: 'ISC',
    href: 'https://lucide.dev',
    use: uses.lucide,
  },
  {
    name: 'idb',
    packages: ['idb'],
    licence: 'ISC',
    href: 'https://github.com/jakearchibald/idb',
    use: uses.idb,
  },
  {
    name: 'uqr',
    packages: ['uqr'],
    licence: 'MIT',
    href: 'https://github.com/unjs/uqr',
    use: uses.uqr,
  },
  {
    name: 'Hono',
    packages: ['hono', '@hono/node-server'],
    licence: 'MIT',
    href: 'https://hono.dev',
    use: uses.hono,
  },
  {
    name: 'grammY',
    packages: ['grammy'],
    licence: 'MIT',
    href: 'https://grammy.dev',
    use: uses.grammy,
  },
  {
    name: 'Kysely',
    packages: ['kysely'],
    licence: 'MIT',
    href: 'https://kysely.dev',
    use: uses.kysely,
  },
  {
    name: 'node-postgres',
    packages: ['pg'],
    licence: 'MIT',
    href: 'https://node-postgres.com',
    use: uses.postgres,
  },
  {
    name: 'aws4fetch',
    packages: ['aws4fetch'],
    licence: 'MIT',
    href: 'https://github.com/mhart/aws4fetch',
    use: uses.aws4fetch,
  },
  {
    name: 'NATS.js',
    packages: ['@nats-io/jetstream', '@nats-io/transport-node'],
    licence: 'Apache-2.0',
    href: 'https://nats.io',
    use: uses.nats,
  },
  {
    name: 'OpenTelemetry',
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-prometheus',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-node',
    ],
    licence: 'Apache-2.0',
    href: 'https://opentelemetry.io',
    use: uses.telemetry,
  },
  {
    name: 'Valibot to JSON Schema',
    packages: ['@valibot/to-json-schema'],
    licence: 'MIT',
    href: 'https://valibot.dev',
    use: uses.jsonSchema,
  },
  {
    name: 'FormatJS',
    packages: ['@formatjs/icu-messageformat-parser'],
    licence: 'MIT',
    href: 'https://formatjs.github.io',
    use: uses.formatjs,
  },
  {
    name: 'Intl MessageFormat',
    packages: ['intl-messageformat'],
    licence: 'BSD-3-Clause',
    href: 'https://formatjs.github.io/docs/intl-messageformat',
    use: uses.messageFormat,
  },
  {
    name: 'fflate',
    packages: ['fflate'],
    licence: 'MIT',
    href: 'https://github.com/101arrowz/fflate',
    use: uses.fflate,
  },
  {
    name: 'SimpleWebAuthn',
    packages: ['@simplewebauthn/browser', '@simplewebauthn/server'],
    licence: 'MIT',
    href: 'https://simplewebauthn.dev/',
    use: uses.webauthn,
  },
  {
    name: 'sharp',
    packages: ['sharp'],
    licence: 'Apache-2.0',
    href: 'https://sharp.pixelplumbing.com',
    use: uses.sharp,
  },
  {
    name: 'Pino',
    packages: ['pino'],
    licence: 'MIT',
    href: 'https://getpino.io',
    use: uses.pino,
  },
  {
    name: 'zxcvbn-ts',
    packages: ['@zxcvbn-ts/language-common'],
    licence: 'MIT',
    href: 'https://github.com/zxcvbn-ts/zxcvbn',
    use: uses.zxcvbn,
  },
  {
    name: 'Node.js',
    packages: ['node'],
    licence: 'MIT',
    href: 'https://nodejs.org',
    use: uses.node,
  },
];
