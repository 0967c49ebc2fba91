/**
 * Every screen in every state with the longest translation of each text, whose letters have accents: a text that is still
 * plain English is in no text module, so translators would never see it; a text that is cut here is cut in one of the
 * languages. Here the website is also tried in the dark theme, at all widths and from right to left.
 */
import { findViolations, measureOverflow } from '#tests/accessibility';
import { findCutTexts } from '#tests/cut-texts';
import { expect, settle, stayLoggedIn, test as base, thoroughIf, turnDark } from '#tests/e2e';
import { inLanguage } from '#tests/in-language';
import { plainEnglish } from '#tests/plain-english';
import { owner, screenComplaints, screens } from '#tests/screens';
import { startStaticSite } from '#tests/static-site';

/** Of the window, in px, where every text fits. */
const fittingWidths = [1280, 360];
/** Where nothing scrolls sideways, either. */
const otherWidths = { ltr: [320, 390, 768, 1024, 1440, 2560, 3840], rtl: [320] };

/** What the tests and the built-in catalogues bring along: names, prompts, and dates of English pages. */
const data = [
  /\b[\w-]+_(?:lora|model)\b/g,
  /\b(?:Plumhaven|Velvetworks|Tidepool|Orbitworks|Mosssong|Plum|Frost|Neon|Harbour|Comet|Dune|Ember|Moss|Copper|Cedar|Orbit|Velvet|Meadow|Paper|Lantern)\b(?: \w+)*/g,
  /Rice lovers|Seaweed club|Announcements|A name that goes on[\w ]*|Mara of the long[\w ]*end|Mika|RL|SC|Português \(Brasil\)/g,
  /a lantern (?:in the fog|boat(?: on a quiet river)?)|^on a quiet river$|no such thing|x{32,100}|(?:emberstyle|dunestyle|backlit|rim light|woodblock print)/g,
  /Night Drive Through the Rice Fields|The Lanterns, Mira|Neon Rivers|access_denied|Hello, world!|nori_test_bot|seaweed\.example/g,
  /(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, )?\d* ?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* [\d, :APM]+|Today, [\d:]+/g,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|\d+ (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))$/g,
  /#\d+\s?: [\w ]+/g,
  // Services and packages.
  /Pix-?AI|Kusa|Imagine Art|Mid[Jj]ourney|Spotify|AniList|Telegram\w*(?: Mini Apps SDK)?|Pixiv|Kemono|Hanime|TikTok|Douyin|Instagram|Facebook|Threads|Pinterest|LibreTranslate|MyMemory|Open-Meteo|Wikipedia|Wiktionary/g,
  /Valibot(?: to JSON Schema)?|TanStack Query|React(?: Router)?|Pino|Node\.js|Lucide|Kysely|Intl MessageFormat|FormatJS|Hono|Zustand|zxcvbn-ts|uqr|SimpleWebAuthn|fflate|aws4fetch|NATS\.js|OpenTelemetry|sharp|node-postgres|idb|grammY|axios/g,
  /\b(?:MIT|ISC|BSD-3-Clause|Apache-2\.0|OFL-1\.1|GET)\b/g,
  // Keyboard shortcuts, and names that the bot fills in when it sends a text.
  /\(Ctrl\+(?:Shift\+)?[A-Z.]\)|\{(?:first|mention|chatname)\}/g,
  // What is typed or stands in addresses.
  /\/[\w/-]+|\b(?:curl|fetch|Python|url|character|category|language|text|nsfw|status|warnmode|logchannel|purge|unmute|imagine|anime|tts|lyrics|manga)\b/g,
  // What the server says stands in the tests' answers, or is in the language of the browser.
  /You have not linked .*|Only two shapes are possible\.|You are not the owner\.|Unknown device/g,
  // Prompts and names in the history, and what two of them differ in.
  /A heron at dusk over a still lake|A red fox in the snow, soft morning light|A grey fox in the snow, hard evening light/g,
  /Lanterns on a quiet river|A lighthouse on a cliff at dawn|A harbour with fishing boats|Birds and foxes of the north|a lighthouse in the fog, by lamplight|people, boats|(?:Tea and rice\. ?)+/g,
  /\b(?:whale|kept-\d)\b|^(?:red|grey|fox|in|the|snow,|soft|hard|morning|evening|light)$/g,
  /\b(?:DPM\+\+ 2M Karras|tidepool)\b/g,
  // The language of the menu, and the ID of a task.
  /^English$|^[\w-]{16}$/g,
];

