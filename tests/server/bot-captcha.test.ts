/** Newcomers of a group show that they are people before they can write. */
import { describe, expect, test } from 'vitest';

import { ann, bo, olga } from '#tests/command-group';
import { newcomer, startNewcomers, uma, vic } from '#tests/newcomers';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

describe('a task', () => {
  test('is for the newcomer alone, who can write once it is done', async () => {
    const group = await startNewcomers();

    const notice = await group.joins(uma);

    expect(group.mayWrite(uma)).toBe(false);
    expect(group.listShown()).toEqual([]);
    expect(group.getQuestion(uma).ephemeral?.to).toBe(uma);
    expect(group.api.show(group.getQuestion(uma))?.buttons.flat()).toHaveLength(12);

    expect(await group.answersRight(uma)).toBe('Thank you! You can write here now.');

    expect(group.mayWrite(uma)).toBe(true);
    expect(group.api.show(group.getQuestion(uma))).toMatchObject({
      text: 'Thank you! You can write here now.',
      buttons: [],
    });
    expect(await group.check(uma)).toMatchObject({ state: 'passed', kind: 'task' });
    expect(group.isGone(await group.writes(uma))).toBe(false);
    expect(group.isGone(notice)).toBe(false);
    expect(await group.count('check_passed')).toBe(1);
    expect(await group.count('join')).toBe(1);
  });

  test('three wrong answers remove them for ten minutes, and what shows that they were there', async () => {
    const group = await startNewcomers();
    const notice = await group.joins(uma);

    expect(await group.answersWrong(uma)).toBe('That is not right. You have 2 more tries.');
    expect(await group.answersWrong(uma)).toBe('That is not right. You have 1 more try.');
    expect(await group.answersWrong(uma)).toBe(
      'That was wrong too often. You can join again in 10 minutes.',
    );

    expect(group.api.members.read(groupId, uma)).toMatchObject({
      status: 'kicked',
      until: Math.floor(group.server.now() / 1000) + 600,
    });
    expect(group.isGone(notice)).toBe(true);
    expect(group.listShown()).toEqual([]);
    expect(await group.count('check_failed')).toBe(1);
  });

  test('who is removed can join again later, and is asked again', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    await group.answersWrong(uma);
    await group.answersWrong(uma);
    await group.answersWrong(uma);

    group.server.wait(11 * minute);
    await group.joins(uma);

    expect(group.mayWrite(uma)).toBe(false);
    await group.answersRight(uma);
    expect(group.mayWrite(uma)).toBe(true);
  });

  test('a wrong answer that is handled again counts once', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    const wrong = group.findData(uma, 'wrong');
    const { joining } = group.server.services;
    const who = { chatId: groupId, telegramId: uma };

    expect(await joining.answerTask(who, wrong)).toMatchObject({ kind: 'wrong', left: 2 });
    expect(await joining.answerTask(who, wrong)).toMatchObject({ kind: 'stale' });

    expect(await group.check(uma)).toMatchObject({ state: 'open', tries: 1 });
  });

  test('of two answers at the same moment one counts', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    const { joining } = group.server.services;
    const who = { chatId: groupId, telegramId: uma };
    const [right, wrong] = [group.findData(uma, 'right'), group.findData(uma, 'wrong')];

    const answers = await Promise.all([
      joining.answerTask(who, right),
      joining.answerTask(who, wrong),
      joining.answerTask(who, right),
    ]);

    const check = await group.check(uma);
    expect(answers.filter(({ kind }) => kind === 'passed').length).toBeLessThanOrEqual(2);
    expect(await group.count('check_passed')).toBe(check?.state === 'passed' ? 1 : 0);
    expect(group.mayWrite(uma)).toBe(check?.state === 'passed');
  });

  test('another member who presses it is told that it is not theirs', async () => {
    const group = await startNewcomers(
      { captcha_mode: 'task' },
      { group: { knowsEphemeral: false } },
    );
    await group.joins(uma);
    const question = group.getQuestion(uma);
    expect(group.listShown()).toEqual([question]);
    const [label = ''] = group.api.show(question)?.buttons.flat() ?? [];

    expect(await group.presses(ann, question, label)).toBe('This button is for someone else.');

    expect(await group.check(uma)).toMatchObject({ state: 'open', tries: 0 });
    await group.answersRight(uma);
    expect(group.listShown()).toEqual([]);
  });
});

describe('a button', () => {
  test('takes one press', async () => {
    const group = await startNewcomers({ captcha_mode: 'button' });
    await group.joins(uma);
    expect(group.mayWrite(uma)).toBe(false);

    await group.presses(uma, group.getQuestion(uma), 'I am a person');

    expect(group.mayWrite(uma)).toBe(true);
  });
});

test('who joins without having seen the gate does a task in the group', async () => {
  const group = await startNewcomers({ captcha_mode: 'gate' });

  await group.joins(uma);

  expect(await group.check(uma)).toMatchObject({ kind: 'task', state: 'open' });
});

