/** Files that the backend names by links, which need no token, and files for other apps. */
import { backendUrl } from './api.ts';
import { type Shared } from './platform-types.ts';

/** The address of a link: a relative one is on the origin of the backend, which may be another server. */
export function resolveLink(link: string): string {
  return URL.canParse(backendUrl) && URL.canParse(link, backendUrl)
    ? new URL(link, backendUrl).href
    : link;
}

/** Of the servers that the page's policy allows: ours, the backend, and where the backend stores pictures. */
function listOrigins(page: string): readonly string[] {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="dns-prefetch"]');
  const others = [backendUrl, ...Array.from(links, ({ href }) => href)];
  return [page, ...others].map((url) => new URL(url, page).origin);
}

/**
 * The file; undefined when it is missing, refused, or blocked by CORS. Of other hosts nothing is asked, as the page's
 * policy lets them show pictures only. Never rejects.
 */
export async function fetchFile(link: string): Promise<Blob | undefined> {
  try {
    const page = window.location.href;
    const { href, origin } = new URL(resolveLink(link), page);
    if (!listOrigins(page).includes(origin)) {
      return undefined;
    }
    // Neither cookies nor a referrer for another host.
    const answer = await fetch(href, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the browser hands files to other apps. It says so of one file only, so it is asked about an empty one. */
export function canShareFiles(): boolean {
  try {
    return navigator.canShare({ files: [new File([''], 'a.png', { type: 'image/png' })] });
  } catch {
    // Browsers without it, and those that run no page, such as the one that prerenders.
    return false;
  }
}

/** Hands a file to the other apps of the device. Never rejects. */
export async function shareFile(file: File): Promise<Shared> {
  try {
    await navigator.share({ files: [file] });
    return 'sent';
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'declined' : 'failed';
  }
}
