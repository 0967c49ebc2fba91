/** Downloads a file from a link that needs no token, such as a signed one. */

/** The file; undefined when it is missing, refused, or blocked by CORS. Never rejects. */
export async function fetchFile(url: string): Promise<Blob | undefined> {
  try {
    // Neither cookies nor a referrer for another host.
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
