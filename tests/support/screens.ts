/** Every screen in its states, with how a user gets there and whether they are logged in. */
import { errorTexts } from '#contract/endpoints/error-texts';
import { reminders } from '#contract/endpoints/reminders';
import { type CountedFeature } from '#contract/endpoints/usage';

import { chatContentScreens } from './chat-content-screens.ts';
import { chatJoiningScreens } from './chat-joining-screens.ts';
import { chatScreens } from './chat-screens.ts';
import { chatSectionScreens } from './chat-section-screens.ts';
import { chatToolScreens } from './chat-tool-screens.ts';
import { connectionScreens } from './connection-screens.ts';
import { expect, type Nori, type Page, pressIn, type Screen, toggle, typeCode } from './e2e.ts';
import { gateScreens } from './gate-screens.ts';
import { hubScreens } from './hub-screens.ts';
import { pictureScreens } from './picture-screens.ts';
import { playgroundScreens } from './playground-screens.ts';
import { providerScreens } from './provider-screens.ts';

/** Groups to which the user has added the bot. */
const waiting = {
  chats: [],
  unverified: [
    { chat_id: '-42', chat_name: 'Rice lovers', may_delete: false },
    { chat_id: '-43', chat_name: 'محبو الأرز', may_delete: true },
  ],
};

const manyReminders = [
  { id: '1', chat_id: '123456789', text: '', due_at: '2031-03-02T12:30:00Z' },
  { id: '2', chat_id: '-42', text: 'شاي بالنعناع', due_at: '2031-03-03T12:30:00Z' },
  { id: '3', chat_id: '-42', text: 'Tea and rice. '.repeat(35), due_at: '2031-03-04T12:30:00Z' },
  { id: '4', chat_id: '-42', text: 'x'.repeat(500), due_at: '2031-03-05T12:30:00Z' },
];

const countedFeatures: readonly CountedFeature[] = ['Image generation'];

