/** The bytes behind a link that needs no header, such as a signed one. */

/** Undefined when they cannot be had: gone, refused, no answer, or another host that does not share. Never rejects. */
export async function fetchFile(url: string): Promise<Blob | undefined> {
  try {
    // No cookies, as there are none; and nothing that tells a foreign host where it is asked from.
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return answer.ok ? await answer.blob() : undefined;
  } catch {
    return undefined;
  }
}
