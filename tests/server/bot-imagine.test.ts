/** Pictures that are asked for in groups, topics and private chats: how they come, what stands in the way, and what their buttons do. */
import { describe, expect, test } from 'vitest';

import { AppError } from '#server/lib/errors';
import { detectPictureType } from '#server/lib/picture-type';
import { startBotApi } from '#tests/bot-api-server';
import { signIn } from '#tests/chats';
import { ann, anonymous, bo, dan } from '#tests/command-group';
import { createHandEngine } from '#tests/image-engines';
import { readPhotos, startPainting, startPrivate } from '#tests/painting';
import { ada, groupId, startBot } from '#tests/test-bot';

const supergroupId = -1_009_876_543_210;
const pause = {
  error_code: 429,
  description: 'Too Many Requests: retry after 1',
  parameters: { retry_after: 1 },
};

describe('in a group', () => {
  test('a line says that it is painted, and becomes the picture; it is in the history of who asked', async () => {
    const group = await startPainting();
    const asked = await group.says(ann, '/imagine a fox in the snow --ar 3:2 --no text --seed 5');
    await expect.poll(group.hand.waiting).toBe(1);
    await expect.poll(() => group.shown()).toHaveLength(1);
    const [line] = group.api.messages;
    expect(line?.body).toMatchObject({
      chat_id: groupId,
      reply_parameters: { message_id: asked, allow_sending_without_reply: true },
    });
    expect(group.shown()).toMatchObject([
      { text: expect.stringMatching(/: a fox in the snow$/), buttons: [['Cancel']] },
    ]);

    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(1);

    expect(group.shown()).toMatchObject([
      {
        text: 'a fox in the snow\n3:2 · seed 5 · a sketch, made offline and without AI',
        buttons: [['Again', 'File', 'Remix'], ['Open in Nori'], ['Share']],
        media: { hasSpoiler: false },
      },
    ]);
    const [photo] = group.photos();
    const media = photo && group.api.show(photo)?.media;
    expect(detectPictureType(media?.file?.bytes ?? Buffer.alloc(0))).toBe('image/jpeg');
    expect(await group.history(ann)).toMatchObject([
      { prompt: 'a fox in the snow', negativePrompt: 'text', ratio: '3:2', seed: '5', nsfw: false },
    ]);
  });

  test('it comes in the topic in which it was asked for, and of a reply the message is painted', async () => {
    const group = await startPainting({ group: { isForum: true } });
    await group.says(ann, '/imagine', {
      topicId: 7,
      fields: { reply_to_message: { ...group.toMessage(dan), text: 'an otter at sea' } },
    });
    await expect.poll(group.hand.waiting).toBe(1);
    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(1);

    expect(group.photos()[0]?.body['message_thread_id']).toBe(7);
    expect(await group.history(ann)).toMatchObject([{ prompt: 'an otter at sea' }]);
  });

  test.each([
    ['without a description', '/imagine', /^What shall I paint\?/],
    ['with options alone', '/imagine --ar 1:1', /^What shall I paint\?/],
    ['with an unknown option', '/imagine a fox --v 6', /^I do not know --v\./],
    ['with an unknown ratio', '/imagine a fox --ar 7:1', /^There are these aspect ratios: 1:1, /],
    ['with a seed that is none', '/imagine a fox --seed lucky', /^A seed is a whole number/],
    ['for a better prompt of nothing', '/enhance', /^Which prompt shall I make better\?/],
  ])('what is asked for %s is explained', async (_how, text, answer) => {
    const group = await startPainting();

    await group.says(ann, text);

    expect(group.lastText()).toMatch(answer);
    expect(group.hand.asked()).toBe(0);
  });

  test('options may begin with the dash that Telegram’s apps make of two hyphens', async () => {
    const group = await startPainting();

    await group.paints(ann, '/imagine a fox —ar 16x9 —seed 7');

    expect(await group.history(ann)).toMatchObject([{ prompt: 'a fox', ratio: '16:9', seed: '7' }]);
  });

  test('who hides behind the group’s name has no history, and is told so', async () => {
    const group = await startPainting();

    await group.says(bo, '/imagine a fox', { fields: anonymous });

    expect(group.lastText()).toBe('Pictures belong to a person. Write under your own name.');
  });

  test('one person has one picture under way in a chat, another one has theirs', async () => {
    const group = await startPainting();
    await group.says(ann, '/imagine a fox');
    await group.says(ann, '/imagine a hare');
    expect(group.shown().map(({ text }) => text)).toContain(
      'I am still at your last picture here.',
    );
    await group.says(dan, '/imagine a newt');
    await expect.poll(group.hand.waiting).toBe(2);

    group.hand.finish();
    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(2);
    await expect
      .poll(() => group.server.services.dueJobs.find(`picture:${groupId}:${ann}`))
      .toBeUndefined();
    await group.says(ann, '/imagine a hare');

    await expect.poll(group.hand.waiting).toBe(1);
  });

  test('the limits of the hub count here, too', async () => {
    const group = await startPainting();
    const { limiter } = group.server.services;
    for (let count = 0; count < 120; count += 1) {
      await limiter.take(
        { name: 'generations', max: 120, windowMs: 3_600_000, text: 'pictures' },
        ann,
      );
    }

    await group.says(ann, '/imagine a fox');

    expect(group.lastText()).toMatch(/^You have made many pictures\. Please try again in/);
    expect(group.hand.asked()).toBe(0);
  });

  test('a picture of who has no account is in no history, and says so', async () => {
    const group = await startPainting();

    await group.paints(dan, '/imagine a fox');

    expect(group.shown()[0]).toMatchObject({
      text: expect.stringContaining('In no history'),
      buttons: [['Again', 'File']],
    });
    const answer = await group.presses(ann, 'File');
    expect(answer).toBe('');
    expect(group.shown().at(-1)).toMatchObject({ media: { kind: 'document' } });
  });

  test('what the engine refuses is said in the place of the picture', async () => {
    const group = await startPainting();
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);

    group.hand.fail(new AppError('generation_refused'));

    await expect.poll(() => group.shown()[0]?.text).toMatch(/^No picture came of it\. .+/);
    expect(group.shown()).toMatchObject([{ buttons: [] }]);
    expect(await group.history(ann)).toEqual([]);
  });

  test('Cancel is for who asked, and for administrators', async () => {
    const group = await startPainting();
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);
    await expect.poll(() => group.shown()).toHaveLength(1);

    const byDan = await group.presses(dan, 'Cancel');
    expect(byDan).toBe('Only who asked for the picture, or an administrator, can stop it.');
    const byBo = await group.presses(bo, 'Cancel');

    expect(byBo).toBe('Stopped.');
    await expect.poll(() => group.shown()).toMatchObject([{ text: 'Stopped.', buttons: [] }]);
    expect(await group.history(ann)).toEqual([]);
  });

  test('Cancel says so when the picture is only waiting for Telegram', async () => {
    const group = await startPainting();
    group.api.fail('editMessageMedia', pause);
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);
    await expect.poll(() => group.shown()).toHaveLength(1);
    group.hand.finish();
    await expect.poll(() => group.api.callsTo('editMessageMedia')).toHaveLength(1);

    expect(await group.presses(ann, 'Cancel')).toBe('It is not being made any more.');

    await expect.poll(group.photos).toHaveLength(1);
  });

  test('when the group becomes a supergroup meanwhile, no message of that is taken for the line', async () => {
    const group = await startPainting({ group: { type: 'group' } });
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);
    await expect.poll(() => group.shown()).toHaveLength(1);
    const [line] = group.api.messages;

    group.api.upgrade(groupId, supergroupId);
    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(1);

    const [photo] = group.photos();
    expect(photo).toMatchObject({ to: supergroupId });
    expect(photo?.body).not.toHaveProperty('reply_parameters');
    const edits = group.api.callsTo('editMessageMedia').map(({ body }) => body);
    expect(edits.map(({ chat_id, message_id }) => [Number(chat_id), Number(message_id)])).toEqual([
      [groupId, line?.messageId],
      [supergroupId, photo?.messageId],
    ]);
  });

  test('a button that names the picture for adults of another user leads nowhere', async () => {
    const group = await startPainting();
    await group.paints(ann, '/imagine a fox');
    await group.server.db.updateTable('generations').set({ nsfw: 1 }).execute();
    await group.server.db.deleteFrom('generation_jobs').execute();

    expect(await group.presses(dan, 'File')).toBe('This picture is not there any more.');
    expect(group.api.callsTo('sendDocument')).toEqual([]);
  });

  test('Again paints for who presses it, with another seed, in their history', async () => {
    const group = await startPainting();
    await signIn(group.server, dan);
    await group.paints(ann, '/imagine a fox --seed 5 --ar 4:3');

    const answer = await group.presses(dan, 'Again');
    expect(answer).toBe('I have begun.');
    await expect.poll(group.hand.waiting).toBe(1);
    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(2);

    const [again] = await group.history(dan);
    expect(again).toMatchObject({ prompt: 'a fox', ratio: '4:3' });
    expect(again?.seed).not.toBe('5');
    expect(await group.history(ann)).toHaveLength(1);
  });

  test('Again has the limits of commands, and nothing once the picture was deleted', async () => {
    const group = await startPainting();
    await group.paints(ann, '/imagine a fox');
    const [saved] = await group.history(ann);
    await group.server.services.generations.moveToBin(ann, saved?.id ?? '');

    const answer = await group.presses(dan, 'Again');

    expect(answer).toBe('This picture is not there any more.');
    await group.server.services.generations.restore(ann, saved?.id ?? '');
    for (let count = 0; count < 9; count += 1) {
      await group.says(dan, '/help');
    }
    expect(await group.presses(dan, 'Again')).toEqual(expect.stringMatching(/^Too many requests/));
  });

  test('File is for who presses it alone, else it comes in private', async () => {
    const group = await startPainting();
    await group.paints(ann, '/imagine a fox');

    expect(await group.presses(dan, 'File')).toEqual('');
    const file = group.api.messages.at(-1);
    expect(file).toMatchObject({ ephemeral: { to: dan } });
    expect(file && group.api.show(file)?.media?.file?.name).toMatch(/^nori-.+\.png$/);

    group.api.fail(
      'sendDocument',
      { error_code: 400, description: 'Bad Request: BOT_NOT_ADMIN' },
      1,
    );
    expect(await group.presses(dan, 'File')).toEqual('The file is in our private chat.');
    expect(group.api.messages.at(-1)?.to).toBe(dan);

    group.api.setReach(dan, 'never started');
    group.api.fail(
      'sendDocument',
      { error_code: 400, description: 'Bad Request: BOT_NOT_ADMIN' },
      1,
    );
    expect(await group.presses(dan, 'File')).toEqual(
      'I could not send you the file. Press Start in our private chat, then try again.',
    );
  });

  test('where the bot may not send pictures it says so, and the picture is in the history', async () => {
    const group = await startPainting();
    group.api.fail('editMessageMedia', {
      error_code: 400,
      description: 'Bad Request: not enough rights to send photos to the chat',
    });
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);
    group.hand.finish();

    await expect
      .poll(() => group.shown()[0]?.text)
      .toBe('The picture is ready, but I may not send pictures here.');
    expect(await group.history(ann)).toHaveLength(1);
  });

  test('when the bot is removed meanwhile, the picture is in the history', async () => {
    const group = await startPainting();
    await group.says(ann, '/imagine a fox');
    await expect.poll(group.hand.waiting).toBe(1);
    await expect.poll(() => group.shown()).toHaveLength(1);
    group.group.bot = 'kicked';

    group.hand.finish();

    await expect.poll(() => group.history(ann)).toHaveLength(1);
    await expect
      .poll(() => group.server.services.dueJobs.find(`picture:${groupId}:${ann}`))
      .toBeUndefined();
    expect(group.photos()).toEqual([]);
  });

  test('Telegram’s pause of the chat is waited for', async () => {
    const group = await startPainting();
    group.api.fail('editMessageMedia', pause);

    await group.paints(ann, '/imagine a fox');

    expect(group.photos()).toHaveLength(1);
    expect(group.api.callsTo('editMessageMedia')).toHaveLength(2);
  });

  test('where the bot is found by its name in any chat, a picture can be shared', async () => {
    const group = await startPainting();

    await group.paints(ann, '/imagine a fox');

    const [saved] = await group.history(ann);
    expect(JSON.stringify(group.api.callsTo('editMessageMedia')[0]?.body)).toContain(
      `"switch_inline_query":"picture ${saved?.id}"`,
    );
  });

  test('where it is not, there is no button for that', async () => {
    const api = await startBotApi({ people: [{ id: ada.id, first_name: 'Ada' }] });
    api.bot.hasInline = false;
    const hand = createHandEngine();
    const bot = await startBot({ api, bot: { api }, engines: { pixai: hand.engine } });
    await bot.writes('/imagine a fox');
    await expect.poll(hand.waiting).toBe(1);
    hand.finish();

    await expect.poll(() => readPhotos(api)).toHaveLength(1);
    expect(JSON.stringify(api.callsTo('editMessageMedia'))).not.toContain('switch_inline_query');
  });
});

