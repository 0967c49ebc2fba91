/** Kusa's styles as another server lists them: asked now and then, and remembered in between. */
import * as v from 'valibot';

import { listKusaStyles, type WireStyle } from '#contract/endpoints/kusa';
import { AppError } from '#server/lib/errors';
import { ask, jsonOf } from '#server/upstream/ask';

export type KusaSettings = {
  /** Of the list itself. */
  readonly url: string;
  readonly apiKey?: string | undefined;
};

const secondMs = 1000;
const usualTimeoutMs = 10 * secondMs;
/** How long a list is good. */
const freshMs = 10 * 60 * secondMs;
const mostStyles = 1000;

export type StyleList = { readonly list: () => Promise<readonly WireStyle[]> };

/** Throws `service_unavailable` when there never was a list; an old one is better than none. */
export function connectKusa(
  { url, apiKey }: KusaSettings,
  { clock, timeoutMs = usualTimeoutMs }: { readonly clock: () => number; timeoutMs?: number },
): StyleList {
  let known: { readonly styles: readonly WireStyle[]; readonly at: number } | undefined;
  let asking: Promise<readonly WireStyle[]> | undefined;

  async function read(): Promise<readonly WireStyle[]> {
    const reply = await ask({
      url,
      timeoutMs,
      headers: { Accept: 'application/json', ...(apiKey ? { 'X-API-Key': apiKey } : {}) },
    });
    const parsed = v.safeParse(listKusaStyles.output, jsonOf(reply));
    if (reply.status !== 200 || !parsed.success) {
      throw new AppError('service_unavailable');
    }
    return parsed.output.styles.styles.slice(0, mostStyles).map((style) => withPicture(style, url));
  }

  async function renew(): Promise<readonly WireStyle[]> {
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
      // Of many who look at the same moment one asks.
      asking ??= renew().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

/** An absolute address that pages load, or none: what else stands there is no picture. */
function withPicture(style: WireStyle, base: string): WireStyle {
  const given = style.image_url ?? '';
  const url = given !== '' && URL.canParse(given, base) ? new URL(given, base) : undefined;
  const isFine = url?.protocol === 'https:' || url?.protocol === 'http:';
  const { id, name, og_name } = style;
  return { id, name, og_name, image_url: isFine ? url.href : undefined };
}
