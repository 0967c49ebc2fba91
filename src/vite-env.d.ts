/** The build-time settings of the client; each is documented in the README. */

// Vite's own declarations can only be narrowed by merging interfaces.
interface ViteTypeOptions {
  strictImportMetaEnv: unknown;
}

interface ImportMetaEnv {
  /** Set by the build itself, for each language. */
  // oxlint-disable-next-line typescript/consistent-type-imports -- With an import the file would be a module, and its types not global.
  readonly NORI_LANGUAGE: import('../contract/languages.ts').Language;
  /** The first part of its addresses: "/ru"; empty for English. */
  readonly NORI_PREFIX: string;
  /** Those of the whole site, with commas between. */
  readonly NORI_LANGUAGES: string;
  /** Their own names, in the same order. */
  readonly NORI_LANGUAGE_NAMES: string;
  readonly NORI_LOCALE: string;
  readonly NORI_THOUSANDS: string;
  readonly VITE_BACKEND_URL?: string;
  readonly VITE_PUBLIC_API_URL?: string;
  readonly VITE_MODEL_SEARCH_URL?: string;
  readonly VITE_BRAND_NAME?: string;
  readonly VITE_AUTHOR?: string;
  readonly VITE_BOT_USERNAME?: string;
  readonly VITE_UPDATES_URL?: string;
  readonly VITE_SUPPORT_URL?: string;
}
