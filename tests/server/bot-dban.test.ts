/** What /dban deletes, who may use it, and what it says when a message stays. */
import { expect, test } from 'vitest';

import { ann, bo, cy, dan, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const hour = 60 * minute;

test('/dban leaves the message of another person, and says so', async () => {
  const { api, says, toMessage, lastText } = await startGroup();
  const replied = toMessage(dan);
  await says(bo, `/dban ${ann}`, { fields: { reply_to_message: replied } });

  expect(api.members.read(groupId, ann).status).toBe('kicked');
  expect(lastText()).toBe(`${ann} is banned.\nReply to the message that should go.`);
  expect(api.deletions.of(groupId)).toEqual([]);
});

test.each([
  [1, "Telegram refuses this: message can't be deleted"],
  [49, 'Telegram lets me delete no message that is older than 48 hours.'],
])('/dban of a message of %s hours says that it could not delete it', async (hours, said) => {
  const { api, says, toMessage, lastText, server } = await startGroup();
  const replied = toMessage(ann);
  server.wait(hours * hour);
  api.deletions.forbid(groupId, replied.message_id);
  await says(bo, '/dban', { fields: { reply_to_message: replied } });

  expect(lastText()).toBe(`Ann is banned.\n${said}`);
});

test('/dban is for those who may delete, and needs a bot that may', async () => {
  const { api, says, lastText, group, server } = await startGroup({
    group: { administratorRights: { [cy]: ['restrict'] } },
  });
  await says(cy, '/dban', { to: ann });
  expect(lastText()).toBe('Only administrators with the right “Delete messages” can do this.');

  group.botMayDelete = false;
  server.services.memberCommands.rights.forget(groupId);
  await says(bo, '/dban', { to: ann });
  expect(lastText()).toBe(
    'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
  );
  expect(api.callsTo('banChatMember')).toEqual([]);
});
