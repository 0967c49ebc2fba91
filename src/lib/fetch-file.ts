/** Files that the backend names by links, which need no token. */
import { backendUrl } from './api.ts';

/** The address of a link: a relative one is on the origin of the backend, which may be another server. */
export function resolveLink(link: string): string {
  return URL.canParse(backendUrl) && URL.canParse(link, backendUrl)
    ? new URL(link, backendUrl).href
    : link;
}

/**
 * The file; undefined when it is missing, refused, or blocked by CORS. Of other hosts than ours and the
 * backend's nothing is asked, as the page's policy lets them show pictures only. Never rejects.
 */
export async function fetchFile(link: string): Promise<Blob | undefined> {
  try {
    const page = window.location;
    const { href, origin } = new URL(resolveLink(link), page.href);
    if (![page.origin, new URL(backendUrl, page.href).origin].includes(origin)) {
      return undefined;
    }
    // Neither cookies nor a referrer for another host.
    const answer = await fetch(href, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
