/**
 * Takes a screenshot of every screen and state: on a phone and on a laptop, light and dark, on the web
 * and inside Telegram. They are written to shots/, and four of them to docs/images/ for the README.
 */
import { type BrowserContext } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Container, palettes, settle, test } from '#tests/e2e';
import { becomeMember, owner, screenComplaints, screens } from '#tests/screens';

const root = resolve(import.meta.dirname, '..');
const shots = join(root, 'shots');

/** Pictures of the README: file name and screenshot. */
const readme: Readonly<Record<string, string>> = {
  'home-laptop-light': 'home.webp',
  'settings-of-a-chat-phone-dark': 'settings-phone.webp',
  'settings-of-a-chat-telegram-light': 'settings-telegram.webp',
  'list-of-chats-laptop-dark': 'chats-dark.webp',
};

const places = {
  laptop: 'browser',
  phone: 'phone browser',
  telegram: 'weba',
  'telegram-laptop': 'webk',
} as const satisfies Record<string, Container>;

test.beforeAll(() => {
  rmSync(shots, { recursive: true, force: true });
  mkdirSync(shots);
  mkdirSync(join(root, 'docs/images'), { recursive: true });
});
test.describe.configure({ mode: 'serial' });

for (const [place, container] of Object.entries(places)) {
  for (const theme of ['light', 'dark'] as const) {
    test(`${place}, ${theme}`, async ({ open, page, nori, unique, expected }) => {
      test.setTimeout(300_000);
      expected.push(screenComplaints);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const { member, chatId } = await owner(nori, unique);
      const guestId = unique();
      await becomeMember(page, nori, undefined);
      await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);

      // One page, one screen after the other.
      for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        if (container !== 'weba' && container !== 'webk') {
          await becomeMember(page, nori, isMember ? member : undefined);
        }
        await prepare?.(page);
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: isMember ? member.telegramId : guestId,
          palette: palettes[theme],
        });
        await reach(app, page);
        if (container === 'weba' || container === 'webk') {
          // Telegram's part of the frame appears after the page.
          await app.locator('nav button', { hasText: 'More' }).waitFor({ state: 'attached' });
        }
        await settle(app);
        const shot = `${name.replaceAll(/^(?:the|a) | /g, (found) => (found === ' ' ? '-' : ''))}-${place}-${theme}`;
        const file = join(shots, `${shot}.png`);
        const png = await page.screenshot({ path: file });
        const picture = readme[shot];
        if (picture !== undefined) {
          writeFileSync(join(root, 'docs/images', picture), await toWebp(page.context(), png));
        }
      }
    });
  }
}

/** Encodes in the browser: WebP has a fifth of the size of PNG, and nothing has to be installed. */
async function toWebp(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const encoder = await context.newPage();
  const url = await encoder.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.86);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await encoder.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
