/** The numbers in the privacy policy are those of the server. */
import { expect, test } from 'vitest';

import {
  binRules,
  codeRules,
  connectionRules,
  deletionRules,
  generationRules,
  historyRules,
  longestWindowMs,
  sessionRules,
} from '#server/lib/limits';

// oxlint-disable-next-line no-restricted-imports -- The policy itself is compared with the server's numbers.
import { privacyTexts } from '../../src/features/about/privacy-texts.ts';

const policy = Object.values(privacyTexts.sections)
  .flatMap(({ paragraphs }) => Object.values<string>(paragraphs))
  .join('\n');
const minute = 60_000;
const day = 24 * 60 * minute;

test('sessions end after the time that the policy gives', () => {
  expect(policy).toContain(
    `A session ends by itself after ${sessionRules.absoluteMs / day} days, or after ${sessionRules.idleMs / day} days without use.`,
  );
});

test('a one-time password is valid for the time and the number of tries that the policy gives', () => {
  expect(policy).toContain(
    `A one-time password is good for ${codeRules.lifetimeMs / minute} minutes and ${codeRules.maxTries} tries.`,
  );
});

test('counts by network address are deleted after the time that the policy gives', () => {
  expect(policy).toContain('A count is forgotten within two days.');
  expect(longestWindowMs).toBeLessThan(2 * day);
});

test('the request and picture of a visitor are deleted after the time that the policy gives', () => {
  expect(policy).toContain(
    'The server forgets what was asked for within two days, and the picture within three.',
  );
  // The sweep keeps requests for this long, and pictures for twice as long; it runs every few minutes.
  expect(generationRules.keptMs).toBeLessThan(1.5 * day);
});

test('an unfinished link is removed after the time that the policy gives', () => {
  expect(policy).toContain(
    'A link that you began and did not finish is forgotten within half an hour.',
  );
  // It expires by itself, and the sweep runs every few minutes.
  expect(connectionRules.attemptLifetimeMs).toBeLessThan(20 * minute);
});

test('the changes of a chat and its counts of deletions are deleted after the time that the policy gives', () => {
  expect(policy).toContain(
    `who changed what and when, with their Telegram user ID, for ${historyRules.keptMs / day} days.`,
  );
  expect(policy).toContain('is counted by the hour and forgotten after eight days.');
  expect(deletionRules.keptMs).toBe(8 * day);
});

test('a deleted picture is removed after the time that the policy gives', () => {
  expect(policy).toContain('is removed from the server within half an hour.');
  // The sweep runs every ten minutes.
  expect(binRules.keptMs).toBeLessThan(20 * minute);
});
