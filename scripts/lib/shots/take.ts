/**
 * Takes the pictures of `npm run shots`. `scripts/shots.ts` runs it with Playwright, also inside a checkout of
 * an earlier commit, so it uses only what the browser tests of that commit have, too.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import {
  expect,
  type Frame,
  type Nori,
  openApp,
  type Page,
  palettes,
  settle,
  test,
} from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

import { fileName, findViews, type Shot, shots, type View, viewName } from './shot-list.ts';

const folder = process.env['NORI_SHOTS_FOLDER'] ?? 'shots/now';
const only = process.env['NORI_SHOTS_ONLY'] ?? '';
/** At an earlier commit, screens that came later are missing. */
const isPast = process.env['NORI_SHOTS_PAST'] === '1';
const languages = process.env['NORI_SHOTS_LANGUAGES'] ?? '';
const isEvery = process.env['NORI_SHOTS_EVERY'] === '1';

const named = new Set(shots.flatMap(({ states }) => states));
const others: readonly Shot[] = Object.keys(screens)
  .filter((state) => !named.has(state))
  .map((state) => ({ group: 'other', title: state, states: [state] }));
const wanted = [...shots, ...(isEvery ? others : [])].filter(
  ({ group, title }) => only === '' || `${group} ${title}`.includes(only),
);

const findScreen = ({ states, own }: Shot) =>
  states.flatMap((state) => screens[state] ?? []).at(0) ?? own;

test.describe.configure({ mode: 'parallel' });
test.beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

type Visit = {
  readonly page: Page;
  readonly nori: Nori;
  readonly unique: () => number;
  readonly shot: Shot;
  readonly view: View;
};

/** Finds what is named in English on pages in this language. */
async function translate(app: Frame, language: string | undefined): Promise<Frame> {
  if (language === undefined) {
    return app;
  }
  // Earlier commits lack both.
  const { isLanguage } = await import('#contract/languages');
  const { inLanguage } = await import('#tests/in-language');
  if (!isLanguage(language)) {
    throw new Error(`“${language}” is none of the languages`);
  }
  return inLanguage(app, language);
}

async function takeShot({ page, nori, unique, shot, view }: Visit): Promise<void> {
  const { place, theme, language } = view;
  const screen = findScreen(shot);
  if (screen === undefined) {
    throw new Error('no such screen');
  }
  const { path: address, prepare, reach, isMember = false } = screen;
  const { member, chatId } = await owner(nori, unique);
  const isTelegram = !place.container.includes('browser');
  if (!isTelegram) {
    await becomeMember(page, nori, isMember ? member : undefined);
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
  }
  await prepare?.(page);
  const { app, emit } = await openApp(page, nori, {
    container: place.container,
    path: (language === undefined ? '' : `/${language.toLowerCase()}`) + address(chatId),
    telegramId: isMember ? member.telegramId : unique(),
    palette: (place.palettes ?? palettes)[theme],
  });
  await page.setViewportSize(place.size);
  if (isTelegram) {
    // Telegram says what the window has become.
    await emit('viewport_changed', { ...place.size, is_expanded: true, is_state_stable: true });
  }
  await reach(await translate(app, language), page);
  if (isTelegram) {
    // Telegram's part of the frame appears after the page.
    await app.locator('nav button', { hasText: 'More' }).waitFor({ state: 'attached' });
  }
  await settle(app);
  await page.screenshot({ path: path.join(folder, `${fileName(shot, view)}.png`) });
}

for (const view of findViews(languages)) {
  const { place } = view;
  test.describe(viewName(view), () => {
    test.use({
      hasTouch: place.isTouch,
      deviceScaleFactor: place.size.width < 500 ? 2 : 1,
    });

    test(viewName(view), async ({ context, nori, unique, expected, complaints }) => {
      test.setTimeout(20 * 60_000);
      expected.push(isPast ? /./ : screenComplaints);
      const failures: string[] = [];
      let reported = 0;
      for (const shot of wanted.filter((one) => !isPast || findScreen(one) !== undefined)) {
        const page = await context.newPage();
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await takeShot({ page, nori, unique, shot, view }).catch((error: unknown) =>
          failures.push(`${shot.group}, ${shot.title}: ${String(error).split('\n', 4).join(' ')}`),
        );
        // What the device keeps of one screen must not show on the next.
        await page
          .frames()
          .at(-1)
          ?.evaluate(() => localStorage.clear())
          .catch(() => undefined);
        await page.close();
        // The test fails with what the browser reported; the screen says where to look.
        complaints.push(
          ...complaints.splice(reported).map((text) => `${shot.group}, ${shot.title}: ${text}`),
        );
        reported = complaints.length;
      }
      expect(failures).toEqual([]);
    });
  });
}
