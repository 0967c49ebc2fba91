/**
 * `npm run bench:telegram-start`: from the opening of Telegram's container on a slow phone with a warm
 * cache until a chat's settings can be read, and with an empty one until the join gate can. `-- <folder>` measures another
 * built checkout as well.
 */
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { ensureBrowser } from './lib/browser.mjs';
import { call, chatId, person, signUpWithChat, startDemoServer } from './lib/demo-server.ts';
import { root } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';

const rounds = 5;
/** In ms: the median of the rounds with the chat's link. */
const budget = 1000;
/** In ms: the median until rules and task of the join gate can be read, for who opens Nori for the first time. */
const gateBudget = 800;
const slowCpu = 4;
/** Lighthouse's slow 4G. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
/** The browser compiles a script ahead from its third use on. */
const warmVisits = 3;
/** The page stores the answer a moment after it has come. */
const settleMs = 2500;
const timeoutMs = 30_000;

const launch = new URLSearchParams({
  tgWebAppData: `user=${JSON.stringify({ id: Number(person.telegram_id), first_name: 'Mika' })}&auth_date=1&hash=0`,
  tgWebAppVersion: '9.1',
  tgWebAppPlatform: 'android',
  tgWebAppThemeParams: JSON.stringify({ bg_color: '#ffffff', text_color: '#000000' }),
}).toString();

type Way = {
  readonly name: string;
  readonly query: string;
  /** What the user presses then, each as soon as it is there. */
  readonly presses: readonly string[];
};
/** How the Mini App is opened. */
const ways = {
  link: { name: 'link of the chat', query: `?tgWebAppStartParam=chat_${chatId}`, presses: [] },
  menu: {
    name: 'menu button, list, chat',
    query: '',
    presses: ['main a[href="/dashboard"]', `main a[href*="chat=${chatId}"]`],
  },
} satisfies Record<string, Way>;

/** The switch whose state is known to be "blocked". */
const knownSwitch = 'input[aria-label^="photo,"]:checked';

/** What the page of the gate is answered; the demo server has no bot. */
const sampleGate = {
  chat_name: 'Otters',
  state: 'open',
  rules: { text: 'Be kind.\n'.repeat(20), entities: [] },
  task: {
    question: 'Choose the three fruits.',
    words: Array.from({ length: 9 }, (_, at) => ({ word: `word ${at}`, picture: '🍎' })),
    ticket: 'a-ticket',
    work: { iterations: 8000, candidates: 32, target: '' },
  },
  tries_left: 3,
  seconds_left: 300,
};

try {
  const executablePath = await ensureBrowser();
  for (const folder of process.argv.slice(2)) {
    await measureBuild(executablePath, path.resolve(folder));
  }
  const linkMs = await measureBuild(executablePath, root);
  if (!(linkMs <= budget)) {
    throw new Stop(`over the budget: ${linkMs.toFixed(0)} ms, at most ${budget} ms`);
  }
  const gateMs = await measureGate(executablePath);
  if (!(gateMs <= gateBudget)) {
    throw new Stop(
      `the join gate is over the budget: ${gateMs.toFixed(0)} ms, at most ${gateBudget} ms`,
    );
  }
} catch (failure) {
  giveUp(failure);
}

