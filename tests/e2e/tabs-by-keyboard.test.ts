/**
 * The tabs about newcomers, greetings, automatic settings and contents by keyboard alone: each control is reached, each
 * setting is changed, and what the server stores is what was chosen.
 */
import * as v from 'valibot';

import { readValues } from '#contract/endpoints/chat-values';
import { type Language, languagePrefix, sourceLanguage } from '#contract/languages';
import {
  expect,
  type Frame,
  type Locator,
  requireLanguages,
  settle,
  stayLoggedIn,
  test as base,
  thoroughIf,
} from '#tests/e2e';
import { inLanguage } from '#tests/in-language';

type Keyboard = {
  readonly app: Frame;
  /** Presses Tab until the part has the focus. */
  readonly goTo: (part: Locator) => Promise<void>;
  readonly press: (part: Locator, key?: string) => Promise<void>;
  /** In the row of this name. */
  readonly choose: (name: string, value: string) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  readonly keys: (...keys: readonly string[]) => Promise<void>;
  /** Presses Tab through the open tab, or the open dialog, and lists the controls that never had the focus. */
  readonly findUnreached: () => Promise<readonly string[]>;
  /** What is stored for the whole chat, with each content in the place of its ID. */
  readonly stored: () => Promise<Readonly<Record<string, unknown>>>;
};

type OpenTab = (language: Language, section: string) => Promise<Keyboard>;

/** More than any tab has controls. */
const maxTabs = 250;

/** Opens a tab of the settings of a new chat as its owner. */
const test = base.extend<{ readonly openTab: OpenTab }>({
  openTab: async ({ open, page, nori, unique }, use) => {
    await use(async (language, section) => {
      const member = await nori.member(unique());
      const chatId = -1_000_000_000_000 - unique();
      await nori.chat(member, chatId, 'Otters');
      await stayLoggedIn(page, member);
      const path = `${languagePrefix(language)}/dashboard?chat=${chatId}&section=${section}`;
      const opened = await open({ container: 'browser', path });
      const app = language === sourceLanguage ? opened.app : inLanguage(opened.app, language);
      const { keyboard } = page;
      const keys = async (...pressed: readonly string[]) => {
        for (const key of pressed) {
          await keyboard.press(key);
        }
      };
      const goTo = async (part: Locator) => {
        await expect(part).toBeVisible();
        const hasFocus = () => part.evaluate((it) => it === document.activeElement);
        for (let count = 0; !(await hasFocus()); count += 1) {
          expect(count, `Tab never comes to ${String(part)}`).toBeLessThan(maxTabs);
          await keys('Tab');
        }
      };
      return {
        app,
        keys,
        goTo,
        press: async (part, key = 'Enter') => {
          await goTo(part);
          await keys(key);
        },
        choose: async (name, value) => {
          const menu = app.getByRole('combobox', { name, exact: true });
          await goTo(menu);
          const steps = await menu.evaluate(
            (it, wanted) =>
              it instanceof HTMLSelectElement
                ? [...it.options].findIndex((option) => option.value === wanted) - it.selectedIndex
                : 0,
            value,
          );
          const key = steps > 0 ? 'ArrowDown' : 'ArrowUp';
          await keys(...Array.from({ length: Math.abs(steps) }, () => key));
          await expect(menu).toHaveValue(value);
        },
        type: (text) => keyboard.type(text),
        findUnreached: () => findUnreached(opened.app, keys),
        stored: async () => {
          const answer = await nori.call(`/chats/${chatId}/values`, undefined, {
            token: member.token,
            method: 'GET',
          });
          const { values, contents } = v.parse(readValues.output, answer);
          const named = Object.entries(values['chat'] ?? {}).map(([name, value]) => [
            name,
            typeof value === 'string' ? (contents[value] ?? value) : withContent(value, contents),
          ]);
          return Object.fromEntries(named);
        },
      };
    });
  },
});

function withContent(value: unknown, contents: Readonly<Record<string, unknown>>): unknown {
  return typeof value === 'object' && value !== null && 'content' in value
    ? { ...value, content: contents[String(value.content)] }
    : value;
}

