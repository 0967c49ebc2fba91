/** Kusa's styles from another server, kept in memory for a while. */
import * as v from 'valibot';

import { listKusaStyles, type WireStyle } from '#contract/endpoints/kusa';
import { AppError } from '#server/lib/errors';
import { fetchReply, readJson } from '#server/upstream/fetch-json';

export type KusaSettings = {
  /** The address of the list. */
  readonly url: string;
  readonly apiKey?: string | undefined;
};

const secondMs = 1000;
const defaultTimeoutMs = 10 * secondMs;
const freshMs = 10 * 60 * secondMs;
const maxStyles = 1000;

export type StyleList = { readonly list: () => Promise<readonly WireStyle[]> };

/** `list` returns an old list when the server fails, and throws `service_unavailable` when there is none. */
export function connectKusa(
  { url, apiKey }: KusaSettings,
  { clock, timeoutMs = defaultTimeoutMs }: { readonly clock: () => number; timeoutMs?: number },
): StyleList {
  let known: { readonly styles: readonly WireStyle[]; readonly at: number } | undefined;
  let pending: Promise<readonly WireStyle[]> | undefined;

  async function read(): Promise<readonly WireStyle[]> {
    const reply = await fetchReply({
      service: 'kusa',
      url,
      timeoutMs,
      headers: { Accept: 'application/json', ...(apiKey ? { 'X-API-Key': apiKey } : {}) },
    });
    const parsed = v.safeParse(listKusaStyles.output, readJson(reply));
    if (reply.status !== 200 || !parsed.success) {
      throw new AppError('service_unavailable');
    }
    return parsed.output.styles.styles
      .slice(0, maxStyles)
      .map((style) => resolvePicture(style, url));
  }

  async function refresh(): Promise<readonly WireStyle[]> {
    try {
      const styles = await read();
      known = { styles, at: clock() };
      return styles;
    } catch {
      if (known) {
        return known.styles;
      }
      throw new AppError('service_unavailable');
    }
  }

  return {
    list: async () => {
      if (known && clock() - known.at < freshMs) {
        return known.styles;
      }
      // Simultaneous calls share one request.
      pending ??= refresh().finally(() => {
        pending = undefined;
      });
      return pending;
    },
  };
}

/** With an absolute address over HTTP for its picture, or none. */
function resolvePicture(style: WireStyle, base: string): WireStyle {
  const given = style.image_url ?? '';
  const url = given !== '' && URL.canParse(given, base) ? new URL(given, base) : undefined;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  const { id, name, og_name } = style;
  return { id, name, og_name, image_url: isHttp ? url.href : undefined };
}
