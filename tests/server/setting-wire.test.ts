/** Which requests to change a setting the server accepts. */
import { expect, test } from 'vitest';

import { ada, createTestServer } from '#tests/test-server';

const chatId = -1_009_876_543_210;
const json = { 'Content-Type': 'application/json' };

const settingPath = `/backend/chats/${chatId}/topics/0/settings`;
const goodSetting = { chat_id: chatId, topic_id: '0', setting_name: 'photo_blocked', value: true };

async function putSetting(body: unknown, path = settingPath) {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  return server.request(path, {
    method: 'PUT',
    headers: { ...json, Authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

test('a well-formed setting of a chat that the user does not manage is refused for the missing rights', async () => {
  expect(await putSetting(goodSetting)).toMatchObject({
    status: 403,
    body: { code: 'chat_not_verified' },
  });
});

test.each([
  ['a name with capitals', { ...goodSetting, setting_name: 'Photo_blocked' }],
  ['a name of another kind', { ...goodSetting, setting_name: 'photo_allowed' }],
  ['a name that is too long', { ...goodSetting, setting_name: `${'a'.repeat(41)}_blocked` }],
  ['a name with a path in it', { ...goodSetting, setting_name: '../photo_blocked' }],
  ['the name __proto__', { ...goodSetting, setting_name: '__proto__' }],
  ['the name constructor', { ...goodSetting, setting_name: 'constructor' }],
  ['a text for a value', { ...goodSetting, value: 'true' }],
  ['a number for a value', { ...goodSetting, value: 1 }],
  ['no value', { ...goodSetting, value: undefined }],
  ['a field too many', { ...goodSetting, is_admin: true }],
  ['another chat in the body', { ...goodSetting, chat_id: -1 }],
  ['another topic in the body', { ...goodSetting, topic_id: '7' }],
])('a setting with %s is refused', async (_case, body) => {
  expect(await putSetting(body)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
});

test.each([
  ['an object that hides how it becomes a text', '{"toString": 1, "valueOf": 1}'],
  ['a list without a bottom', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a list of the right id', `[${chatId}]`],
])('%s is refused as a chat ID', async (_case, id) => {
  const reply = await putSetting(JSON.stringify(goodSetting).replace(String(chatId), id));

  expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
});

test.each(['__proto__', 'constructor'])('a field called %s is ignored', async (name) => {
  const fields = JSON.stringify(goodSetting).slice(1);

  const reply = await putSetting(`{"${name}": {"prototype": {"value": 1}, "value": 1}, ${fields}`);

  expect(reply).toMatchObject({ status: 403, body: { code: 'chat_not_verified' } });
  expect('value' in {}).toBe(false);
});

test.each(['__proto__', 'constructor', '-1', '1e3', '0x10', '99999999999', '%00'])(
  'the topic %s is refused',
  async (topic) => {
    const reply = await putSetting(
      { setting_name: 'photo_blocked', value: true },
      `/backend/chats/${chatId}/topics/${topic}/settings`,
    );

    expect(reply.status).toBe(422);
  },
);