async function findUnreached(app: Frame, keys: Keyboard['keys']): Promise<readonly string[]> {
  // Of radio buttons the chosen one is a stop of the Tab key.
  const selector = [
    'a[href]',
    'button',
    'input:not([type="radio"]:not(:checked))',
    'select',
    'textarea',
  ]
    .map((part) => `${part}:not([tabindex="-1"], :disabled, [hidden])`)
    .join(', ');
  const box = (await app.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : '#section-panel';
  const all = app.locator(box).locator(selector);
  const count = await all.count();
  expect(count).toBeGreaterThan(3);
  const unreached = new Set(Array.from({ length: count }, (_control, index) => index));
  for (let pressed = 0; pressed < maxTabs && unreached.size > 0; pressed += 1) {
    await keys('Tab');
    unreached.delete(
      await all.evaluateAll((controls) =>
        controls.findIndex((it) => it === document.activeElement),
      ),
    );
  }
  return Promise.all(
    Array.from(unreached, (index) => all.nth(index).evaluate(({ outerHTML }) => outerHTML)),
  );
}

for (const language of ['en', 'fa'] satisfies Language[]) {
  test.describe(language, thoroughIf(language !== sourceLanguage), () => {
    if (language !== sourceLanguage) {
      requireLanguages(language);
    }

    test(`newcomers, raids and “Under attack”: ${language}`, async ({ openTab }) => {
      const {
        app,
        press,
        choose,
        keys,
        type,
        findUnreached: unreached,
        stored,
      } = await openTab(language, 'joining');
      const button = (name: string) => app.getByRole('button', { name, exact: true });
      await press(button('Use: Quiet start'));
      await expect
        .poll(stored)
        .toEqual({ captcha_mode: 'button', flood: { count: 8, seconds: 10 } });

      await press(app.getByRole('radio', { name: 'A button', exact: true }), 'ArrowDown');
      await choose('Time for it', '600');
      await choose('When the time is over', 'mute');
      await choose('How long it lasts', 'typed');
      await press(app.getByRole('textbox', { name: 'Time' }), 'x');
      await keys('Enter');
      await expect(app.getByRole('alert').first()).toBeVisible();
      await keys('Backspace');
      await type('2h');
      await keys('Enter');
      await expect(app.getByRole('combobox', { name: 'How long it lasts' })).toBeFocused();
      await choose('By itself', '10');
      await press(button('Switch on: raid protection'));
      await expect.poll(stored).toEqual({
        captcha_mode: 'task',
        captcha_seconds: 600,
        captcha_over: 'mute',
        flood: { count: 8, seconds: 10 },
        raid_seconds: 7200,
        raid_auto: 10,
        raid_until: expect.any(Number),
      });
      await press(button('End: raid protection'));
      expect(await unreached()).toEqual([]);

      await press(app.getByRole('switch', { name: 'Under attack' }), ' ');
      const question = app.getByRole('dialog', { name: 'Under attack?' });
      await press(question.getByRole('button', { name: 'Switch on' }));
      await expect.poll(stored).toHaveProperty('attack.until', expect.any(Number));
      await press(button('End: under attack'));
      await expect.poll(stored).not.toHaveProperty('attack');
      expect(await stored()).not.toHaveProperty('raid_until');
    });

    test(`greetings and service messages: ${language}`, async ({ openTab }) => {
      const {
        app,
        press,
        choose,
        keys,
        type,
        findUnreached: unreached,
        stored,
      } = await openTab(language, 'greetings');
      const toggle = (name: string) => press(app.getByRole('switch', { name, exact: true }), ' ');
      const welcome = app.getByRole('region', { name: 'Welcome' });
      await toggle('Greet newcomers');
      await choose('Who sees it', 'newcomer');
      await choose('Deleted after', '900');

      await press(welcome.getByRole('button', { name: /^Text/ }));
      const editor = app.getByRole('dialog', { name: 'Text of the greeting' });
      const text = editor.getByRole('textbox', { name: 'Text', exact: true });
      await press(text, 'ControlOrMeta+a');
      await type('Hi ');
      await keys('ControlOrMeta+b');
      await type('otter');
      await press(editor.getByRole('button', { name: 'Add a button' }));
      await type('Pond');
      await keys('Tab', 'Tab');
      await type('example.com');
      await keys('Enter');
      await settle(app);
      expect(await unreached()).toEqual([]);
      await press(editor.getByRole('button', { name: 'Save', exact: true }));
      await expect(editor).toBeHidden();
      await expect(welcome.getByRole('button', { name: /^Text/ })).toBeFocused();

      await toggle('Say goodbye to members who leave');
      await toggle('All of them');
      await toggle('Pinned messages');
      expect(await unreached()).toEqual([]);
      await expect.poll(stored).toEqual({
        // It greets from the beginning.
        welcome: expect.any(Boolean),
        welcome_to: 'newcomer',
        welcome_keep: 900,
        welcome_content: {
          text: 'Hi otter',
          entities: [{ type: 'bold', offset: 3, length: 5 }],
          buttons: [[{ label: 'Pond', url: 'https://example.com' }]],
        },
        goodbye: true,
        clean_service: ['join', 'leave', 'title', 'photo', 'topic', 'video_chat'],
      });
      await press(welcome.getByRole('button', { name: 'Use the bot’s own text' }));
      await expect.poll(stored).not.toHaveProperty('welcome_content');
    });

    test(`floods, words and reactions: ${language}`, async ({ openTab }) => {
      const {
        app,
        goTo,
        press,
        choose,
        keys,
        type,
        findUnreached: unreached,
        stored,
      } = await openTab(language, 'automatic');
      const button = (name: string) => app.getByRole('button', { name, exact: true });
      const floods = app.getByRole('region', { name: 'Floods' });
      await goTo(floods.getByRole('combobox', { name: 'Limit' }));
      await keys('Home');
      await goTo(floods.getByRole('combobox', { name: 'Within' }));
      await keys('Home');
      await goTo(floods.getByRole('combobox', { name: 'What follows' }));
      await keys('End');

      await goTo(app.getByRole('textbox', { name: 'Words, phrases or links to block' }));
      await type('casino*');
      await press(button('Block'));
      await goTo(app.getByRole('combobox', { name: 'What follows: casino*' }));
      await keys('End');
      await goTo(app.getByRole('textbox', { name: 'Links to allow' }));
      await type('example.com');
      await press(button('Allow'));

      await press(button('Add an answer'));
      const editor = app.getByRole('dialog', { name: 'New answer' });
      await goTo(editor.getByRole('textbox', { name: 'Word or phrase' }));
      await type('WiFi');
      await choose('Where it stands', 'exact');
      await goTo(editor.getByRole('textbox', { name: 'Text', exact: true }));
      await type('It is on the wall.');
      await keys('ControlOrMeta+Enter');
      await expect(editor).toBeHidden();

      const reactions = app.getByRole('region', { name: 'Reactions' });
      await goTo(reactions.getByRole('combobox', { name: 'Limit' }));
      await keys('Home');
      await press(app.getByRole('switch', { name: 'Remove those of banned members, too' }), ' ');
      await press(button('Choose reactions'));
      await press(button('🤡'), ' ');
      expect(await unreached()).toEqual([]);
      await expect.poll(stored).toEqual({
        flood: { count: 5, seconds: 5 },
        flood_action: { kind: 'kick' },
        'block:casino*': { action: expect.objectContaining({ kind: 'ban' }) },
        'allow:example.com': true,
        'filter:wifi': {
          content: { text: 'It is on the wall.', entities: [], buttons: [] },
          match: 'exact',
        },
        reaction_limit: 10,
        reactions_of_banned: expect.any(Boolean),
        reactions_unwanted: ['🤡'],
      });

      await press(button('Remove: casino*'));
      await press(button('Menu, wifi'));
      await goToItem(app, keys, 'Remove');
      await expect.poll(stored).not.toHaveProperty(['filter:wifi']);
      await expect.poll(stored).not.toHaveProperty(['block:casino*']);
    });

    test(`rules and notes: ${language}`, async ({ openTab }) => {
      const {
        app,
        goTo,
        press,
        keys,
        type,
        findUnreached: unreached,
        stored,
      } = await openTab(language, 'content');
      const button = (name: string) => app.getByRole('button', { name, exact: true });
      const toggle = (name: string) => press(app.getByRole('switch', { name, exact: true }), ' ');
      await press(app.getByRole('button', { name: /^Write the rules/ }));
      const rules = app.getByRole('dialog', { name: 'Rules' });
      await goTo(rules.getByRole('textbox', { name: 'Text', exact: true }));
      await type('Be kind');
      await keys('ControlOrMeta+Enter');
      await expect(rules).toBeHidden();
      await toggle('Show the rules in the group');

      await press(button('Add a note'));
      const note = app.getByRole('dialog', { name: 'New note' });
      await goTo(note.getByRole('textbox', { name: 'Name' }));
      await type('#Pond');
      await goTo(note.getByRole('textbox', { name: 'Text', exact: true }));
      await type('Behind the mill');
      await toggle('Send it in private');
      await toggle('Only for administrators');
      await toggle('Protect it');
      expect(await unreached()).toEqual([]);
      await press(note.getByRole('button', { name: 'Save', exact: true }));
      await expect(note).toBeHidden();
      expect(await unreached()).toEqual([]);
      await expect.poll(stored).toEqual({
        rules_content: { text: 'Be kind', entities: [], buttons: [] },
        rules_public: true,
        'note:pond': {
          content: { text: 'Behind the mill', entities: [], buttons: [] },
          isPrivate: true,
          isForAdmins: true,
          isProtected: true,
        },
      });

      await press(button('Menu, #pond'));
      await goToItem(app, keys, 'Remove');
      await press(button('Remove the rules'));
      await expect.poll(stored).toEqual({ rules_public: true });
    });
  });
}

/** Goes down the open menu to an item, and chooses it. */
async function goToItem(app: Frame, keys: Keyboard['keys'], name: string): Promise<void> {
  const item = app.getByRole('menuitem', { name, exact: true });
  await expect(item).toBeVisible();
  for (let count = 0; !(await item.evaluate((it) => it === document.activeElement)); count += 1) {
    expect(count).toBeLessThan(10);
    await keys('ArrowDown');
  }
  await keys('Enter');
}
