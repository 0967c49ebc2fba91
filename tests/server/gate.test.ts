/** The join gate: who asks to join reads the rules, does a task, and is in. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { answerGate } from '#contract/endpoints/gate';
import { eve, fay, startGateGroup } from '#tests/gate';
import { mistake, solve, type Task, workOut } from '#tests/join-tasks';
import { groupId } from '#tests/test-bot';

const five = 5 * 60;
const refused = v.object({ code: v.string(), detail: v.string() });

describe('a person who asks to join', () => {
  test('sees Nori at once, does the task, and is in', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    expect(group.api.requests.page(groupId, eve)).toBe(`https://nori.example/gate?chat=${groupId}`);

    const seen = await group.opens(eve);
    expect(seen).toMatchObject({ chat_name: 'Otters', state: 'open', tries_left: 3 });
    expect(seen.seconds_left).toBe(five);
    expect(seen.task?.words).toHaveLength(9);

    const answer = await group.answers(eve);
    expect(answer).toMatchObject({ outcome: 'right', state: 'in', task: null, rules: null });
    expect(group.api.requests.read(groupId, eve)).toBe('approved');
    expect(group.api.callsTo('approveChatJoinRequest')).toEqual([]);
    expect(group.group.members).toContain(eve);
    expect(await group.opens(eve)).toMatchObject({ state: 'in' });
  });

  test('gets the page in the language of their Telegram', async () => {
    const group = await startGateGroup();
    await group.asks(eve, 'ru');

    expect(group.api.requests.page(groupId, eve)).toBe(`https://nori.example/gate?chat=${groupId}`);
  });

  test('reads the rules of the group with their name in them', async () => {
    const group = await startGateGroup();
    const id = 'rules-of-the-otters-22';
    await group.server.db
      .insertInto('contents')
      .values({
        id,
        chat_id: groupId,
        body: JSON.stringify({
          text: '{first}, be kind in {chatname}',
          entities: [{ type: 'bold', offset: 9, length: 7 }],
          buttons: [],
        }),
        created_at: 0,
      })
      .execute();
    await group.set({ rules_content: id });
    await group.asks(eve);

    const { rules } = await group.opens(eve);
    expect(rules).toEqual({
      text: `Person ${eve}, be kind in Otters`,
      entities: [{ type: 'bold', offset: 15, length: 7 }],
    });
  });

  test('sees the same task when they close the page and open it again, in both ways', async () => {
    const group = await startGateGroup();
    const queryId = await group.asks(eve);

    const first = await group.opens(eve, { queryId });
    group.server.wait(60_000);
    const again = await group.opens(eve, { chatId: groupId });
    expect(again.task?.question).toBe(first.task?.question);
    expect(again.task?.words).toEqual(first.task?.words);
    expect(again.seconds_left).toBe(five - 60);
  });

  test('gets another task after a wrong answer, and is turned away after three', async () => {
    const group = await startGateGroup();
    await group.asks(eve);

    const { task: first } = await group.opens(eve);
    const wrong = await group.answers(eve, mistake);
    expect(wrong).toMatchObject({ outcome: 'wrong', state: 'open', tries_left: 2 });
    expect(wrong.task?.words).not.toEqual(first?.words);
    expect(await group.answers(eve, mistake)).toMatchObject({ outcome: 'wrong', tries_left: 1 });
    expect(await group.answers(eve, mistake)).toMatchObject({
      outcome: 'wrong',
      state: 'failed',
      tries_left: 0,
      seconds_left: 600,
      task: null,
    });
    expect(group.api.requests.read(groupId, eve)).toBe('declined');

    // Asking again gives no new task within ten minutes.
    await group.asks(eve);
    expect(group.api.requests.read(groupId, eve)).toBe('declined');
    expect(await group.opens(eve)).toMatchObject({ state: 'failed' });
    group.server.wait(600_000);
    await group.asks(eve);
    expect(await group.opens(eve)).toMatchObject({ state: 'open', tries_left: 3 });
  });

  test('keeps the tries that are left when they withdraw the request and ask again', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    await group.answers(eve, mistake);
    group.api.requests.withdraw(groupId, eve);
    await group.asks(eve);

    expect(await group.opens(eve)).toMatchObject({ state: 'open', tries_left: 2 });
    expect(await group.answers(eve)).toMatchObject({ state: 'in' });
  });

  test('is turned away when the time is over, and may ask again at once', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    await group.waitsFor(five);

    expect(group.api.requests.read(groupId, eve)).toBe('declined');
    expect(await group.opens(eve)).toMatchObject({ state: 'expired', task: null });
    await group.asks(eve);
    expect(await group.opens(eve)).toMatchObject({ state: 'open' });
  });

  test('has no task any more when others have decided', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    group.api.requests.withdraw(groupId, eve);
    group.api.requests.expireQueries();

    expect(await group.answers(eve)).toMatchObject({ outcome: 'right', state: 'gone' });
  });

  test('who is in already is told so', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    group.group.members.push(eve);
    group.api.requests.expireQueries();

    expect(await group.answers(eve)).toMatchObject({ outcome: 'right', state: 'in' });
  });
});

describe('an answer', () => {
  test('that comes before anyone could have read the task is not looked at', async () => {
    const group = await startGateGroup();
    await group.asks(eve);

    expect(await group.answers(eve, solve, { readMs: 1999 })).toMatchObject({
      outcome: 'too_fast',
      state: 'open',
      tries_left: 3,
    });
    expect(group.api.requests.read(groupId, eve)).toBe('pending');
  });

  test('to a task that was answered before costs no try', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    const { task } = await group.opens(eve);
    await group.answers(eve, mistake);

    const late = await group.sends(eve, {
      task: expectTask(task),
      answer: solve(expectTask(task)),
    });
    expect(late).toMatchObject({ outcome: 'outdated', tries_left: 2 });
  });

  test('without the work of the device is refused', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    const { task } = await group.opens(eve);
    const { ticket, work } = expectTask(task);
    group.server.wait(4000);

    const { status, body } = await group.server.call(answerGate, {
      init_data: group.launch(eve),
      ticket,
      answer: [...solve(expectTask(task))],
      work: (workOut({ ticket, work }) + 1) % work.candidates,
    });
    expect(status).toBe(422);
    expect(v.parse(refused, body).detail).toMatch(/could not be checked/);
    expect(await group.opens(eve)).toMatchObject({ tries_left: 3 });
  });

  test('is one of three, however many are sent at the same time', async () => {
    const group = await startGateGroup();
    await group.asks(eve);
    const task = expectTask((await group.opens(eve)).task);
    group.server.wait(4000);

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => group.sends(eve, { task, answer: mistake(task) })),
    );
    expect(answers.filter(({ outcome }) => outcome === 'wrong')).toHaveLength(1);
    expect(await group.opens(eve)).toMatchObject({ tries_left: 2 });
  });

  test('is stored as a keyed hash alone, and the query sealed', async () => {
    const group = await startGateGroup();
    const queryId = await group.asks(eve);

    const row = await group.server.db
      .selectFrom('join_checks')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row.answer_hash).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(queryId);
  });
});

describe('launch data', () => {
  test('that is forged is refused', async () => {
    const group = await startGateGroup();
    await group.asks(eve);

    const { status, body } = await group.call(eve, { botToken: '1:another' });
    expect(status).toBe(401);
    expect(v.parse(refused, body)).toMatchObject({ code: 'invalid_launch_data' });
    expect(v.parse(refused, body).detail).toContain('ask to join again');
  });

  test('that is older than an hour is refused in other words', async () => {
    const group = await startGateGroup();
    await group.asks(eve);

    const { status, body } = await group.call(eve, {
      signedAt: group.server.now() - 60 * 60_000 - 1000,
    });
    expect(status).toBe(403);
    expect(v.parse(refused, body)).toMatchObject({ code: 'launch_too_old' });
  });

  test('of another person opens nothing, also with the query of the first', async () => {
    const group = await startGateGroup();
    const queryId = await group.asks(eve);

    const { status, body } = await group.call(eve, { queryId, chatId: groupId, as: fay });
    expect(status).toBe(404);
    expect(v.parse(refused, body).detail).toMatch(/no open request of yours/);
    expect(await group.opens(eve, { queryId })).toMatchObject({ state: 'open' });
  });

  test('without a request opens nothing', async () => {
    const group = await startGateGroup();

    expect((await group.call(fay)).status).toBe(404);
  });
});

const expectTask = (task: Task | null): Task => {
  if (task === null) {
    throw new Error('There is no task');
  }
  return task;
};
