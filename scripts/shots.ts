/**
 * `npm run shots`: takes pictures of the main screens on the web and inside Telegram, light and dark, into
 * shots/. With `-- --before <commit>` it takes them of that commit, too, in a checkout of its own, and puts
 * before and after side by side. Renews the pictures of the README. `--only <word>` takes one group, `--every` takes all
 * other states as well. `--languages de,ar` takes them in these languages instead, on the web at 320, 390 and 1280 px.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import sharp from 'sharp';

import { root, run, toolEnv } from './lib/run.mjs';
import { giveUp, heading, Stop } from './lib/say.mjs';
import { fileName, findViews, type Shot, shots, viewName } from './lib/shots/shot-list.ts';

const folder = path.join(root, 'shots');
/** What an earlier commit needs to take pictures with its own fixtures. */
const driver = ['scripts/shots.config.ts', 'scripts/lib/shots'];

const { values: options } = parseArgs({
  options: {
    before: { type: 'string', default: process.env['NORI_SHOTS_BEFORE'] ?? '' },
    only: { type: 'string', default: '' },
    every: { type: 'boolean', default: false },
    languages: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
  },
});

async function git(...args: string[]): Promise<string> {
  const { code, output } = await run('git', args, { isQuiet: true });
  if (code !== 0) {
    throw new Stop(`git ${args.join(' ')} failed:\n${output}`);
  }
  return output.trim();
}

/** Takes the pictures of the sources in `source`; returns whether every screen was reached. */
async function take(source: string, target: string, isPast: boolean): Promise<boolean> {
  const { code } = await run(
    'playwright',
    ['test', '--config', 'scripts/shots.config.ts', '--workers', options.workers],
    {
      cwd: source,
      env: {
        ...toolEnv(),
        NORI_SHOTS_FOLDER: target,
        NORI_SHOTS_ONLY: options.only,
        NORI_SHOTS_LANGUAGES: options.languages,
        NORI_SHOTS_PAST: isPast ? '1' : '',
        NORI_SHOTS_EVERY: options.every && !isPast ? '1' : '',
      },
    },
  );
  return code === 0;
}

/** A string that changes with the driver and with the group that is asked for. */
function driverMark(): string {
  const hash = createHash('sha256').update(`${options.only} ${options.languages}`);
  for (const entry of fs.readdirSync(path.join(root, 'scripts/lib/shots')).toSorted()) {
    hash.update(fs.readFileSync(path.join(root, 'scripts/lib/shots', entry)));
  }
  return hash.digest('hex');
}

/** Builds a commit in a folder of its own and takes its pictures, unless they were taken before. */
async function takeBefore(commit: string): Promise<string> {
  const hash = await git('rev-parse', '--verify', `${commit}^{commit}`);
  const target = path.join(folder, `before-${hash.slice(0, 10)}`);
  const record = path.join(target, 'taken-by');
  if (fs.existsSync(record) && fs.readFileSync(record, 'utf8') === driverMark()) {
    return target;
  }
  const checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-before-'));
  try {
    await git('worktree', 'add', '--detach', '--force', checkout, hash);
    await installInto(checkout);
    for (const entry of driver) {
      fs.cpSync(path.join(root, entry), path.join(checkout, entry), { recursive: true });
    }
    const { code } = await run('npm', ['run', '--silent', 'build'], { cwd: checkout });
    if (code !== 0) {
      throw new Stop(`${commit} could not be built.`);
    }
    if (await take(checkout, target, true)) {
      fs.writeFileSync(record, driverMark());
    }
  } finally {
    await run('git', ['worktree', 'remove', '--force', checkout], { isQuiet: true });
    fs.rmSync(checkout, { recursive: true, force: true });
  }
  return target;
}

/** The packages of a commit: ours when it asks for the same ones. */
async function installInto(checkout: string): Promise<void> {
  const [ours, theirs] = [root, checkout].map((place) =>
    fs.readFileSync(path.join(place, 'package-lock.json'), 'utf8'),
  );
  if (ours === theirs) {
    fs.symlinkSync(
      path.join(root, 'node_modules'),
      path.join(checkout, 'node_modules'),
      'junction',
    );
    return;
  }
  const { code } = await run('npm', ['ci'], { cwd: checkout });
  if (code !== 0) {
    throw new Stop('The packages of the earlier commit could not be installed.');
  }
}

