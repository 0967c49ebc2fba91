/** What `nori doctor` says of a PostgreSQL by its version. */
import { expect, test } from 'vitest';

import { judgePostgres } from '#server/cli/doctor';

test.each(['14.0', '15.6 (Debian 15.6-0+deb12u1)', '18beta1'])(
  'PostgreSQL %s is good',
  (version) => {
    expect(judgePostgres(version, '0.4')).toMatchObject({ state: 'good', check: 'database' });
  },
);

test.each(['9.6.24', '13.14 (Ubuntu)'])(
  'PostgreSQL %s is too old, and the finding says so',
  (version) => {
    expect(judgePostgres(version, '0.4')).toEqual({
      check: 'database',
      state: 'bad',
      says: `PostgreSQL ${version} is too old: a bot could not take its lock.`,
      next: 'Use PostgreSQL 14 or newer.',
    });
  },
);
