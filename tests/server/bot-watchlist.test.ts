/** What people watch: their list at AniList, shown and changed by commands and buttons. */
import { describe, expect, test } from 'vitest';

import { lookupTexts } from '#server/services/lookup-texts';
import { narutos, onePiece } from '#tests/anilist';
import { ann, dan } from '#tests/command-group';
import { startWatching } from '#tests/watching';

describe('the list', () => {
  test('is seen by its owner alone, with what they have watched', async () => {
    const group = await startWatching();
    group.watch(154_587, 4);
    group.watch(onePiece.id, 1000);

    await group.says(ann, '/watchlist');

    expect(group.api.messages.at(-1)).toMatchObject({
      ephemeral: { to: ann },
      text: 'You are watching:\n• Frieren: Beyond Journey’s End: 4 of 28\n• One Piece: 1000',
    });
    expect(group.api.show(group.lastMessage())?.buttons).toEqual([
      ['+1 Frieren: Beyond Journey’s End'],
      ['+1 One Piece'],
    ]);
  });

  test('is shown in private', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);

    await group.writesPrivately(ann, '/watchlist');

    expect(group.api.messages.at(-1)).toMatchObject({
      to: ann,
      text: 'You are watching:\n• One Piece: 1000',
    });
  });

  test('may be empty', async () => {
    const group = await startWatching();

    await group.says(ann, '/watchlist');

    expect(group.lastText()).toBe(lookupTexts.watchingNothing);
  });

  test('of many has buttons for eight', async () => {
    const group = await startWatching();
    group.aniList.world.media = Array.from({ length: 11 }, (_, index) => ({
      ...onePiece,
      id: 5000 + index,
      title: { english: `Part ${index}` },
    }));
    for (let index = 0; index < 11; index += 1) {
      group.watch(5000 + index, index);
    }

    await group.says(ann, '/watchlist');

    expect(group.lastText()).toContain('• Part 7: 7\nAnd 3 more at AniList.');
    expect(group.api.show(group.lastMessage())?.buttons).toHaveLength(8);
  });
});

describe('one more episode', () => {
  test('is noted at AniList by a button, and the list says so', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);
    await group.says(ann, '/watchlist');

    const { answers, shown } = await group.press([ann, '+1 One Piece']);

    expect(answers).toEqual(['One Piece: 1001']);
    expect(shown?.text).toBe('You are watching:\n• One Piece: 1001');
    expect(group.aniList.world.watching.get(onePiece.id)).toEqual({
      progress: 1001,
      status: 'CURRENT',
    });
  });

  test('is one, however often the same button is pressed', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);
    await group.says(ann, '/watchlist');

    await group.press([ann, '+1 One Piece'], [ann, '+1 One Piece']);

    expect(group.aniList.world.watching.get(onePiece.id)?.progress).toBe(1001);
  });

  test('by an old button takes nothing back', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);
    await group.says(ann, '/watchlist');
    group.watch(onePiece.id, 1050);

    const { answers } = await group.press([ann, '+1 One Piece']);

    expect(answers).toEqual(['One Piece: 1050']);
    expect(group.aniList.world.watching.get(onePiece.id)?.progress).toBe(1050);
  });

  test('may be the last, and then the anime is completed', async () => {
    const group = await startWatching();
    group.watch(154_587, 27);
    await group.says(ann, '/watchlist');

    const { answers, shown } = await group.press([ann, '+1 Frieren: Beyond Journey’s End']);

    expect(answers).toEqual([lookupTexts.completed('Frieren: Beyond Journey’s End')]);
    expect(shown?.text).toBe(lookupTexts.watchingNothing);
    expect(group.aniList.world.watching.get(154_587)).toEqual({
      progress: 28,
      status: 'COMPLETED',
    });
  });

  test('is not for others, where all see the list', async () => {
    const group = await startWatching({ group: { knowsEphemeral: false } });
    group.watch(onePiece.id, 1000);
    await group.says(ann, '/watchlist');

    const { answers } = await group.press([dan, '+1 One Piece']);

    expect(answers).toEqual([lookupTexts.notYours]);
    expect(group.aniList.world.watching.get(onePiece.id)?.progress).toBe(1000);
  });
});