describe('in private', () => {
  test('a draft shows that it is painted; then the picture and its file come', async () => {
    const bot = await startPrivate();
    await bot.writes('/imagine a fox');
    await expect.poll(bot.hand.waiting).toBe(1);
    await expect.poll(() => bot.api.drafts).not.toEqual([]);
    expect(bot.api.drafts[0]).toMatchObject({
      to: ada.id,
      text: expect.stringMatching(/: a fox$/),
      canStop: true,
    });
    expect(bot.shown()).toEqual([]);

    bot.hand.finish();
    await expect.poll(() => bot.shown().filter(({ media }) => media !== undefined)).toHaveLength(2);

    expect(bot.shown()).toMatchObject([
      { media: { kind: 'photo' }, buttons: [['Again', 'Remix'], ['Open in Nori'], ['Share']] },
      { media: { kind: 'document' }, buttons: [] },
    ]);
    expect(await bot.history(ada.id)).toHaveLength(1);
  });

  test('the draft’s Stop ends it', async () => {
    const bot = await startPrivate();
    await bot.writes('/imagine a fox');
    await expect.poll(() => bot.api.drafts).not.toEqual([]);
    const stopped = (draft_id: number) =>
      bot.hears({
        stopped_message_generation: { chat: { id: ada.id, type: 'private' }, draft_id },
      });

    await stopped(1);
    expect(bot.shown()).toEqual([]);
    await stopped(bot.api.drafts[0]?.draftId ?? 0);

    await expect.poll(() => bot.shown()).toMatchObject([{ text: 'Stopped.' }]);
    expect(await bot.history(ada.id)).toEqual([]);
  });

  test('a draft is shown again before it goes', async () => {
    const bot = await startPrivate();
    await bot.writes('/imagine a fox');
    await expect.poll(() => bot.api.drafts).not.toEqual([]);
    const { dueJobs } = bot.server.services;
    await expect
      .poll(async () => (await dueJobs.find(`picture:${ada.id}:${ada.id}`))?.dueAt)
      .toBeGreaterThan(bot.server.now());
    const before = bot.api.drafts.length;

    bot.server.wait(20_000);
    await dueJobs.runDue();

    expect(bot.api.drafts.length).toBeGreaterThan(before);
    expect(new Set(bot.api.drafts.map(({ draftId }) => draftId)).size).toBe(1);
  });

  test('a server without drafts shows a line with Cancel', async () => {
    const bot = await startPrivate({ knowsDrafts: false });
    await bot.writes('/imagine a fox');
    await expect.poll(bot.hand.waiting).toBe(1);
    await expect.poll(() => bot.shown()).toMatchObject([{ buttons: [['Cancel']] }]);

    bot.hand.finish();

    await expect.poll(() => bot.shown().filter(({ media }) => media !== undefined)).toHaveLength(2);
    expect(bot.shown()).toHaveLength(2);
    expect(bot.api.callsTo('sendMessageDraft')).toHaveLength(1);
  });

  test('who blocks the bot has the picture in the history', async () => {
    const bot = await startPrivate();
    await bot.writes('/imagine a fox');
    await expect.poll(bot.hand.waiting).toBe(1);
    bot.api.setReach(ada.id, 'blocked');

    bot.hand.finish();

    await expect.poll(() => bot.history(ada.id)).toHaveLength(1);
    await expect
      .poll(() => bot.server.services.dueJobs.find(`picture:${ada.id}:${ada.id}`))
      .toBeUndefined();
    expect(bot.shown()).toEqual([]);
  });

  test('a link from a group leads to the picture', async () => {
    const bot = await startPrivate();

    await bot.writes('/start remix_abc-123');
    expect(bot.shown()).toMatchObject([
      { text: 'The recipe of the picture opens in Nori.', buttons: [['Remix']] },
    ]);
    await bot.writes('/start picture_abc-123');

    expect(bot.shown()[1]).toMatchObject({ buttons: [['Open in Nori']] });
  });
});

