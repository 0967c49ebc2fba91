/**
 * `npm run bench:raid`: a group is raided, at a stand-in with the rules of Telegram. Three hundred accounts join within a
 * minute and try to write two thousand messages; twenty of them are people. The people have to be in at the end, the
 * rest out, and nothing that a person wrote may be deleted. Once undisturbed, once with a process that is killed.
 *
 * - `task`: who joins solves a task in the group.
 * - `gate`: who wants to join solves it in Nori first.
 *
 * Options: `--only task` (one of them) `--seconds 60` `--joins 300` `--people 20` `--messages 2000` `--seed 1` `--kill no`
 * (or `only`) `--database postgres` (two processes) `--latency 40` (milliseconds that Telegram takes) `--captcha 60`
 * (seconds for the task) `--count-ephemeral` (Telegram's limit for a group counts messages that one member sees, too).
 */
import os from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { startPostgres } from '#tests/postgres';

import { type RaidCheck } from './lib/raid/checks.ts';
import { runRaid } from './lib/raid/raid.ts';
import { giveUp, heading, say, Stop } from './lib/say.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    joins: { type: 'string', default: '300' },
    people: { type: 'string', default: '20' },
    messages: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kill: { type: 'string', default: 'also' },
    database: { type: 'string', default: 'sqlite' },
    latency: { type: 'string', default: '40' },
    captcha: { type: 'string', default: '60' },
    'count-ephemeral': { type: 'boolean', default: false },
  },
});

const modes = (['task', 'gate'] as const).filter((mode) => (values.only ?? mode) === mode);
const kills = [false, true].filter((isKilled) => values.kill !== (isKilled ? 'no' : 'only'));

function print({ what, found, isRight }: RaidCheck): void {
  const sign = isRight === undefined ? ' ' : isRight ? '✓' : '✗';
  process.stdout.write(`${sign} ${what.padEnd(50)} ${found}\n`);
}

async function main(): Promise<void> {
  const postgres = values.database === 'postgres' ? await startPostgres() : undefined;
  if (values.database === 'postgres' && postgres === undefined) {
    throw new Stop('there is no PostgreSQL here.');
  }
  const faults: string[] = [];
  try {
    for (const mode of modes) {
      for (const isKilled of kills) {
        const name = `${mode}, ${values.database}${isKilled ? ', a process is killed' : ''}`;
        heading(name);
        const checks = await runRaid({
          mode,
          postgres,
          isKilled,
          joins: Number(values.joins),
          people: Number(values.people),
          messages: Number(values.messages),
          seconds: Number(values.seconds),
          seed: Number(values.seed),
          latencyMs: Number(values.latency),
          captchaSeconds: Number(values.captcha),
          isEphemeralCounted: values['count-ephemeral'],
        });
        checks.forEach(print);
        const wrong = checks.filter(({ isRight }) => isRight === false);
        faults.push(...wrong.map(({ what, found }) => `${name}: ${what}: ${found}`));
      }
    }
  } finally {
    await postgres?.close();
  }
  const load = os.loadavg().map((value) => value.toFixed(1));
  say(`${os.availableParallelism()} cores, load ${load.join(' ')}, Node ${process.versions.node}.`);
  if (modes.length === 0 || faults.length > 0) {
    throw new Stop(faults.length > 0 ? `${faults.join('; ')}.` : 'there is no such scenario.');
  }
}

await main().catch(giveUp);
