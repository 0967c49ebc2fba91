/** States of what the bot says in a chat: greetings, rules and notes, and the editor in which they are written. */
import { answering, section } from './chat-section-screens.ts';
import { expect, type Frame, type Page, type Screen } from './e2e.ts';

// Texts and names are those that tests in other languages know as data.
const lantern = 'a lantern boat on a quiet river, a lantern in the fog';
const [welcomeId, rulesId, noteId, fileId] = ['w', 'r', 'n', 'f'].map((sign) => sign.repeat(22));

/** With every formatting, a file of another bot, and as many buttons as Telegram shows beside each other. */
const formatted = {
  text: `${lantern}\n\nrim light backlit emberstyle dunestyle\n\n{first} {chatname}\n\nسلمى`,
  entities: [
    { type: 'bold', offset: 0, length: 14 },
    { type: 'italic', offset: 15, length: 16 },
    { type: 'blockquote', offset: 55, length: 38 },
    { type: 'spoiler', offset: 55, length: 9 },
    { type: 'code', offset: 65, length: 7 },
    { type: 'strikethrough', offset: 73, length: 10 },
    { type: 'text_link', offset: 84, length: 9, url: 'https://example.com' },
  ],
  media: { kind: 'photo', file_id: 'photo', bot_id: 1 },
  buttons: [
    [
      { label: 'rim light', url: 'https://example.com' },
      { label: 'backlit', to: 'rules' },
    ],
    [{ label: 'a lantern boat on a quiet river, a lantern in the fog', to: 'note:backlit' }],
  ],
};

const plain = { text: lantern, entities: [], buttons: [] };
const contents = {
  [String(welcomeId)]: formatted,
  [String(rulesId)]: plain,
  [String(noteId)]: plain,
  [String(fileId)]: {
    text: '',
    entities: [],
    media: { kind: 'document', file_id: 'file', bot_id: 1 },
    buttons: [[{ label: 'backlit', to: 'rules' }]],
  },
};

const noteNames = ['backlit', 'emberstyle', 'dunestyle', 'سلمى', 'x'.repeat(32)];
const values = {
  chat: {
    welcome: true,
    welcome_content: welcomeId,
    welcome_to: 'newcomer',
    welcome_keep: 5400,
    goodbye: true,
    clean_service: ['join', 'leave'],
    rules_content: rulesId,
    rules_public: true,
    ...Object.fromEntries(
      noteNames.map((name, index) => [
        `note:${name}`,
        {
          content: index === 2 ? fileId : noteId,
          ...(index % 2 === 0 && { isPrivate: true, isForAdmins: true, isProtected: true }),
        },
      ]),
    ),
  },
};
const many = {
  chat: Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`note:x${index}`, { content: noteId }]),
  ),
};

const filled = { values: { values, contents } };
const empty = { values: { values: {}, contents: {} } };

/** Answers what is saved, attached and asked for, none of which comes to anything. */
const refusing =
  (answers: Parameters<typeof answering>[0]) =>
  async (page: Page): Promise<void> => {
    await answering(answers)(page);
    await page.route('**/contents', (route) =>
      route.fulfill({
        status: 409,
        json: { code: 'telegram_refused', detail: 'You are not the owner.' },
      }),
    );
    await page.route('**/contents/request', (route) =>
      route.fulfill({ json: { link: 'https://t.me/nori_test_bot' } }),
    );
    // Is on its way for ever.
    await page.route('**/contents/media', () => undefined);
  };

const field = (app: Frame) => app.getByRole('textbox', { name: 'Text', exact: true });
const openRules = (app: Frame) => app.getByRole('button', { name: /^Write the rules/ }).click();
const openWelcome = async (app: Frame) => {
  await app.getByRole('region', { name: 'Welcome' }).getByRole('button').first().click();
  await expect(field(app)).toBeVisible();
};

