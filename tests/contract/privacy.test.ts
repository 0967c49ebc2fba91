/** The numbers in the privacy policy, and in what the bot answers to /privacy, are those of the server. */
import { expect, test } from 'vitest';

import { commandTexts } from '#server/bot/command-texts';
import {
  accountEventRules,
  binRules,
  codeRules,
  connectionRules,
  contentRules,
  deletionRules,
  exportRules,
  generationRules,
  historyRules,
  inboxRules,
  joinRules,
  limits,
  numberRules,
  longestWindowMs,
  memberRules,
  peopleRules,
  personalRules,
  seenMessageRules,
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

test('what happened to an account, its notices and its exports end as the policy says', () => {
  expect(policy).toContain(`is kept for ${accountEventRules.keptMs / day} days, with the kind of`);
  expect(policy).toContain(`in at most ${limits.accountNotices.max} messages a day.`);
  expect(limits.accountNotices.windowMs).toBe(day);
  expect(policy).toContain(`The server keeps it for ${exportRules.keptMs / (60 * minute)} hours,`);
});

test('what the limits have counted of a deleted account ends as the policy says', () => {
  expect(policy).toContain('what limits have counted, for two days at most,');
  // The sweep runs every few minutes.
  expect(longestWindowMs).toBeLessThan(2 * day);
});

test('a one-time password is valid for the time and the number of tries that the policy gives', () => {
  expect(policy).toContain(
    `A one-time password is good for ${codeRules.lifetimeMs / minute} minutes and ${codeRules.maxTries} tries.`,
  );
});

test('what a login leaves on the device is named', () => {
  expect(policy).toContain(
    'Where you have logged in, your device keeps a mark that says so, also after you log out. It opens nothing',
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

test('what is stored of messages is deleted after the times that the policy and the bot give', () => {
  expect(policy).toContain('usually for less than a second and for two days at most;');
  expect(inboxRules.openForMs).toBe(2 * day);
  expect(policy).toContain('The numbers of the update and of the chat stay for about a day;');
  expect(inboxRules.keptMs).toBe(day);
  expect(policy).toContain(
    'for two days, so that administrators can delete many messages at once, also which message is in which topic, who sent it and when.',
  );
  expect(seenMessageRules.keptMs).toBe(2 * day);
  expect(commandTexts.privacy.always('')).toContain(
    `only who wrote which, for ${seenMessageRules.keptMs / (60 * minute)} hours.`,
  );
});

test('people whom the bot has seen in groups are deleted after the time that the policy and the bot give', () => {
  const days = `${peopleRules.keptMs / day} days`;
  expect(policy).toContain(`These are deleted ${days} after it has seen the person last,`);
  expect(commandTexts.privacy.known).toContain(`They are deleted ${days} after I have seen you`);
  expect(policy).toContain(`“${commandTexts.privacy.forgetMe}”`);
});

test('what is done to members is deleted after the time that the policy and the bot give, and its reason is named', () => {
  const days = `${memberRules.keptMs / day} days`;
  expect(policy).toContain(`Bans, mutes, warnings, reports and the like are kept for ${days}:`);
  expect(policy).toContain('when, and the reason that was typed.');
  expect(policy).toContain(
    `A warning is kept until ${days} after it ends, an approval until it ends.`,
  );
  const { always, allForgotten } = commandTexts.privacy;
  expect(always('')).toContain('the time and the reason that was typed.');
  expect(always('')).toContain(
    `They are deleted after ${days}, a warning ${days} after it ends, an approval when it ends.`,
  );
  expect(allForgotten).toContain(`stay stored for ${days}, warnings until ${days} after they end.`);
});

test('a page that is read without login is told from groups, where the bot stores people without an account', () => {
  expect(policy).toContain('No data is collected without login on these pages.');
  expect(policy).not.toContain('No data is collected without login.');
});

test('what is kept of newcomers, contents and numbers goes when the policy says', () => {
  expect(joinRules.keptMs).toBe(day);
  expect(policy).toContain('how it ended, for a day after it ended.');
  expect(contentRules.unusedMs).toBe(day);
  expect(policy).toContain('All of it goes a day after no setting and no entry of the history');
  expect(policy).toContain(`and forgotten after ${numberRules.keptMs / day} days.`);
});

test('what people have the bot keep goes when the policy and the bot say', () => {
  const { awayKeptMs, whisperKeptMs, reminderTriedForMs } = personalRules;
  expect(reminderTriedForMs).toBe(3 * day);
  expect(policy).toContain('until you were reminded, or for three days more');
  expect(policy).toContain(`until you write in a group, for ${awayKeptMs / day} days at most;`);
  expect(policy).toContain(`whispers, encrypted, for ${whisperKeptMs / day} days;`);
  const { personal, pictures } = commandTexts.privacy;
  expect(inboxRules.openForMs).toBe(2 * day);
  expect(pictures).toContain('For two days I know which picture I have sent you where');
  expect(policy).toContain('For two days the server knows which picture it has sent where');
  expect(personal).toContain(`for ${awayKeptMs / day} days that you are away`);
  expect(personal).toContain(`whispers for ${whisperKeptMs / day} days`);
});
