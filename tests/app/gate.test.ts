/** The page of the join gate: what who asks to join a group sees and does in it. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { answerGate, type Gate, openGate } from '#contract/endpoints/gate';
import { renderApp } from '#tests/render-app';

const person = 666_666;

/** The work is one step, so that the tests do not wait for it. */
const work = { iterations: 1, candidates: 1, target: '' };
const task = {
  question: 'Choose the three fruits.',
  words: [
    ['apple', '🍎'],
    ['dog', '🐕'],
    ['car', '🚗'],
    ['lemon', '🍋'],
    ['hat', '🎩'],
    ['drum', '🥁'],
    ['bus', '🚌'],
    ['grapes', '🍇'],
    ['cat', '🐈'],
  ].map(([word = '', picture = '']) => ({ word, picture })),
  ticket: 'a-ticket',
  work,
};
const open: Gate = {
  chat_name: 'Otters',
  state: 'open',
  rules: {
    text: 'Be kind. No <b>ads</b>.',
    entities: [{ type: 'bold', offset: 0, length: 7 }],
  },
  task,
  tries_left: 3,
  seconds_left: 300,
};
const settled = (state: Gate['state'], seconds = 0): Gate => ({
  ...open,
  state,
  rules: null,
  task: null,
  seconds_left: seconds,
});

async function openPage(answer: object = open, status = 200) {
  const app = await renderApp('/gate?chat=-1001234567890', {
    launch: { telegramId: person },
    onConnect: (network) => network.refuse(openGate, { status, body: answer }),
  });
  return {
    ...app,
    button: () =>
      app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_main_button')?.data,
    pressButton: () => app.bridge?.emit('main_button_pressed'),
    choose: async (...words: readonly string[]) => {
      for (const word of words) {
        await app.user.click(await screen.findByRole('checkbox', { name: word }));
      }
    },
    answers: (body: object) => app.server.refuse(answerGate, { status: 200, body }),
  };
}

describe('the page', () => {
  test('shows the rules as text with their formatting, the task, and how much time is left', async () => {
    await openPage();

    expect(await screen.findByRole('heading', { name: 'Join “Otters”' })).toBeVisible();
    const rules = screen.getByRole('region', { name: 'Rules of the group' });
    expect(rules).toHaveTextContent('Be kind. No <b>ads</b>.');
    expect(within(rules).getByText('Be kind').tagName).toBe('STRONG');
    const words = within(screen.getByRole('group', { name: 'Choose the three fruits.' }));
    expect(words.getAllByRole('checkbox')).toHaveLength(9);
    expect(words.getByRole('checkbox', { name: 'apple' })).toBeEnabled();
    expect(screen.getByText(/^Time left: (?:5:00|4:5\d)$/)).toBeVisible();
  });

  test('has nothing around it', async () => {
    await openPage();

    await screen.findByRole('heading', { name: 'Join “Otters”' });
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });

  test('lets three words be chosen, and then sends them with what was worked out', async () => {
    const app = await openPage();
    app.answers({ ...settled('in'), outcome: 'right' });
    await app.choose('apple', 'lemon');
    expect(app.button()).toMatchObject({ text: 'Join the group', is_active: false });
    expect(screen.getByText('2 of 3 chosen')).toBeVisible();
    await app.choose('grapes');
    expect(app.button()).toMatchObject({ is_active: true });
    await app.choose('cat');
    expect(screen.getByRole('checkbox', { name: 'cat' })).not.toBeChecked();
    expect(screen.getByRole('status')).toHaveTextContent('Only 3: take one back first.');

    app.pressButton();

    expect(await screen.findByRole('heading', { name: 'You are in' })).toBeVisible();
    expect(app.server.requestsTo(answerGate).at(-1)?.body).toMatchObject({
      chat_id: '-1001234567890',
      ticket: 'a-ticket',
      answer: [0, 3, 7],
      work: 0,
    });
    await waitFor(() => expect(app.button()).toMatchObject({ is_visible: false }));
  });

  test('is the same for a keyboard: the words by Space, the answer by Enter', async () => {
    const app = await openPage();
    app.answers({ ...settled('in'), outcome: 'right' });
    const apple = await screen.findByRole('checkbox', { name: 'apple' });
    apple.focus();
    await app.user.keyboard(' ');
    screen.getByRole('checkbox', { name: 'lemon' }).focus();
    await app.user.keyboard(' ');
    screen.getByRole('checkbox', { name: 'grapes' }).focus();
    await app.user.keyboard(' {Enter}');

    expect(await screen.findByRole('heading', { name: 'You are in' })).toBeVisible();
  });
});