describe('/enhance', () => {
  test('has a better prompt for who asks alone, and paints it', async () => {
    const group = await startPainting();

    await group.says(ann, '/enhance a fox --ar 3:2');

    const answer = group.api.messages.at(-1);
    expect(answer?.ephemeral?.to).toBe(ann);
    expect(answer?.text).toMatch(/^A better prompt, by rules and offline:\n\na fox, .+/);
    expect(await group.presses(ann, 'Make it')).toEqual('I have begun.');
    await expect.poll(group.hand.waiting).toBe(1);
    group.hand.finish();
    await expect.poll(group.photos).toHaveLength(1);
    const [saved] = await group.history(ann);
    expect(saved).toMatchObject({ ratio: '3:2' });
    expect(answer?.text).toContain(saved?.prompt);
  });

  test('its button ends after a day', async () => {
    const group = await startPainting();
    await group.says(ann, '/enhance a fox');

    group.server.wait(25 * 60 * 60_000);
    await group.server.services.dueJobs.runDue();

    expect(await group.presses(ann, 'Make it')).toEqual(
      'This prompt is older than a day. Write /enhance once more.',
    );
  });
});

test('an update that is handled again makes no second picture', async () => {
  const group = await startPainting();
  await group.paints(ann, '/imagine a fox');

  const next = await group.hearsAgain();
  await next.services.dueJobs.runDue();

  expect(group.photos()).toHaveLength(1);
  expect(group.hand.asked()).toBe(1);
  expect(await group.history(ann)).toHaveLength(1);
});
