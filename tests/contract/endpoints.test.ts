/** Where each input of a call is sent, and which IDs and codes are valid. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import {
  changePassword,
  deleteAccount,
  register,
  sendOtp,
  verifyOtp,
} from '#contract/endpoints/account';
import { addTopic, readChat, readTopic, setSetting, verifyChat } from '#contract/endpoints/chats';
import {
  chatId,
  message,
  otpCode,
  splitInput,
  telegramId,
  topicId,
} from '#contract/endpoints/endpoint';
import { login, readMe } from '#contract/endpoints/session';

test('a login sends its input in the body, never in the address', () => {
  const sent = splitInput(login, { telegram_id: '1', password: 'secret' });

  expect(sent).toEqual({
    path: '/login',
    query: {},
    body: { telegram_id: '1', password: 'secret' },
  });
});

test('a verification sends the code in the query and the attempt in the body', () => {
  const input = { telegram_id: '1', otp_code: '012345', attempt: 'abc' };

  expect(splitInput(verifyOtp, input)).toEqual({
    path: '/verify-otp',
    query: { telegram_id: '1', otp_code: '012345' },
    body: { attempt: 'abc' },
  });
});

test('a chat verification has no body', () => {
  expect(splitInput(verifyChat, { chat_id: '-1001', otp: '012345' })).toEqual({
    path: '/chats/verify',
    query: { chat_id: '-1001', otp: '012345' },
    body: {},
  });
});

test('a setting names its chat and topic in the path and again in the body', () => {
  const input = { chat_id: '-1001', topic_id: '0', setting_name: 'photo_blocked', value: false };

  expect(splitInput(setSetting, input)).toEqual({
    path: '/chats/-1001/topics/0/settings',
    query: {},
    body: input,
  });
});

test('a topic is read by its path alone, and added by path and query', () => {
  const input = { chat_id: '-1001', topic_id: '7' };

  expect(splitInput(readTopic, input).path).toBe('/chats/-1001/topics/7');
  expect(splitInput(addTopic, input)).toEqual({
    path: '/chats/-1001/topics',
    query: { topic_id: '7' },
    body: {},
  });
});

test('the password that deletes an account is never sent in the address', () => {
  expect(splitInput(deleteAccount, { password: 'secret' })).toEqual({
    path: '/auth/me',
    query: {},
    body: { password: 'secret' },
  });
});

test('an absent input is not sent, a false one is', () => {
  expect(splitInput(sendOtp, { telegram_id: '1', attempt: undefined }).body).toEqual({
    telegram_id: '1',
  });
  expect(
    splitInput(changePassword, {
      current_password: 'a',
      new_password: 'b',
      end_other_sessions: false,
    }).body,
  ).toMatchObject({ end_other_sessions: false });
});

test('an ID that contains a path cannot change the address', () => {
  expect(splitInput(readChat, { chat_id: '../auth/me?x=1#y' }).path).toBe(
    '/chats/..%2Fauth%2Fme%3Fx%3D1%23y',
  );
});

test.each([
  [telegramId, '123456789', '123456789'],
  [telegramId, 123_456_789, '123456789'],
  [telegramId, ' 123456789 ', '123456789'],
  [telegramId, '9007199254740991', '9007199254740991'],
  [chatId, '-1001234567890', '-1001234567890'],
  [chatId, -1_001_234_567_890, '-1001234567890'],
  [topicId, '0', '0'],
  [topicId, 0, '0'],
  [topicId, '4294967295', '4294967295'],
  [otpCode, '000000', '000000'],
])('the ID %#: %o is accepted', (schema, given, taken) => {
  expect(v.parse(schema, given)).toBe(taken);
});

test.each([
  [telegramId, ''],
  [telegramId, '0'],
  [telegramId, '-5'],
  [telegramId, '007'],
  [telegramId, '1.5'],
  [telegramId, '1e5'],
  [telegramId, '12345678901234567'],
  [telegramId, Number.NaN],
  [telegramId, '١٢٣'],
  [telegramId, null],
  [telegramId, ['1']],
  [chatId, '0'],
  [chatId, '--1'],
  [chatId, '@group'],
  [topicId, '-1'],
  [topicId, '00'],
  [topicId, '__proto__'],
  [otpCode, '12345'],
  [otpCode, '1234567'],
  [otpCode, '12 345'],
  [otpCode, '１２３４５６'],
  [otpCode, 123_456],
])('the ID %#: %o is refused', (schema, given) => {
  expect(v.is(schema, given)).toBe(false);
});

test('a form names the missing input in its own words', () => {
  const issues = v.safeParse(register.input, { telegram_id: '', email: '', password: '' }).issues;

  expect(new Set(issues?.map((issue) => issue.message))).toContain('All fields are required');
});

test.each([
  [{ message: 'Sent' }, 'Sent'],
  [undefined, ''],
  ['', ''],
  [{ status: 'ok' }, ''],
  [null, ''],
])('a backend may answer with a sentence or with nothing: %o', (body, sentence) => {
  expect(v.parse(message, body)).toEqual({ message: sentence });
});

test('a backend may send a token alone as the session', () => {
  expect(v.parse(login.output, { access_token: 'abc' })).toEqual({
    access_token: 'abc',
    token_type: 'bearer',
  });
  expect(v.is(login.output, {})).toBe(false);
  expect(v.is(login.output, '<html>')).toBe(false);
});

test('the current user has only the fields that the contract names', () => {
  const answer = { telegram_id: 1, email: 'a@b.org', password_hash: 'secret' };

  expect(v.parse(readMe.output, answer)).toEqual({ telegram_id: '1', email: 'a@b.org' });
});
