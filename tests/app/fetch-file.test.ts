/** Files are fetched from the servers that the page's policy allows, and from no other. */
import { afterEach, expect, test, vi } from 'vitest';

import { fetchFile } from '#lib/fetch-file';

afterEach(() => {
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

const bucket = 'https://pictures.example.org';
const link = `${bucket}/nori/pictures/a-original?X-Amz-Signature=1`;

function answerAll() {
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return new Response('a picture');
  });
  return fetched;
}

test('a picture in a bucket that the page names is fetched', async () => {
  const fetched = answerAll();
  document.head.innerHTML = `<link rel="dns-prefetch" href="${bucket}">`;

  const file = await fetchFile(link);

  expect(file?.size).toBe('a picture'.length);
  expect(fetched).toEqual([link]);
});

test.each([
  ['the page names no other server', ''],
  ['the page names another one', '<link rel="dns-prefetch" href="https://other.example.org">'],
  ['the link is no server', `<link rel="icon" href="${bucket}">`],
])('where %s, nothing is asked', async (_case, head) => {
  const fetched = answerAll();
  document.head.innerHTML = head;

  expect(await fetchFile(link)).toBeUndefined();
  expect(fetched).toEqual([]);
});
