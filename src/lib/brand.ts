/** Who runs this Nori. Every value can be set at build time; an unset link is shown as not set. */

/** A link that may not be set, with the name of the variable that sets it. */
export type BrandLink = { readonly href: string | undefined; readonly variable: string };

const env = import.meta.env;
const username = env.VITE_BOT_USERNAME?.replace(/^@/, '');

export const brand = {
  name: env.VITE_BRAND_NAME ?? 'Nori',
  author: env.VITE_AUTHOR ?? 'the Nori contributors',
  botUsername: username,
  bot: {
    href: username ? `https://t.me/${username}` : undefined,
    variable: 'VITE_BOT_USERNAME',
  },
  updates: { href: env.VITE_UPDATES_URL, variable: 'VITE_UPDATES_URL' },
  support: { href: env.VITE_SUPPORT_URL, variable: 'VITE_SUPPORT_URL' },
} as const satisfies Record<string, string | undefined | BrandLink>;