export const chatContentScreens: Readonly<Record<string, Screen>> = {
  'the greetings of a chat': {
    isMain: true,
    isMember: true,
    path: section('greetings'),
    prepare: answering(filled),
    reach: (app) => expect(app.getByRole('switch', { name: 'Greet newcomers' })).toBeChecked(),
  },
  'a chat without greetings': {
    isMember: true,
    path: section('greetings'),
    prepare: answering(empty),
    reach: (app) => expect(app.getByRole('switch', { name: 'Greet newcomers' })).toBeVisible(),
  },
  'greetings that cannot be read': {
    isMember: true,
    path: section('greetings'),
    prepare: answering({ values: 400 }),
    reach: (app) => expect(app.getByText('The greetings could not be loaded.')).toBeVisible(),
  },
  'the rules and notes of a chat': {
    isMain: true,
    isMember: true,
    path: section('content'),
    prepare: answering(filled),
    reach: (app) => expect(app.getByText('#dunestyle')).toBeVisible(),
  },
  'what a chat shows to adults': {
    isMember: true,
    path: section('content'),
    prepare: async (page) => {
      await answering({ values: { values: { chat: { adult_mode: true } }, contents: {} } })(page);
      await page.route('**/bot/commands', (route) =>
        route.fulfill({ json: { commands: ['nsfwmode', 'nsfw', 'hanime'] } }),
      );
    },
    reach: async (app) => {
      const heading = app.getByRole('heading', { name: 'For adults' });
      await heading.scrollIntoViewIfNeeded();
      await expect(heading).toBeVisible();
    },
  },
  'a chat without rules and notes': {
    isMember: true,
    path: section('content'),
    prepare: answering(empty),
    reach: (app) => expect(app.getByText(/^No notes yet/)).toBeVisible(),
  },
  'as many notes as there can be': {
    isMember: true,
    path: section('content'),
    prepare: answering({ values: { values: many, contents } }),
    reach: (app) => expect(app.getByText('200 of 200')).toBeVisible(),
  },
  'the menu of a note': {
    isMember: true,
    path: section('content'),
    prepare: answering(filled),
    reach: async (app) => {
      await app.getByRole('button', { name: 'Menu, #backlit' }).click();
      await expect(app.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
    },
  },
  'the editor of a greeting': {
    isMain: true,
    isMember: true,
    path: section('greetings'),
    prepare: answering(filled),
    reach: openWelcome,
  },
  'the editor with nothing in it': {
    isMember: true,
    path: section('content'),
    prepare: answering(empty),
    reach: async (app) => {
      await openRules(app);
      await expect(field(app)).toBeVisible();
    },
  },
  'a note in the editor': {
    isMember: true,
    path: section('content'),
    prepare: answering(filled),
    reach: async (app) => {
      await app.getByRole('button', { name: /^#backlit/ }).click();
      await expect(app.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible();
    },
  },
  'a button in the editor': {
    isMember: true,
    path: section('greetings'),
    prepare: answering(filled),
    reach: async (app) => {
      await openWelcome(app);
      await app.getByRole('button', { name: 'rim light, row 1, place 1' }).click();
      await expect(app.getByRole('textbox', { name: 'Label' })).toBeVisible();
    },
  },
  'a link in the editor': {
    isMember: true,
    path: section('content'),
    prepare: answering(empty),
    reach: async (app) => {
      await openRules(app);
      await field(app).press('Control+k');
      await app.getByRole('button', { name: 'Set link' }).click();
      await expect(app.getByText('Please enter the text of the link.')).toBeVisible();
    },
  },
  'mistakes in the editor': {
    isMember: true,
    path: section('content'),
    prepare: answering(empty),
    reach: async (app) => {
      await openRules(app);
      await app.getByRole('button', { name: 'Add a button' }).click();
      await app.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(app.getByText('Please write a text, or attach something.')).toBeVisible();
    },
  },
  'a text that could not be saved': {
    isMember: true,
    path: section('content'),
    prepare: refusing(empty),
    reach: async (app) => {
      await openRules(app);
      await field(app).fill('rim light');
      await app.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(app.getByText('You are not the owner.')).toBeVisible();
    },
  },
  'a file on its way': {
    isMember: true,
    path: section('content'),
    prepare: refusing(empty),
    reach: async (app) => {
      await openRules(app);
      await app
        .locator('input[type="file"]')
        .setInputFiles({ name: 'backlit', mimeType: 'image/png', buffer: Buffer.from('x') });
      await expect(app.getByRole('progressbar')).toBeVisible();
    },
  },
  'a message that is awaited': {
    isMember: true,
    path: section('content'),
    prepare: refusing(empty),
    reach: async (app) => {
      await openRules(app);
      await app.getByRole('button', { name: /^Write it in Telegram instead/ }).click();
      await expect(app.getByText('Waiting for your message to the bot...')).toBeVisible();
    },
  },
};
