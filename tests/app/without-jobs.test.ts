/** Backends that announce no jobs: nothing is sent and asked for that only jobs have, and failures are told at once. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { listGenerations, saveGeneration } from '#contract/endpoints/generations';
import { generate, readJob } from '#contract/endpoints/images';
import { saveImagine } from '#contract/endpoints/imagine';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { enhancePrompt } from '#contract/endpoints/prompts';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { type Network } from '#tests/app-server';
import {
  addLora,
  button,
  field,
  fillIn,
  finished,
  generateButton,
  openGenerator,
  result,
} from '#tests/generator';
import { openProvider, person, prompt, region } from '#tests/providers';
import { remembered } from '#tests/remembered';

const withoutCapabilities = (server: Network) =>
  server.refuse(readCapabilities, { status: 404, body: { detail: 'Not Found' } });

const gatewayPage = { status: 504, body: '<html><h1>504 Gateway Time-out</h1></html>' };

/** The keys of the bodies that were sent to an endpoint. */
const sentFields = (server: Network, endpoint: Parameters<Network['requestsTo']>[0]) =>
  server.requestsTo(endpoint).map(({ body }) => Object.keys(Object(body)));

test('Pix-AI sends no key, and tells at once that the connection broke', async () => {
  const app = await openGenerator({ onConnect: withoutCapabilities });
  app.server.drop(generate);
  await fillIn(app);

  await app.user.click(generateButton());

  expect(await result().findByRole('alert')).toHaveTextContent(/^Failed to start generation/);
  expect(app.server.requestsTo(readJob)).toEqual([]);
  expect(app.server.requestsTo(generate)).toHaveLength(1);
  expect(sentFields(app.server, generate)[0]).not.toContain('job_key');
});

test.each([
  {
    provider: 'imagine-art',
    endpoint: saveImagine,
    submit: 'Generate Imagine Art',
    place: 'Result',
    failure: /^Generation failed with status: 504/,
  },
  {
    provider: 'midjourney',
    endpoint: generateMidjourney,
    submit: 'Generate',
    place: 'Generated Images',
    failure: /^Failed to generate image/,
  },
] as const)(
  '$provider sends no key, and tells at once that a proxy stopped waiting',
  async ({ provider, endpoint, submit, place, failure }) => {
    const app = await openProvider(provider, { onConnect: withoutCapabilities });
    app.server.refuse(endpoint, gatewayPage);
    await app.user.type(prompt(), 'a red fox');

    await app.user.click(button(submit));

    expect(await region(place).findByRole('alert')).toHaveTextContent(failure);
    expect(app.server.requestsTo(readJob)).toEqual([]);
    expect(app.server.requestsTo(endpoint)).toHaveLength(1);
    expect(sentFields(app.server, endpoint)[0]).not.toContain('job_key');
  },
);

test('a generation that an earlier page left pending is interrupted', async () => {
  const pending = remembered(1, {
    status: 'pending',
    imageUrl: undefined,
    jobKey: 'k'.repeat(32),
  });
  localStorage.setItem('nori_generation_history', JSON.stringify([pending]));
  const app = await openGenerator({ onConnect: withoutCapabilities });

  const history = within(screen.getByRole('region', { name: 'History' }));
  expect(await history.findByText('Interrupted')).toBeVisible();
  expect(app.server.requestsTo(readJob)).toEqual([]);
});

test('a picture is saved without a key', async () => {
  const app = await openGenerator({ as: person, onConnect: withoutCapabilities });
  app.server.refuse(listGenerations, { status: 200, body: { generations: [] } });
  app.server.refuse(generate, {
    status: 200,
    body: 'the bytes of a picture',
    headers: { 'Content-Type': 'image/png' },
  });
  await fillIn(app);

  await app.user.click(generateButton());

  await waitFor(() => expect(app.server.requestsTo(saveGeneration)).toHaveLength(1));
  expect(sentFields(app.server, saveGeneration)[0]).not.toContain('job_key');
});

test('a prompt is enhanced without the words to keep', async () => {
  const app = await openGenerator({ onConnect: withoutCapabilities });
  await addLora(app, '18754367764874101');
  const [chip] = await within(
    await screen.findByRole('group', { name: /^Trigger words of/ }),
  ).findAllByRole('button');
  await app.user.click(chip ?? document.body);
  app.server.refuse(enhancePrompt, { status: 200, body: { prompt: 'better' } });

  await app.user.click(button('Enhance'));

  await waitFor(() => expect(field('Prompt')).toHaveValue('better'));
  expect(sentFields(app.server, enhancePrompt)).toEqual([['userPrompt']]);
});

test('a backend whose refusal of unknown addresses the browser hides has no jobs', async () => {
  const app = await openGenerator({ onConnect: (server) => server.drop(readCapabilities) });
  await fillIn(app);

  await app.user.click(generateButton());

  expect(await finished('a red fox')).toBeVisible();
  expect(app.server.requestsTo(readHealth).length).toBeGreaterThan(0);
  expect(sentFields(app.server, generate)).toEqual([expect.not.arrayContaining(['job_key'])]);
});