describe('when the time is over', () => {
  test('they are removed, and may come back', async () => {
    const group = await startNewcomers();
    const notice = await group.joins(uma);

    await group.passes(5 * minute);

    expect(group.status(uma)).toBe('kicked');
    expect(group.isGone(notice)).toBe(true);
    expect(await group.count('check_expired')).toBe(1);
    group.server.wait(2 * minute);
    expect(group.status(uma)).toBe('left');
  });

  test('or they stay muted, as the chat wants', async () => {
    const group = await startNewcomers({ captcha_mode: 'task', captcha_over: 'mute' });
    await group.joins(uma);

    await group.passes(5 * minute);

    expect(group.api.members.read(groupId, uma)).toMatchObject({ status: 'restricted', until: 0 });
    expect(group.mayWrite(uma)).toBe(false);
  });

  test('also when no server was there then', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    await group.server.stopBot();
    group.server.wait(60 * minute);

    const next = await group.continues();
    next.wait(60 * minute);
    await next.services.dueJobs.runDue();

    expect(await group.check(uma)).toMatchObject({ state: 'expired' });
    expect(group.status(uma)).toBe('kicked');
  });
});

test('messages of who has not passed go, and those of others stay', async () => {
  const group = await startNewcomers();
  await group.joins(uma);

  const [hers, others] = [await group.writes(uma), await group.writes(ann)];

  expect(group.isGone(hers)).toBe(true);
  expect(group.isGone(others)).toBe(false);
});

test('a message that comes before the news of the join goes with that news', async () => {
  const group = await startNewcomers();
  const joined = group.api.moves.join(groupId, uma);
  const notice = group.toNotice(uma);
  await group.hears({ message: notice });
  const message = await group.writes(uma);
  expect(group.isGone(message)).toBe(false);

  await group.hears(joined);

  expect(group.isGone(message)).toBe(true);
  expect(group.isGone(notice.message_id)).toBe(false);
  await group.passes(5 * minute);
  expect(group.isGone(notice.message_id)).toBe(true);
});

test('a join that is told twice asks once', async () => {
  const group = await startNewcomers();
  const joined = group.api.moves.join(groupId, uma);

  await group.hears(joined);
  await group.hears(joined);
  await group.hears({ message: group.toNotice(uma) });

  expect(group.api.messages.filter(({ ephemeral }) => ephemeral?.to === uma)).toHaveLength(1);
});

test('who leaves is asked again when they come back, and who has passed is not', async () => {
  const group = await startNewcomers();
  await group.joins(uma);
  await group.leaves(uma);
  expect(await group.check(uma)).toMatchObject({ state: 'gone' });

  group.server.wait(minute);
  await group.joins(uma);
  expect(await group.check(uma)).toMatchObject({ state: 'open', tries: 0 });
  await group.answersRight(uma);
  expect(group.mayWrite(uma)).toBe(true);

  await group.leaves(uma);
  group.server.wait(minute);
  await group.joins(uma);
  expect(await group.check(uma)).toMatchObject({ state: 'passed' });
  expect(group.isGone(await group.writes(uma))).toBe(false);
});

describe('not asked are', () => {
  test('those whom an administrator adds', async () => {
    const group = await startNewcomers();

    await group.joins(uma, { by: bo });

    expect(group.findQuestion(uma)).toBeUndefined();
    expect(group.mayWrite(uma)).toBe(true);
  });

  test('but those whom a member adds are', async () => {
    const group = await startNewcomers();

    await group.joins(uma, { by: ann });

    expect(group.findQuestion(uma)).toBeDefined();
  });

  test('those who were approved before', async () => {
    const group = await startNewcomers();
    await group.says(olga, `/approve ${uma}`);

    await group.joins(uma);

    expect(group.mayWrite(uma)).toBe(true);
    expect(group.api.messages.filter(({ ephemeral }) => ephemeral?.to === uma)).toEqual([]);
  });
});

