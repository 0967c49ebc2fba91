/** A group that is raided while the server's process is killed; `npm run bench:raid` does it with more, and for longer. */
import { expect, test } from 'vitest';

import { runRaid } from '#scripts/raid/raid.ts';

/** Who joins has at least a minute for the task. */
const limit = { timeout: 300_000 };

test(
  'the people are let in and all others removed, although the server is killed in the middle',
  async () => {
    const checks = await runRaid({
      mode: 'task',
      postgres: undefined,
      isKilled: true,
      joins: 60,
      people: 8,
      messages: 400,
      seconds: 10,
      seed: 1,
      latencyMs: 20,
      isEphemeralCounted: false,
      captchaSeconds: 60,
    });

    const isWrong = checks.some(({ isRight }) => isRight === false);
    // When something is wrong, the whole report is printed: it says what happened to whom.
    expect(isWrong ? checks : []).toEqual([]);
  },
  limit.timeout,
);
