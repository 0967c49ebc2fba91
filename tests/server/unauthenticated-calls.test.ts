/** Calls without a session: who is asked comes before what is asked. */
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { type Endpoint } from '#contract/endpoints/endpoint';
import { createTestServer } from '#tests/test-server';

const modules = import.meta.glob<Record<string, unknown>>('../../contract/endpoints/*.ts', {
  eager: true,
});

const declared = v.object({
  method: v.string(),
  path: v.pipe(v.string(), v.startsWith('/')),
  input: v.looseObject({ kind: v.literal('schema') }),
});

/** All endpoints of the contract that our backend answers, by the names of their declarations. */
const endpoints = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, Endpoint] => v.is(declared, entry[1]))
  .filter(([, { base }]) => base === undefined);

/** What visitors may call. Every other endpoint needs a session, so a new one has to be named here or refuse them. */
const openToVisitors = new Set<string>([
  'answerGate',
  'cancelJob',
  'confirmConnection',
  'downloadMidjourney',
  'enhancePrompt',
  'finishAniList',
  'finishSpotify',
  'generate',
  'generateMidjourney',
  'generateWithLoras',
  'listKusaStyles',
  'login',
  'loginWithPasskey',
  'loginWithTelegram',
  'openGate',
  'queryModels',
  'readCapabilities',
  'readCommands',
  'readHealth',
  'readImageAbilities',
  'readJob',
  'readModelInfo',
  'readSentRecipe',
  'readVideoToken',
  'register',
  'requestLoginCode',
  'requestPasskeyLogin',
  'requestPasswordReset',
  'resetPassword',
  'resetPasswordWithTelegram',
  'saveImagine',
  'sendOtp',
  'verifyOtp',
]);

async function callWithNothing({ method, path }: Endpoint) {
  const server = await createTestServer();
  onTestFinished(server.close);
  const address = path.replaceAll(/:\w+/g, 'nothing');
  const json = { headers: { 'Content-Type': 'application/json' }, body: 'no JSON' };
  return server.request(`/backend${address}`, {
    method,
    ...(method === 'POST' || method === 'PUT' ? json : {}),
  });
}

test.each(endpoints.filter(([name]) => !openToVisitors.has(name)))(
  '%s answers 401, whatever it is sent',
  async (_name, endpoint) => {
    const reply = await callWithNothing(endpoint);

    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  },
);

test.each(endpoints.filter(([name]) => openToVisitors.has(name)))(
  '%s answers visitors',
  async (_name, endpoint) => {
    const reply = await callWithNothing(endpoint);

    expect(reply.body).not.toMatchObject({ code: 'unauthenticated' });
  },
);
