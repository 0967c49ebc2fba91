/**
 * `npm run test:crash`: kills the real server twenty times in the middle of writes, and checks after
 * each start that no acknowledged write is lost.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as v from 'valibot';

import { settingNames } from '#contract/chats/message-types';

import {
  call,
  chatId,
  type DemoServer,
  signUpWithChat,
  startDemoServer,
  topics,
} from './lib/demo-server.ts';
import { giveUp, say, Stop } from './lib/say.mjs';

const kills = 20;
type Target = { readonly server: DemoServer; readonly token: string };

/** The acknowledged value of each setting, and the value that was being written when the server died. */
type Ledger = {
  readonly acknowledged: Map<string, boolean>;
  readonly underWay: Map<string, boolean>;
  writes: number;
};

/** Writes one setting after the other in one topic until the server is killed. */
async function writeUntilKilled(target: Target, ledger: Ledger, topic: string): Promise<void> {
  for (const setting of endlessSettings()) {
    const key = `${topic}/${setting}`;
    const value = !(ledger.acknowledged.get(key) ?? false);
    ledger.underWay.set(key, value);
    if (!(await isWritten(target, { topic, setting, value }))) {
      return;
    }
    ledger.underWay.delete(key);
    ledger.acknowledged.set(key, value);
    ledger.writes += 1;
  }
}

function* endlessSettings() {
  for (;;) {
    yield* settingNames;
  }
}

type Write = { readonly topic: string; readonly setting: string; readonly value: boolean };

/** False when the server died before it answered. */
async function isWritten({ server, token }: Target, write: Write): Promise<boolean> {
  try {
    await call(server.url, `/chats/${chatId}/topics/${write.topic}/settings`, {
      method: 'PUT',
      token,
      body: {
        chat_id: chatId,
        topic_id: write.topic,
        setting_name: write.setting,
        value: write.value,
      },
    });
    return true;
  } catch (error) {
    if (error instanceof Stop) {
      throw error;
    }
    return false;
  }
}

const chatAnswer = v.object({
  topics: v.record(v.string(), v.record(v.string(), v.boolean())),
});

/** Counts lost acknowledged writes. An unacknowledged write may have either outcome. */
async function countLost({ server, token }: Target, ledger: Ledger): Promise<number> {
  const answer = await call(server.url, `/chats/${chatId}`, { method: 'GET', token });
  const stored = v.parse(chatAnswer, answer).topics;
  let lost = 0;
  for (const [key, value] of ledger.acknowledged) {
    const [topic = '', setting = ''] = key.split('/');
    const found = stored[topic]?.[setting];
    if (found !== value && found !== ledger.underWay.get(key)) {
      lost += 1;
    }
  }
  // Whether the unacknowledged write was stored is known now.
  for (const key of ledger.underWay.keys()) {
    const [topic = '', setting = ''] = key.split('/');
    ledger.acknowledged.set(key, stored[topic]?.[setting] ?? false);
  }
  ledger.underWay.clear();
  return lost;
}

async function main(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-crash-'));
  const ledger: Ledger = { acknowledged: new Map(), underWay: new Map(), writes: 0 };
  let server = await startDemoServer(dataDir);
  const token = await signUpWithChat(server);
  let lost = 0;
  let slowestMs = 0;

  say(`killing the server ${kills} times in the middle of writes …`);
  for (let kill = 1; kill <= kills; kill += 1) {
    const writing = Promise.all(
      topics.map((topic) => writeUntilKilled({ server, token }, ledger, topic)),
    );
    setTimeout(() => server.child.kill('SIGKILL'), 100 + Math.random() * 400);
    await Promise.all([writing, once(server.child, 'exit')]);
    server = await startDemoServer(dataDir);
    lost += await countLost({ server, token }, ledger);
    slowestMs = Math.max(slowestMs, server.startMs);
  }

  server.child.kill('SIGTERM');
  await once(server.child, 'exit');
  fs.rmSync(dataDir, { recursive: true, force: true });
  say(`${kills} kills, ${ledger.writes} acknowledged writes, ${lost} of them lost.`);
  say(`Every start after a kill worked; the slowest took ${Math.round(slowestMs)} ms.`);
  if (lost > 0) {
    throw new Stop('acknowledged writes were lost.');
  }
}

await main().catch(giveUp);
