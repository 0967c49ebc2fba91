/** Stopping waits for requests whose caller has disconnected. */
import { expect, test } from 'vitest';

import { trackRequests } from '#server/http/requests';

test('a request is in progress until it is answered, whether or not its caller still waits', async () => {
  const answers: ((response: Response) => void)[] = [];
  const { fetch, settled } = trackRequests(
    () => new Promise<Response>((resolve) => void answers.push(resolve)),
  );
  let isSettled = false;

  void fetch();
  void fetch();
  const waiting = settled().then(() => {
    isSettled = true;
    return isSettled;
  });
  answers[0]?.(new Response());
  await new Promise(setImmediate);
  const afterTheFirst = isSettled;
  answers[1]?.(new Response());
  await waiting;

  expect(afterTheFirst).toBe(false);
  expect(isSettled).toBe(true);
});

test('failed work does not delay the stop', async () => {
  const { fetch, settled } = trackRequests(() => Promise.reject(new Error('broken')));

  await expect(fetch()).rejects.toThrow('broken');

  await expect(settled()).resolves.toBeUndefined();
});