let site: Awaited<ReturnType<typeof startStaticSite>>;

/** The server's pages, from the build in the longest language. */
const test = base.extend({
  page: async ({ page, nori }, use) => {
    await page.route(
      ({ origin, pathname }) =>
        origin === nori.origin && !/^\/(?:backend|public-api)\//.test(pathname),
      async (route) => {
        const { pathname, search } = new URL(route.request().url());
        const response = await route.fetch({ url: `${site.origin}${pathname}${search}` });
        // A test may end before its page has loaded all.
        await route.fulfill({ response }).catch(() => undefined);
      },
    );
    await use(page);
  },
});

test.use({ hasTouch: true });

test.beforeAll(async () => {
  // It builds the app.
  test.setTimeout(300_000);
  site = await startStaticSite({ NORI_LANGUAGES: 'en-XL' });
});

test.afterAll(() => site.close());

for (const [name, { path, prepare, reach, isMember = false }] of Object.entries(screens)) {
  test(
    `all of it is translated, and fits: ${name}`,
    thoroughIf(true),
    async ({ open, page, nori, unique, expected }) => {
      expected.push(screenComplaints);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const { member, chatId } = await owner(nori, unique);
      if (isMember) {
        await stayLoggedIn(page, member);
      }
      await prepare?.(page);
      const { app } = await open({ container: 'browser', path: path(chatId) });
      await expect(app.locator('html')).toHaveAttribute('lang', 'en-XL');
      await reach(inLanguage(app, 'en-XL'), page);
      await settle(app);

      expect.soft(await plainEnglish(page, data)).toEqual([]);
      expect.soft(await findViolations(page)).toEqual([]);
      await turnDark(app, page);
      expect.soft(await findViolations(page, { rules: ['color-contrast'] })).toEqual([]);
      for (const direction of ['ltr', 'rtl'] as const) {
        await app.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
        const sign = direction === 'rtl' ? '-1' : '1';
        await expect(app.locator('html')).toHaveCSS('--direction', sign);
        for (const width of fittingWidths) {
          await page.setViewportSize({ width, height: 800 });
          await settle(app);
          expect.soft(await findCutTexts(page), `at ${width} px, ${direction}`).toEqual([]);
        }
        for (const width of [...fittingWidths, ...otherWidths[direction]]) {
          await page.setViewportSize({ width, height: 800 });
          const overflow = await measureOverflow(page);
          expect.soft(overflow, `at ${width} px, ${direction}`).toBeLessThanOrEqual(0);
        }
      }
    },
  );
}

test(
  'what is left over, cut or lies over something else is found',
  thoroughIf(true),
  async ({ open, page }) => {
    const { app } = await open({ container: 'phone browser', path: '/login' });
    expect(await plainEnglish(page)).toEqual([]);
    expect(await findCutTexts(page)).toEqual([]);

    await app.evaluate(() => {
      document.querySelector('h1')?.append(' left over');
      document.querySelector('main')?.setAttribute('aria-label', 'Forgotten label');
      const change = (selector: string, styles: Readonly<Record<string, string>>) => {
        const element = document.querySelector<HTMLElement>(selector);
        Object.entries(styles).forEach(([name, value]) => element?.style.setProperty(name, value));
      };
      change('main form > button, main form [type="submit"]', {
        'inline-size': '20px',
        padding: '0',
        'white-space': 'nowrap',
      });
      change('main label', { display: 'block', 'block-size': '2px', overflow: 'hidden' });
      const top = (selector: string) =>
        document.querySelectorAll(selector)[1]?.getBoundingClientRect().top ?? 0;
      change('h1', { translate: `0 ${top('main label') - 100}px` });
      const heading = document.querySelector('h1')?.getBoundingClientRect().top ?? 0;
      change('h1', { translate: `0 ${2 * top('main label') - 100 - heading}px` });
    });

    expect(await plainEnglish(page)).toEqual(['Forgotten label', 'left over']);
    expect(await plainEnglish(page, [/left over/g])).toEqual(['Forgotten label']);
    const found = (await findCutTexts(page)).join('\n');
    expect(found).toContain('leaves its button');
    expect(found).toContain('is cut by label');
    expect(found).toContain('lies over');
  },
);
