/** The queue of public files: short, and apart from the queues of users' own pictures. */
import { expect, test } from 'vitest';

import { publicFileRules } from '#server/lib/limits';
import { createPublicFiles } from '#services/public-api';
import { createTestServer } from '#tests/test-server';

/** Public files that are painted when the test says so. */
async function startFiles() {
  const { deps } = await createTestServer();
  const finish: (() => void)[] = [];
  const paint = async ({ seed }: { readonly seed: string }) => {
    await new Promise<void>((resolve) => void finish.push(resolve));
    return Buffer.from(seed);
  };
  const speak = () => Promise.reject(new Error('Nothing is spoken here'));
  const files = createPublicFiles(deps, { speech: { speak }, paint });
  const makePicture = (seed: number) => {
    const order = {
      kind: 'picture',
      words: 'a lake',
      seed: String(seed),
      width: 8,
      height: 8,
    } as const;
    const { searchParams } = new URL(files.link('https://nori.example.org', order));
    const of = (name: string) => searchParams.get(name) ?? '';
    return files.make({ order: of('order'), expires: of('expires'), signature: of('signature') });
  };
  return { makePicture, finish };
}

test('public pictures are painted one after the other', async () => {
  const { makePicture, finish } = await startFiles();

  const pictures = [makePicture(1), makePicture(2)];
  await expect.poll(() => finish.length).toBe(1);
  finish[0]?.();
  const first = await pictures[0];
  await expect.poll(() => finish.length).toBe(2);
  finish[1]?.();

  expect(first?.bytes.toString()).toBe('1');
  expect((await pictures[1])?.bytes.toString()).toBe('2');
});

test('when too many wait, the next are refused until there is room again', async () => {
  const { makePicture, finish } = await startFiles();
  const most = publicFileRules.atOnce + publicFileRules.queue;

  const waiting = Array.from({ length: most }, (_, seed) => makePicture(seed));
  const refused = makePicture(most);
  const twin = makePicture(0);

  await expect(refused).rejects.toMatchObject({
    code: 'busy',
    retryAfterS: publicFileRules.fullQueueRetryS,
  });
  for (let painted = 0; painted < most; painted += 1) {
    await expect.poll(() => finish.length).toBe(painted + 1);
    finish[painted]?.();
    await waiting[painted];
  }
  expect((await twin).bytes.toString()).toBe('0');
  const later = makePicture(most);
  await expect.poll(() => finish.length).toBe(most + 1);
  finish[most]?.();
  expect((await later).bytes.toString()).toBe(String(most));
});