describe('/watched', () => {
  test.each([
    ['/watched One Piece', 1001],
    ['/watched One Piece 7', 7],
  ])('%s notes %i', async (command, progress) => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);

    await group.says(ann, command);

    expect(group.lastText()).toBe(`One Piece: ${progress}`);
    expect(group.aniList.world.watching.get(onePiece.id)?.progress).toBe(progress);
  });

  test('begins what is in no list', async () => {
    const group = await startWatching();

    await group.says(ann, '/watched frieren');

    expect(group.lastText()).toBe('Frieren: Beyond Journey’s End: 1 of 28');
    expect(group.aniList.world.watching.get(154_587)).toEqual({ progress: 1, status: 'CURRENT' });
  });

  test('counts an update that is handled again once', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);
    await group.says(ann, '/watched One Piece');

    await group.hearsAgain();

    expect(group.aniList.world.watching.get(onePiece.id)?.progress).toBe(1001);
  });

  test('means the one that they watch, of several of a name', async () => {
    const group = await startWatching();
    group.watch(narutos[1]?.id ?? 0, 10);

    await group.says(ann, '/watched naruto');

    expect(group.lastText()).toBe('Naruto Shippuden: 11 of 28');
  });

  test('asks which one is meant when they watch none of several', async () => {
    const group = await startWatching();
    await group.says(ann, '/watched naruto 3');
    expect(group.lastText()).toBe(lookupTexts.choose('naruto'));

    const { answers } = await group.press([ann, 'Naruto Shippuden (TV series, 2007)']);

    expect(answers).toEqual(['Naruto Shippuden: 3 of 28']);
    expect(group.aniList.world.watching.get(narutos[1]?.id ?? 0)?.progress).toBe(3);
  });

  test('counts the one that is chosen once, however often its button is pressed', async () => {
    const group = await startWatching();
    await group.says(ann, '/watched naruto');
    const label = 'Naruto Shippuden (TV series, 2007)';

    // The question stays, with its buttons.
    const failure = { error_code: 500, description: 'Internal Server Error' };
    group.api.fail('editEphemeralMessageText', failure);

    await group.press([ann, label]);
    const { answers } = await group.press([ann, label]);

    expect(answers).toEqual(['Naruto Shippuden: 1 of 28']);
    expect(group.aniList.world.watching.get(narutos[1]?.id ?? 0)?.progress).toBe(1);
  });

  test.each([
    ['/watched', lookupTexts.usage('/watched Frieren 5')],
    ['/watched zzz', lookupTexts.none('zzz')],
    ['/watched frieren 29', lookupTexts.atMost('Frieren: Beyond Journey’s End', 28)],
  ])('%s notes nothing', async (command, said) => {
    const group = await startWatching();

    await group.says(ann, command);

    expect(group.lastText()).toBe(said);
    expect([...group.aniList.world.watching]).toEqual([]);
  });
});

describe('the link', () => {
  test('that was never made is offered, in a group by way of the private chat', async () => {
    const group = await startWatching();

    await group.says(dan, '/watchlist');

    expect(group.lastText()).toBe(
      'You have not linked AniList yet. You can do so in the dashboard.',
    );
    expect(group.api.show(group.lastMessage())?.buttons).toEqual([['Go on in private']]);
  });

  test('that its user has ended at AniList is gone, and offered again', async () => {
    const group = await startWatching();
    group.revoke();

    await group.writesPrivately(ann, '/watchlist');

    expect(group.api.show(group.lastMessage())?.buttons).toEqual([['Link services']]);
    const { db } = group.server;
    const rows = await db
      .selectFrom('connections')
      .select(['telegram_id', 'service'])
      .where('telegram_id', '=', ann)
      .execute();
    expect(rows).toEqual([]);
  });

  test('stays when AniList does not answer', async () => {
    const group = await startWatching();
    group.watch(onePiece.id, 1000);
    group.aniList.fail('POST /graphql', { status: 503 });
    await group.says(ann, '/watchlist');
    expect(group.lastText()).toBe(
      'AniList does not answer right now. Please try again in a moment.',
    );

    await group.says(ann, '/watchlist');

    expect(group.lastText()).toContain('One Piece: 1000');
  });

  test('stays when AniList wants a pause', async () => {
    const group = await startWatching();
    group.aniList.fail('POST /graphql', { status: 429, headers: { 'Retry-After': '40' } });

    await group.says(ann, '/watchlist');

    expect(group.lastText()).toContain('Please try again in 40 seconds.');
  });
});