/** Measures the build of a checkout on its own server. Returns the median with the chat's link. */
async function measureBuild(executablePath: string, folder: string): Promise<number> {
  say(folder);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-'));
  const server = await startDemoServer(dataDir, folder);
  const ended = new Promise((resolve) => server.child.once('close', resolve));
  try {
    const token = await signUpWithChat(server);
    await call(server.url, `/chats/${chatId}/topics/0/settings`, {
      method: 'PUT',
      token,
      body: { chat_id: chatId, topic_id: '0', setting_name: 'photo_blocked', value: true },
    });
    return await measureWays(executablePath, { url: server.url, token });
  } finally {
    server.child.kill();
    await ended;
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The join gate is opened by people who have never opened Nori: each round with an empty cache. Returns the median. */
async function measureGate(executablePath: string): Promise<number> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-'));
  const server = await startDemoServer(dataDir, root);
  const ended = new Promise((resolve) => server.child.once('close', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        isMobile: true,
      });
      const page = await openPage(context, '');
      await page.addInitScript(answerLater, sampleGate);
      const address = `${server.url}/gate?chat=-1001234567890#${launch}`;
      const known = '[data-part="gate"][data-state="open"] label';
      times.push(await open(page, { address, presses: [], isSlow: true, known }));
      await context.close();
    }
    return printMedian('join gate, first visit', times);
  } finally {
    await browser.close();
    server.child.kill();
    await ended;
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs in the page: the call takes its time, and is then answered as a server with a bot does. */
function answerLater(answer: object): void {
  const send = window.fetch;
  window.fetch = async (...request) => {
    await send(...request);
    return new Response(JSON.stringify(answer), {
      headers: { 'Content-Type': 'application/json' },
    });
  };
}

type Account = { readonly url: string; readonly token: string };

async function measureWays(executablePath: string, account: Account): Promise<number> {
  // Only a profile on the disk keeps the caches that a phone has.
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--no-sandbox'],
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    const linkMs = await measure(context, { ...account, ...ways.link });
    await measure(context, { ...account, ...ways.menu });
    return linkMs;
  } finally {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

type Series = Account & Way;

/** Prints median and worst, and returns the median. */
async function measure(context: BrowserContext, series: Series): Promise<number> {
  const { url, token, name, query, presses } = series;
  const address = `${url}/${query}#${launch}`;
  const times: number[] = [];
  for (let visit = 1; visit <= warmVisits + rounds; visit += 1) {
    const page = await openPage(context, token);
    if (visit > warmVisits) {
      times.push(await open(page, { address, presses, isSlow: true }));
    } else {
      await open(page, { address, presses, isSlow: false });
      await wait(settleMs);
    }
    await page.close();
  }
  return printMedian(name, times);
}

function printMedian(name: string, times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[rounds >> 1] ?? Number.NaN;
  process.stdout.write(
    `${name.padEnd(26)}median ${median.toFixed(0)} ms, worst ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms\n`,
  );
  return median;
}

/** A page with the bridge of Telegram for Android, and the session of an earlier visit. */
async function openPage(context: BrowserContext, token: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(
    ([accessToken, telegramId]) => {
      Reflect.set(window, 'TelegramWebviewProxy', { postEvent: () => undefined });
      localStorage.setItem('accessToken', accessToken);
      localStorage.setItem('telegram_id', telegramId);
    },
    [token, person.telegram_id] as const,
  );
  return page;
}

type Visit = Pick<Way, 'presses'> & {
  readonly address: string;
  readonly isSlow: boolean;
  /** What has to be on the screen; the known switch when absent. */
  readonly known?: string;
};

/** Returns the time in ms until the known switch is on the screen, without the time that a user needs to press. */
async function open(
  page: Page,
  { address, presses, isSlow, known = knownSwitch }: Visit,
): Promise<number> {
  const session = await page.context().newCDPSession(page);
  if (isSlow) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowCpu });
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', slowNetwork);
  }
  await page.addInitScript(watch, { knownSwitch: known, presses });
  await page.goto(address, { waitUntil: 'commit' });
  const seen = await page.waitForFunction(() => Reflect.get(window, 'seenAfterMs'), undefined, {
    timeout: timeoutMs,
    polling: 100,
  });
  return Number(await seen.jsonValue());
}

type Watched = { readonly knownSwitch: string; readonly presses: readonly string[] };

/** Runs in the page: presses what the user presses, and notes when the switch has been painted. */
function watch({ knownSwitch: shown, presses }: Watched): void {
  const left = [...presses];
  const look = () => {
    const next = document.querySelector<HTMLElement>(left[0] ?? shown);
    if (next && left.length === 0) {
      // The frame after this one has been painted.
      requestAnimationFrame(() => Reflect.set(window, 'seenAfterMs', performance.now()));
      return;
    }
    if (next) {
      left.shift();
      next.click();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
