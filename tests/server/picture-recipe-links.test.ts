/** What the links below the bot's pictures tell of them: the recipe, to any user who has the link. */
import { expect, test } from 'vitest';

import { deleteGeneration, readLinkedRecipe } from '#contract/endpoints/generations';
import { readSaved, save, startWithPeople } from '#tests/pictures';

test('the recipe is told to any user, and whether it is their own', async () => {
  const { server, tokens } = await startWithPeople();
  const { id: link } = readSaved(await save(server, tokens.ann));

  const own = await server.call(readLinkedRecipe, { link }, { token: tokens.ann });
  const others = await server.call(readLinkedRecipe, { link }, { token: tokens.bob });

  const recipe = {
    provider: 'pixai',
    prompt: 'a lighthouse',
    negative_prompt: 'fog',
    model_id: '1983308862240288769',
    model_name: 'Tidepool',
    style: '',
    seed: '1234567890123',
    ratio: '4:3',
    nsfw: false,
    loras: { '77': 0.7 },
  };
  expect(own.body).toEqual({ ...recipe, is_own: true });
  expect(others.body).toEqual({ ...recipe, is_own: false });
  expect((await server.call(readLinkedRecipe, { link })).status).toBe(401);
});

test('that of an adult picture is told to its owner alone', async () => {
  const { server, tokens } = await startWithPeople();
  const { id: link } = readSaved(await save(server, tokens.ann, { nsfw: 'true' }));

  const own = await server.call(readLinkedRecipe, { link }, { token: tokens.ann });
  const others = await server.call(readLinkedRecipe, { link }, { token: tokens.bob });

  expect(own).toMatchObject({ status: 200, body: { nsfw: true } });
  expect(others).toMatchObject({ status: 404, body: { code: 'generation_not_found' } });
});

test('a deleted picture has no recipe any more, nor has one that never was', async () => {
  const { server, tokens } = await startWithPeople();
  const { id: link } = readSaved(await save(server, tokens.ann));
  await server.call(deleteGeneration, { id: link }, { token: tokens.ann });

  for (const one of [link, 'never-was']) {
    const reply = await server.call(readLinkedRecipe, { link: one }, { token: tokens.ann });
    expect(reply.status).toBe(404);
  }
});
