/** The name, author and links of this installation. Every value can be set at build time. */

/** A link, undefined when not set, and the environment variable that sets it. */
export type BrandLink = { readonly href: string | undefined; readonly variable: string };

const username = import.meta.env.VITE_BOT_USERNAME?.replace(/^@/, '');

export const brand = {
  name: import.meta.env.VITE_BRAND_NAME ?? 'Nori',
  author: import.meta.env.VITE_AUTHOR,
  botUsername: username,
  bot: {
    href: username ? `https://t.me/${username}` : undefined,
    variable: 'VITE_BOT_USERNAME',
  },
  updates: { href: import.meta.env.VITE_UPDATES_URL, variable: 'VITE_UPDATES_URL' },
  support: { href: import.meta.env.VITE_SUPPORT_URL, variable: 'VITE_SUPPORT_URL' },
} as const satisfies Record<string, string | undefined | BrandLink>;
