/** Whatever is slow or broken beside it: what is blocked is deleted, and no update is lost. */
import { expect, test } from 'vitest';

import { enforcedChat } from '#tests/enforcement';
import { samples } from '#tests/message-samples';

const help = { text: '/help', entities: [{ type: 'bot_command', offset: 0, length: 5 }] };

test('while Telegram is slow to take an answer, what is blocked in the same chat is deleted', async () => {
  const { api, block, deleted, message } = await enforcedChat({
    variables: { BOT_MODE: 'polling' },
  });
  await block(['photo']);
  api.fail('sendMessage', 'hang');
  const photo = message(samples.photo);

  api.updates.push({ message: message(help) });
  await expect.poll(() => api.callsOf('sendMessage')).toHaveLength(1);
  api.updates.push({ message: photo });

  await expect.poll(deleted).toEqual([photo.message_id]);
  // Whoever stops the bot would wait for the answer.
  await api.close();
});
