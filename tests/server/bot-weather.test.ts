/** /weather: how it is said, and each way in which Open-Meteo fails. */
import { describe, expect, test } from 'vitest';

import { limits } from '#server/lib/limits';
import { ann, startGroup } from '#tests/command-group';
import { startOpenMeteo } from '#tests/reference-servers';
import { timeoutFor } from '#tests/stand-in';

const places = 'GET /geocoding-api.open-meteo.com/*';
const forecasts = 'GET /api.open-meteo.com/*';

async function startWeather(options: { readonly serviceTimeoutMs?: number } = {}) {
  const meteo = await startOpenMeteo();
  const variables = { WEATHER: 'open-meteo', OPEN_METEO_ROOT: meteo.root };
  return { meteo, group: await startGroup({ variables, ...options }) };
}

test('the weather now and of three days, with its place and its source', async () => {
  const { group } = await startWeather();
  await group.says(ann, '/weather Kyoto');
  // What is null in the answer is not known: the third day has no lowest temperature.
  expect(group.lastText()).toBe(
    [
      'Kyoto, Japan',
      '',
      'Now: overcast, 12 °C, feels like 0 °C, wind 8 km/h',
      '21 Nov: rain, 6 to 15 °C',
      '22 Nov: clear sky, 5 to 16 °C',
      '',
      'Weather data by Open-Meteo.com, CC BY 4.0',
    ].join('\n'),
  );
  expect(group.api.messages.at(-1)?.ephemeral).toBeUndefined();
});

test('it is asked once in ten minutes for a place', async () => {
  const { group, meteo } = await startWeather();
  await group.says(ann, '/weather Kyoto');
  await group.says(ann, '/weather kyoto');
  expect(meteo.calls).toHaveLength(2);
  group.server.wait(601_000);
  await group.says(ann, '/weather Kyoto');
  expect(meteo.calls).toHaveLength(4);
});

test('nothing typed, and a place that it does not know', async () => {
  const { group, meteo } = await startWeather();
  await group.says(ann, '/weather');
  expect(group.lastText()).toBe('/weather Kyoto');
  expect(meteo.calls).toEqual([]);
  await group.says(ann, '/weather Atlantis');
  expect(group.lastText()).toBe('Nothing was found.');
  expect(meteo.callsTo(forecasts)).toEqual([]);
});

describe('Open-Meteo that', () => {
  test.each([
    ['is down', { status: 502 }, /^Open-Meteo does not answer right now/],
    ['breaks off', 'reset', /^Open-Meteo does not answer right now/],
    ['sends a page', 'page', /an answer that cannot be used/],
    ['sends another shape', { body: { current: {} } }, /an answer that cannot be used/],
    [
      'refuses',
      { status: 400, body: { error: true, reason: 'x' } },
      /an answer that cannot be used/,
    ],
    ['never answers', 'hang', /took too long/],
  ] as const)('%s', async (_name, failure, said) => {
    const { group, meteo } = await startWeather({ serviceTimeoutMs: timeoutFor(failure) });
    meteo.fail(forecasts, failure);
    await group.says(ann, '/weather Kyoto');
    expect(group.lastText()).toMatch(said);
  });

  test.each([
    ['Minutely', 'in one minute', '60 seconds'],
    ['Hourly', 'in the next hour', '60 minutes'],
    ['Daily', 'tomorrow', '24 hours'],
  ])('has a limit that is reached: %s', async (name, when, wait) => {
    const { group, meteo } = await startWeather();
    const reason = `${name} API request limit exceeded. Please try again ${when}.`;
    meteo.fail(places, { status: 429, body: { error: true, reason } });
    await group.says(ann, '/weather Kyoto');
    expect(group.lastText()).toBe(
      `Open-Meteo is asked too often right now. Please try again in ${wait}.`,
    );
    await group.says(ann, '/weather Kyoto');
    expect(meteo.calls).toHaveLength(1);
  });

  test('allows so much of a server is not asked beyond that', async () => {
    const { group, meteo } = await startWeather();
    await group.server.services.limiter.tryTake(limits.weatherMinute, 'open-meteo', 300);
    await group.says(ann, '/weather Kyoto');
    expect(group.lastText()).toMatch(/^This server has asked for the weather as often as it may/);
    expect(meteo.calls).toEqual([]);
  });
});

test('without it there is no such command', async () => {
  const group = await startGroup();
  await group.says(ann, '/weather Kyoto');
  expect(group.api.messages).toEqual([]);
});