describe('an administrator decides meanwhile', () => {
  test.each(['unmute', 'promote'] as const)('by %s: the check is over', async (what) => {
    const group = await startNewcomers();
    await group.joins(uma);
    group.server.wait(2000);

    await group.orders(uma, what);

    expect(await group.check(uma)).toMatchObject({ state: 'let_in' });
    expect(group.isGone(await group.writes(uma))).toBe(false);
    await group.passes(10 * minute);
    expect(group.status(uma)).not.toBe('kicked');
  });

  test('by a mute: passing does not end it', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    const question = group.getQuestion(uma);
    group.server.wait(2000);

    await group.orders(uma, 'mute');
    const [label = ''] = group.api.show(question)?.buttons.flat() ?? [];

    expect(await group.presses(uma, question, label)).toBe('This button is not needed any more.');
    expect(group.mayWrite(uma)).toBe(false);
  });

  test('by a ban: it stays', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    group.server.wait(2000);

    await group.orders(uma, 'ban');
    await group.passes(10 * minute);

    expect(group.api.members.read(groupId, uma)).toMatchObject({ status: 'kicked', until: 0 });
    expect(await group.check(uma)).toMatchObject({ state: 'gone' });
  });

  test('by a command of the bot, or by approving them', async () => {
    const group = await startNewcomers();
    await group.joins(uma);
    await group.joins(vic);
    group.server.wait(2000);

    await group.says(olga, `/unmute ${uma}`);
    await group.settled();
    await group.says(olga, `/approve ${vic}`);

    await expect.poll(() => group.mayWrite(vic)).toBe(true);
    expect(await group.check(uma)).toMatchObject({ state: 'let_in' });
    expect(group.mayWrite(uma)).toBe(true);
  });

  test('by switching it off: no one stays muted', async () => {
    const group = await startNewcomers();
    await group.joins(uma);

    await group.says(olga, '/captcha off');

    await expect.poll(() => group.mayWrite(uma)).toBe(true);
  });
});

test('who was muted by an administrator and comes back stays muted', async () => {
  const group = await startNewcomers();
  group.api.members.put(groupId, uma, { status: 'restricted' });

  await group.joins(uma);

  expect(group.findQuestion(uma)).toBeUndefined();
  expect(group.mayWrite(uma)).toBe(false);
});

test('many who join at once are asked by one message, which goes with the last of them', async () => {
  const group = await startNewcomers();
  const people = Array.from({ length: 12 }, (_one, index) => newcomer(index));
  for (const person of people) {
    await group.joins(person);
  }
  expect(group.listShown()).toHaveLength(1);
  const [shared] = group.listShown();
  if (shared === undefined) {
    throw new Error('The group sees no message');
  }
  expect(group.api.show(shared)?.text).toBe(
    'Have you just joined? Press the button, then you can write here.',
  );

  // Who is no newcomer is told so.
  expect(await group.presses(ann, shared, 'I have just joined')).toBe(
    'This button is not needed any more.',
  );
  for (const person of people) {
    if (group.findQuestion(person) === undefined) {
      await group.presses(person, shared, 'I have just joined');
    }
    await group.answersRight(person);
  }

  expect(people.filter((person) => !group.mayWrite(person))).toEqual([]);
  expect(group.listShown()).toEqual([]);
});

test('who has not answered for a minute is asked where all see it', async () => {
  const group = await startNewcomers();
  await group.joins(uma);
  expect(group.listShown()).toEqual([]);

  await group.passes(minute);

  expect(group.listShown()).toHaveLength(1);
  await group.passes(4 * minute);
  expect(group.status(uma)).toBe('kicked');
  expect(group.listShown()).toEqual([]);
});

test('a bot that may mute no one asks no one', async () => {
  const group = await startNewcomers();
  group.group.botRights = ['delete'];

  await group.joins(uma);

  expect(group.findQuestion(uma)).toBeUndefined();
  expect(await group.check(uma)).toMatchObject({ state: 'let_in' });
  expect(group.isGone(await group.writes(uma))).toBe(false);
});

test('what Telegram does not take at once is done a little later', async () => {
  const group = await startNewcomers();
  group.api.fail('restrictChatMember', { error_code: 500, description: 'Internal Server Error' });
  await group.joins(uma);
  expect(group.mayWrite(uma)).toBe(true);

  await group.passes(11_000);

  expect(group.mayWrite(uma)).toBe(false);
  expect(group.findQuestion(uma)).toBeDefined();
});

describe('/captcha', () => {
  test.each([
    [
      '/captcha button',
      'Newcomers press a button before they can write. They have 5 minutes. Those who are too late are removed.',
    ],
    [
      '/captchamode task',
      'Newcomers do a short task before they can write. They have 5 minutes. Those who are too late are removed.',
    ],
    [
      '/captcha gate',
      'People who ask to join do a short task in Nori before they are in. They have 5 minutes.',
    ],
    ['/captcha off', 'Newcomers can write at once.'],
    ['/captcha', 'Newcomers can write at once.'],
    ['/captcha maybe', '/captcha button, /captcha task, /captcha gate or /captcha off'],
    ['/captchatime 30s', 'Between 1 minute and 24 hours: /captchatime 5m'],
  ])('%s', async (typed, answer) => {
    const group = await startNewcomers({});

    await group.says(olga, typed);

    expect(group.lastText()).toBe(answer);
  });

  test('needs the rights to ban and to delete, and a supergroup', async () => {
    const group = await startNewcomers({});

    group.group.botRights = ['restrict'];
    await group.says(olga, '/captcha on');
    expect(group.lastText()).toBe(
      'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
    );
    await group.says(ann, '/captcha on');
    expect(group.lastText()).toContain('Only administrators with the right');
  });
});