/** Screens and their states by name. */
export const screens: Readonly<Record<string, Screen>> = {
  ...hubScreens,
  ...pictureScreens,
  ...providerScreens,
  ...connectionScreens,
  ...gateScreens,
  ...playgroundScreens,
  ...chatScreens,
  ...chatToolScreens,
  ...chatSectionScreens,
  ...chatJoiningScreens,
  ...chatContentScreens,
  home: {
    isMain: true,
    path: () => '/',
    reach: (app) => expect(app.getByRole('heading', { level: 1 })).toBeVisible(),
  },
  'home without figures': {
    path: () => '/',
    prepare: (page) => page.route('**/telegram_bot/usage', (route) => route.fulfill({ json: [] })),
    reach: (app) => expect(app.getByRole('heading', { name: 'What to do first' })).toBeAttached(),
  },
  'home with figures': {
    path: () => '/',
    prepare: (page) =>
      page.route('**/public-api/telegram_bot/usage', (route) =>
        route.fulfill({
          json: [...countedFeatures, 'status', 'warnmode', 'logchannel', 'purge', 'unmute'].map(
            (_id, index) => ({
              _id,
              count: Math.round(412_873 / (index * 3 + 1)),
              today: Math.round(590 / (index * 3 + 1)),
            }),
          ),
        }),
      ),
    reach: (app) => expect(app.getByText('412,873').first()).toBeVisible(),
  },
  'the account page': {
    isMain: true,
    isMember: true,
    path: () => '/account',
    reach: (app) => expect(app.getByText('This device', { exact: true })).toBeVisible(),
  },
  'the account page with reminders': {
    isMember: true,
    path: () => '/account',
    prepare: async (page) => {
      // The server of these tests may have no bot that hears commands.
      await page.route('**/backend/capabilities', async (route) => {
        const answer: { readonly capabilities: readonly string[] } = await (
          await route.fetch()
        ).json();
        const capabilities = [...new Set([...answer.capabilities, reminders])];
        await route.fulfill({ json: { ...answer, capabilities } });
      });
      await page.route('**/backend/reminders', (route) =>
        route.fulfill({ json: { reminders: manyReminders } }),
      );
    },
    reach: async (app) => {
      const list = app.getByRole('list', { name: 'Your reminders' });
      await expect(list.getByRole('listitem')).toHaveCount(manyReminders.length);
      await list.scrollIntoViewIfNeeded();
    },
  },
  login: {
    isMain: true,
    path: () => '/login',
    reach: (app) => expect(app.getByRole('heading', { name: 'Log in', exact: true })).toBeVisible(),
  },
  'login with an error': {
    path: () => '/login',
    reach: async (app) => {
      await pressIn(app.getByLabel('Password', { exact: true }), 'Enter');
      await expect(app.getByText('All fields are required')).toBeVisible();
    },
  },
  'login with the code': {
    path: () => '/login',
    prepare: async (page) => {
      const refusal = { code: 'code_required', detail: errorTexts.code_required };
      await page.route('**/backend/login', (route) =>
        route.fulfill({ status: 403, json: refusal }),
      );
      await page.route('**/backend/auth/login/code', (route) =>
        route.fulfill({ status: 202, json: { message: '', attempt: 'an-attempt' } }),
      );
    },
    reach: async (app) => {
      const id = app.getByRole('textbox', { name: 'Telegram User ID' });
      if (await id.isEditable()) {
        await id.fill('123456789');
      }
      await app.getByLabel('Password', { exact: true }).fill('wide rivers carry small boats');
      await pressIn(app.getByLabel('Password', { exact: true }), 'Enter');
      await app.getByRole('button', { name: 'Send OTP' }).click();
      await typeCode(app, '123');
    },
  },
  signup: {
    isMain: true,
    path: () => '/signup',
    reach: (app) => expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible(),
  },
  'signup with the code': {
    path: () => '/signup',
    reach: async (app) => {
      const id = app.getByRole('textbox', { name: 'Telegram User ID' });
      if (await id.isEditable()) {
        await id.fill(String(500_000_000 + Math.floor(Math.random() * 100_000_000)));
      }
      await app.getByRole('textbox', { name: 'Email Address' }).fill('owner@example.org');
      await app.getByLabel('Password', { exact: true }).fill('wide rivers carry small boats');
      await app
        .getByLabel('Confirm Password', { exact: true })
        .fill('wide rivers carry small boats');
      await pressIn(app.getByLabel('Confirm Password', { exact: true }), 'Enter');
      await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();
      await typeCode(app, '123');
    },
  },
  'a new password': {
    isMain: true,
    path: () => '/reset-password',
    reach: (app) => expect(app.getByRole('heading', { name: 'Set a new password' })).toBeVisible(),
  },
  'a server that is down': {
    path: () => '/',
    prepare: (page) => page.route('**/backend/health', (route) => route.abort()),
    reach: (app) =>
      expect(app.getByText('Unable to connect to backend server...')).toBeVisible({
        timeout: 10_000,
      }),
  },
  'not found': {
    isMain: true,
    path: () => '/no/such/page',
    reach: (app) => expect(app.getByText('The link may be old.')).toBeVisible(),
  },
  features: {
    isMain: true,
    path: () => '/features',
    reach: (app) => expect(app.getByRole('heading', { name: 'Nori Features' })).toBeVisible(),
  },
  'a single feature': {
    path: () => '/features?command=status',
    reach: (app) => expect(app.getByRole('link', { name: 'Try in Telegram' })).toBeVisible(),
  },
  'features that were searched for': {
    path: () => '/features?q=warn',
    reach: (app) => expect(app.getByRole('tabpanel').getByRole('listitem').first()).toBeVisible(),
  },
  'features that nothing is found in, in one long word': {
    path: () => `/features?q=${'x'.repeat(100)}`,
    reach: (app) => expect(app.getByText('x'.repeat(50))).toBeVisible(),
  },
  'the question for an age': {
    path: () => '/features?category=animeNSFW',
    reach: (app) => expect(app.getByRole('dialog', { name: 'Age Confirmation' })).toBeVisible(),
  },
  credits: {
    isMain: true,
    path: () => '/credits',
    reach: (app) => expect(app.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible(),
  },
  'privacy policy': {
    isMain: true,
    path: () => '/privacy-policy',
    reach: (app) => expect(app.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible(),
  },
  'the list of chats': {
    isMain: true,
    isMember: true,
    path: () => '/dashboard',
    reach: (app) => expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible(),
  },
  'a search without a find': {
    isMember: true,
    path: () => '/dashboard',
    reach: async (app) => {
      await app.getByRole('searchbox').fill('no such thing');
      await expect(app.getByText('No chats found matching your search')).toBeVisible();
    },
  },
  'chats that are still loading': {
    isMember: true,
    path: () => '/dashboard',
    prepare: (page) => page.route('**/backend/chats', () => undefined),
    reach: (app) => expect(app.getByText('Loading your chats...')).toBeAttached(),
  },
  'chats that cannot be loaded': {
    isMember: true,
    path: () => '/dashboard',
    prepare: (page) =>
      page.route('**/backend/chats', (route) => route.fulfill({ status: 400, json: {} })),
    reach: (app) => expect(app.getByText('Your chats could not be loaded.')).toBeVisible(),
  },
  'adding a chat': {
    isMain: true,
    isMember: true,
    path: () => '/dashboard?step=add',
    reach: (app) => expect(app.getByRole('textbox', { name: 'Telegram Chat ID' })).toBeVisible(),
  },
  'adding the bot to a group': {
    isMember: true,
    path: () => '/dashboard?step=add',
    prepare: (page) => page.route('**/backend/chats', (route) => route.fulfill({ json: waiting })),
    reach: (app) => expect(app.getByRole('link', { name: 'Add the bot' })).toBeVisible(),
  },
  'a group whose bot lacks its right': {
    isMember: true,
    path: () => '/dashboard?verify=-42',
    prepare: (page) => page.route('**/backend/chats', (route) => route.fulfill({ json: waiting })),
    reach: (app) => expect(app.getByRole('link', { name: 'Give the right' })).toBeVisible(),
  },
  'a group that is proven by one tap or by a code': {
    isMember: true,
    path: () => '/dashboard?verify=-43',
    prepare: (page) => page.route('**/backend/chats', (route) => route.fulfill({ json: waiting })),
    reach: (app) =>
      expect(app.getByRole('button', { name: /This is my group|Send code/ })).toBeVisible(),
  },
  'the choice of what is blocked': {
    isMember: true,
    path: (chatId) => `/dashboard?chat=${chatId}&view=presets`,
    prepare: (page) =>
      page.route(/backend\/chats\/-\d+$/, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        await route.fulfill({ response, json: { ...json, topics: {} } });
      }),
    reach: (app) =>
      expect(app.getByRole('heading', { name: 'What shall be blocked?' })).toBeVisible(),
  },
  'verifying a chat': {
    isMain: true,
    isMember: true,
    path: () => '/dashboard?verify=-42',
    prepare: (page) =>
      page.route('**/backend/chats/*/claim', (route) =>
        route.fulfill({
          status: 403,
          json: { code: 'not_owner', detail: 'You are not the owner.' },
        }),
      ),
    reach: async (app) => {
      const code = app.getByRole('button', { name: 'I already have a code' });
      // In Telegram the code comes second.
      const claim = app.getByRole('button', { name: 'This is my group' });
      await expect(code.or(claim)).toBeVisible();
      if (await claim.isVisible()) {
        await claim.click();
      }
      await code.click();
      await typeCode(app, '123');
    },
  },
  'the settings of a chat': {
    isMain: true,
    isMember: true,
    path: (chatId) => `/dashboard?chat=${chatId}`,
    reach: (app) => expect(toggle(app, 'photo')).toBeVisible(),
  },
  'a toggle that failed': {
    isMember: true,
    path: (chatId) => `/dashboard?chat=${chatId}`,
    prepare: (page) =>
      page.route('**/settings', (route) => route.fulfill({ status: 500, json: {} })),
    reach: async (app) => {
      await toggle(app, 'photo').click();
      await expect(app.getByText('Failed to update setting. Please try again.')).toBeVisible();
    },
  },
  'the question before logging out': {
    isMember: true,
    path: () => '/dashboard',
    reach: async (app) => {
      const more = app.getByRole('navigation').getByRole('button', { name: 'More' });
      const logout = app.getByRole('main').getByRole('button', { name: 'Logout' });
      await logout.or(more).click();
      const menu = app.getByRole('dialog', { name: 'More' });
      if (await menu.isVisible()) {
        await menu.getByRole('button', { name: 'Logout' }).click();
      }
      await expect(app.getByRole('dialog', { name: 'Confirm Logout' })).toBeVisible();
    },
  },
};

type Owner = {
  readonly member: Awaited<ReturnType<Nori['member']>>;
  readonly chatId: number;
};

const [browserOwners, telegramOwners] = [
  new WeakMap<Nori, Promise<Owner>>(),
  new WeakMap<Nori, Promise<Owner>>(),
];

/**
 * A user with one chat, shared by all tests of a worker. Inside Telegram it is another one than in browsers: each page there
 * begins a session, and of a user's sessions only the newest ten last.
 */
export function owner(nori: Nori, unique: () => number, isTelegram = false): Promise<Owner> {
  const people = isTelegram ? telegramOwners : browserOwners;
  const known =
    people.get(nori) ??
    (async () => {
      const member = await nori.member(unique());
      const chatId = -unique();
      await nori.chat(member, chatId, 'Rice lovers');
      await Promise.all(
        ['video', 'sticker', 'forward'].map((kind) => nori.block(member, chatId, kind)),
      );
      return { member, chatId };
    })();
  people.set(nori, known);
  return known;
}

/** Console messages about the refusals that some of these states need. */
export const screenComplaints =
  /status of (?:400|403|404|409|500)|ERR_FAILED|The styles could not be loaded/;

/** Makes the next page that of a user, or that of a visitor. */
export async function becomeMember(
  page: Page,
  nori: Nori,
  member: { readonly telegramId: number; readonly token: string } | undefined,
): Promise<void> {
  // A page of our origin gives access to its storage; a picture runs no script.
  await page.goto(`${nori.origin}/favicon.svg`);
  await page.evaluate(
    ([token, id]) => {
      localStorage.removeItem('accessToken');
      localStorage.removeItem('telegram_id');
      if (token !== '') {
        localStorage.setItem('accessToken', token);
        localStorage.setItem('telegram_id', id);
      }
    },
    [member?.token ?? '', String(member?.telegramId ?? '')] as const,
  );
}