describe('an answer', () => {
  test('that is wrong brings another task, and says how many tries are left', async () => {
    const app = await openPage();
    app.answers({
      ...open,
      task: { ...task, question: 'Choose the three animals.' },
      tries_left: 1,
      outcome: 'wrong',
    });
    await app.choose('apple', 'dog', 'grapes');
    app.pressButton();

    expect(await screen.findByRole('group', { name: 'Choose the three animals.' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent(
      'That was not right. Here is another task: you have 1 more try.',
    );
    expect(screen.getByRole('checkbox', { name: 'apple' })).not.toBeChecked();
  });

  test('that is too fast keeps what was chosen', async () => {
    const app = await openPage();
    app.answers({ ...open, outcome: 'too_fast' });
    await app.choose('apple', 'lemon', 'grapes');
    app.pressButton();

    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(/^That was too fast\./),
    );
    expect(screen.getByRole('checkbox', { name: 'grapes' })).toBeChecked();
    await waitFor(() => expect(app.button()).toMatchObject({ is_active: true }));
  });

  test('that cannot be sent stays, and can be sent again', async () => {
    const app = await openPage();
    app.server.drop(answerGate);
    await app.choose('apple', 'lemon', 'grapes');
    app.pressButton();
    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'No connection. Your answer is still here: try again.',
      ),
    );
    expect(screen.getByRole('checkbox', { name: 'lemon' })).toBeChecked();

    app.answers({ ...settled('in'), outcome: 'right' });
    app.pressButton();
    expect(await screen.findByRole('heading', { name: 'You are in' })).toBeVisible();
  });
});

describe('the end', () => {
  test.each([
    ['in', 'You are in', 'The group is open to you now.'],
    ['passed', 'Well done', /will be let in shortly/],
    ['failed', 'That was not right', 'You can ask to join again in 10 minutes.'],
    ['expired', 'The time is over', /for a new task/],
    ['gone', 'This is decided already', /answered or withdrawn/],
  ] as const)('%s is told, also when the page is opened again', async (state, title, text) => {
    await openPage(settled(state, 600));

    expect(await screen.findByRole('heading', { name: title })).toHaveFocus();
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  test.each([
    ['invalid_launch_data', 401],
    ['launch_too_old', 403],
    ['not_found', 404],
  ])('%s is told in the words of the server', async (code, status) => {
    await openPage({ code, detail: 'Ask to join the group again.' }, status);

    expect(
      await screen.findByRole('heading', { name: 'This page is no longer valid' }),
    ).toBeVisible();
    expect(screen.getByText('Ask to join the group again.')).toBeVisible();
  });

  test('without a connection the page can be tried again', async () => {
    const app = await openPage({}, 503);
    expect(await screen.findByRole('heading', { name: 'No connection' })).toBeVisible();
    expect(app.button()).toMatchObject({ text: 'Try again', is_active: true });

    app.server.refuse(openGate, { status: 200, body: open });
    app.pressButton();
    expect(await screen.findByRole('group', { name: 'Choose the three fruits.' })).toBeVisible();
  });

  test('in a browser the page says where it belongs', async () => {
    await renderApp('/gate');

    expect(
      await screen.findByRole('heading', { name: 'Open this page in Telegram' }),
    ).toBeVisible();
  });
});