const gap = 24;

/** Writes the pictures beside each other. */
async function join(files: readonly string[], target: string): Promise<void> {
  let width = -gap;
  let height = 0;
  const layers: { input: string; left: number; top: number }[] = [];
  for (const input of files) {
    const size = await sharp(input).metadata();
    layers.push({ input, left: width + gap, top: 0 });
    width += gap + size.width;
    height = Math.max(height, size.height);
  }
  await sharp({ create: { width, height, channels: 3, background: '#8a8f8c' } })
    .composite(layers)
    .png()
    .toFile(target);
}

const pairs = path.join(folder, 'pairs');

/** Joins the pictures of a screen, and returns the HTML that shows them. */
async function compareScreen(shot: Shot, [now, before]: readonly string[]): Promise<string> {
  const figures: string[] = [];
  for (const view of findViews(options.languages)) {
    const name = `${fileName(shot, view)}.png`;
    const files = [before, now].flatMap((where) =>
      where !== undefined && fs.existsSync(path.join(where, name)) ? path.join(where, name) : [],
    );
    if (files.length > 0) {
      await join(files, path.join(pairs, name));
      const sides = files.length === 2 ? ', before and after' : '';
      figures.push(
        `<figure><img loading="lazy" src="pairs/${name}" alt=""><figcaption>${viewName(view)}${sides}</figcaption></figure>`,
      );
    }
  }
  return figures.length === 0
    ? ''
    : `<section><h2>${shot.group}: ${shot.title}</h2><div>${figures.join('')}</div></section>`;
}

const style = `
  body { font: 15px system-ui; margin: 24px; background: #8a8f8c; }
  div { display: flex; flex-wrap: wrap; gap: 24px; }
  figure { margin: 0; }
  img { max-height: 640px; max-width: calc(100vw - 48px); }
`;

/** Writes the page that shows all pictures. */
async function compare(...folders: readonly string[]): Promise<void> {
  fs.rmSync(pairs, { recursive: true, force: true });
  fs.mkdirSync(pairs, { recursive: true });
  const sections: string[] = [];
  for (const shot of shots) {
    sections.push(await compareScreen(shot, folders));
  }
  fs.writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Nori: before and after</title><style>${style}</style>${sections.join('')}</html>\n`,
  );
}

/** Pictures of the README: file name and screenshot. */
const readme: Readonly<Record<string, string>> = {
  home: 'home-with-figures-web-1280-light',
  models: 'browser-models-web-1280-dark',
  'settings-ios': 'settings-all-good-ios-390-light',
  'settings-android': 'settings-all-good-android-390-dark',
  'models-phone': 'browser-models-ios-390-dark',
  'chats-phone': 'list-chats-ios-390-light',
};
const readmeWidths = { laptop: 1280, phone: 585 } as const;

/** Renews the pictures of the README whose screens were taken. */
async function writeReadmePictures(now: string): Promise<void> {
  const images = path.join(root, 'docs/images');
  fs.mkdirSync(images, { recursive: true });
  for (const [name, shot] of Object.entries(readme)) {
    const file = path.join(now, `${shot}.png`);
    if (fs.existsSync(file)) {
      const width = shot.includes('-390-') ? readmeWidths.phone : readmeWidths.laptop;
      await sharp(file)
        .resize({ width })
        .webp({ quality: 84, effort: 6, smartSubsample: true })
        .toFile(path.join(images, `${name}.webp`));
    }
  }
}

async function main(): Promise<void> {
  const now = path.join(folder, 'now');
  fs.rmSync(now, { recursive: true, force: true });
  heading('these sources');
  const isComplete = await take(root, now, false);
  await writeReadmePictures(now);
  if (options.before === '') {
    await compare(now);
  } else {
    heading(options.before);
    await compare(now, await takeBefore(options.before));
  }
  process.stdout.write('\nshots/index.html shows the pictures.\n');
  if (!isComplete) {
    throw new Stop('Not every screen was reached; the reasons are above.');
  }
}

await main().catch(giveUp);
