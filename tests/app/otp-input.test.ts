/** The six boxes of a one-time password: typing, moving, pasting, and accessibility. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { boxes, openVerification, shownCode } from '#tests/account';

const box = (position: number) => boxes()[position - 1]!;

test('digits go in one by one, and the focus moves along', async () => {
  const { user } = await openVerification();
  await waitFor(() => expect(box(1)).toHaveFocus());

  await user.keyboard('12');

  expect(shownCode()).toBe('12....');
  expect(box(3)).toHaveFocus();

  await user.keyboard('3456');

  expect(shownCode()).toBe('123456');
  expect(box(6)).toHaveFocus();
});

test('only digits count', async () => {
  const { user } = await openVerification();

  await user.type(box(1), 'a-1 b.2');

  expect(shownCode()).toBe('12....');
});

test('a digit replaces another digit, also an equal one', async () => {
  const { user } = await openVerification();
  await user.type(box(1), '123456');

  await user.click(box(2));
  await user.keyboard('9');

  expect(shownCode()).toBe('193456');
  expect(box(3)).toHaveFocus();

  await user.keyboard('3');

  expect(shownCode()).toBe('193456');
  expect(box(4)).toHaveFocus();
});

test('a digit typed beside an existing one replaces it', async () => {
  const { user } = await openVerification();
  await user.type(box(1), '123');

  await user.click(box(2));
  box(2).setSelectionRange(1, 1);
  await user.keyboard('7');

  expect(shownCode()).toBe('173...');
});

test('backspace clears the box, then moves back and clears the one before', async () => {
  const { user } = await openVerification();
  await user.type(box(1), '123456');

  await user.keyboard('{Backspace}');
  expect(shownCode()).toBe('12345.');
  expect(box(6)).toHaveFocus();

  await user.keyboard('{Backspace}');
  expect(shownCode()).toBe('1234..');
  expect(box(5)).toHaveFocus();

  await user.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}');
  expect(shownCode()).toBe('......');
  expect(box(1)).toHaveFocus();
});

test('arrows, Home and End move and change nothing', async () => {
  const { user } = await openVerification();
  await user.type(box(1), '123456');

  await user.keyboard('{ArrowLeft}');
  expect(box(5)).toHaveFocus();
  await user.keyboard('{Home}');
  expect(box(1)).toHaveFocus();
  await user.keyboard('{ArrowLeft}');
  expect(box(1)).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(box(2)).toHaveFocus();
  await user.keyboard('{End}{ArrowRight}');
  expect(box(6)).toHaveFocus();
  expect(shownCode()).toBe('123456');
});

test.each([
  { name: 'six digits', pasted: '123456', shown: '123456' },
  { name: 'as a code bubble shows them', pasted: ' 123 456\n', shown: '123456' },
  { name: 'between marks of direction', pasted: '\u200E123456\u200F', shown: '123456' },
  { name: 'in full-width digits', pasted: '１２３４５６', shown: '123456' },
  { name: 'in Arabic digits', pasted: '١٢٣٤٥٦', shown: '123456' },
  { name: 'five digits', pasted: '12345', shown: '77....' },
  { name: 'seven digits', pasted: '1234567', shown: '77....' },
  { name: 'letters', pasted: 'abcdef', shown: '77....' },
  { name: 'digits among words', pasted: 'Your code: 123456', shown: '77....' },
  { name: 'digits with a dash', pasted: '123-456', shown: '77....' },
  { name: 'one digit', pasted: '1', shown: '77....' },
  { name: 'nothing', pasted: '', shown: '77....' },
])('pasting $name', async ({ pasted, shown }) => {
  const { user } = await openVerification();
  await user.type(box(1), '77');

  await user.paste(pasted);

  expect(shownCode()).toBe(shown);
  expect(shown === '123456' ? box(6) : box(3)).toHaveFocus();
});

test("a phone's autofill puts the whole code into the first box", async () => {
  const { user } = await openVerification();
  await user.click(box(1));

  fireEvent.input(box(1), { target: { value: '246810' } });

  await waitFor(() => expect(shownCode()).toBe('246810'));
  expect(box(6)).toHaveFocus();
});

test('a digit of an input method counts when it is finished', async () => {
  const { user } = await openVerification();
  await user.click(box(1));

  fireEvent.compositionStart(box(1));
  fireEvent.input(box(1), { target: { value: '４' }, isComposing: true });
  await waitFor(() => expect(box(1)).toHaveValue('４'));
  expect(box(1)).toHaveFocus();
  fireEvent.compositionEnd(box(1));

  await waitFor(() => expect(shownCode()).toBe('4.....'));
  expect(box(2)).toHaveFocus();
});

test('the boxes are a named group, and each has a label', async () => {
  await openVerification();

  const group = screen.getByRole('group', { name: 'One-time password' });
  expect(within(group).getAllByRole('textbox')).toHaveLength(6);
  expect(boxes().map(({ autocomplete }) => autocomplete)).toEqual([
    'one-time-code',
    ...Array.from({ length: 5 }, () => 'off'),
  ]);
  for (const one of boxes()) {
    expect(one).toHaveAttribute('inputmode', 'numeric');
  }
  expect(box(1).closest('[dir]')).toHaveAttribute('dir', 'ltr');
});

test('a message about the code describes the boxes', async () => {
  const { user } = await openVerification();

  await user.type(box(1), '123');
  await user.click(screen.getByRole('button', { name: 'Verify OTP' }));

  await screen.findByRole('alert');
  for (const one of boxes()) {
    expect(one).toBeInvalid();
    expect(one).toHaveAccessibleDescription('Please enter the complete 6-digit OTP');
  }
  expect(box(4)).toHaveFocus();
});
