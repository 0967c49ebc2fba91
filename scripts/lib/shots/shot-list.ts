/** The screens that `npm run shots` compares, and the places where it looks at them. */
import { expect, type Container, type Page, type Screen } from '#tests/e2e';

export type Shot = {
  /** `--only` filters by it, and file names begin with it. */
  readonly group: string;
  readonly title: string;
  /** Names in `#tests/screens`. The first that the checked-out commit knows is used. */
  readonly states: readonly string[];
  /** For commits whose `#tests/screens` has none of the names. */
  readonly own?: Screen;
};

const seesHeading = (path: string): Screen => ({
  path: () => path,
  reach: (app) => expect(app.getByRole('heading', { level: 1 }).first()).toBeAttached(),
});

const usage = ['status', 'imagine', 'anime', 'tts', 'lyrics', 'manga'].map((_id, index) => ({
  _id,
  count: Math.round(412_873 / (index * 3 + 1)),
  today: Math.round(590 / (index * 3 + 1)),
}));
const answerUsage = (json: unknown) => (page: Page) =>
  page.route('**/public-api/telegram_bot/usage', (route) => route.fulfill({ json }));

export const shots: readonly Shot[] = [
  {
    group: 'settings',
    title: 'all good',
    states: ['a chat where all is good', 'a chat that is looked after'],
  },
  {
    group: 'settings',
    title: 'a problem',
    states: ['a chat with a problem', 'a chat without its bot'],
  },
  { group: 'settings', title: 'menu', states: ['the menu of a chat'] },
  { group: 'settings', title: 'details', states: ['a chat that is looked after'] },
  { group: 'settings', title: 'deleted messages', states: ['what was deleted in a chat'] },
  { group: 'settings', title: 'history', states: ['the history of a chat'] },
  { group: 'settings', title: 'tabs', states: ['a chat with tabs', 'a chat where all is good'] },
  { group: 'settings', title: 'moderation', states: ['the moderation of a chat'] },
  {
    group: 'settings',
    title: 'moderation at first',
    states: ['the moderation of a chat where nothing was done'],
  },
  {
    group: 'settings',
    title: 'a missing right',
    states: ['moderation without the right for it'],
  },
  { group: 'settings', title: 'log and commands', states: ['the log of a chat'] },
  { group: 'settings', title: 'no log yet', states: ['a chat without a log'] },
  { group: 'list', title: 'chats', states: ['the list of chats'] },
  { group: 'list', title: 'chats to verify', states: ['groups that wait to be verified'] },
  {
    group: 'account',
    title: 'account',
    states: ['the account page'],
    own: { ...seesHeading('/account'), isMember: true },
  },
  { group: 'dialogs', title: 'presets', states: ['what a preset changes'] },
  { group: 'dialogs', title: 'copy', states: ['where to copy settings to'] },
  { group: 'dialogs', title: 'copy more', states: ['copying more than settings'] },
  { group: 'dialogs', title: 'add a topic', states: ['topics that the bot knows'] },
  { group: 'dialogs', title: 'logout', states: ['the question before logging out'] },
  {
    group: 'generator',
    title: 'fresh',
    states: ['the generator'],
    own: seesHeading('/models?provider=pixai&view=generator'),
  },
  { group: 'generator', title: 'options', states: ['the options of the generator'] },
  { group: 'generator', title: 'sheet', states: ['the models over the generator'] },
  { group: 'generator', title: 'result', states: ['the generator with a picture'] },
  { group: 'pictures', title: 'history', states: ['a search in the history'] },
  { group: 'pictures', title: 'selection', states: ['selected pictures'] },
  { group: 'pictures', title: 'collections', states: ['the collections of a history'] },
  {
    group: 'pictures',
    title: 'compared',
    states: ['two pictures compared', 'two pictures under a slider'],
  },
  { group: 'pictures', title: 'source', states: ['a picture that others start from'] },
  { group: 'pictures', title: 'repaint', states: ['a part of a picture that is painted over'] },
  { group: 'pictures', title: 'recipe', states: ['a recipe that a picture has'] },
  { group: 'pictures', title: 'engine', states: ['the settings of an engine that has many'] },
  { group: 'settings', title: 'adults', states: ['what a chat shows to adults'] },
  { group: 'account', title: 'reminders', states: ['the account page with reminders'] },
  { group: 'settings', title: 'waiting', states: ['a change that waits for the network'] },
  { group: 'pictures', title: 'queue', states: ['a picture that waits for others'] },
  { group: 'browser', title: 'models', states: ['the models'] },
  { group: 'browser', title: 'ticked LoRAs', states: ['ticked LoRAs'] },
  { group: 'browser', title: 'details', states: ['the details of a model'] },
  { group: 'playground', title: 'list', states: ['the playground'] },
  { group: 'playground', title: 'endpoint', states: ['the form for speech'] },
  { group: 'playground', title: 'answer', states: ['an answer in the playground'] },
  {
    group: 'home',
    title: 'with figures',
    states: ['home with figures'],
    own: {
      path: () => '/',
      prepare: answerUsage(usage),
      reach: (app) => expect(app.getByText('412,873').first()).toBeVisible(),
    },
  },
  {
    group: 'home',
    title: 'without figures',
    states: ['home without figures'],
    own: { ...seesHeading('/'), prepare: answerUsage([]) },
  },
  {
    group: 'first run',
    title: 'add the bot',
    states: ['adding the bot to a group', 'adding a chat'],
  },
  { group: 'first run', title: 'its right', states: ['a group whose bot lacks its right'] },
  {
    group: 'first run',
    title: 'the proof',
    states: ['a group that is proven by one tap or by a code', 'verifying a chat'],
  },
  { group: 'first run', title: 'a preset', states: ['the choice of what is blocked'] },
];

type Palette = Readonly<Record<string, string>>;
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

type Place = {
  readonly name: string;
  readonly container: Container;
  readonly size: { readonly width: number; readonly height: number };
  readonly isTouch: boolean;
  /** Telegram's colours; ours on the web. */
  readonly palettes?: Readonly<Record<Theme, Palette>>;
};

/** The colours that the client for iOS sends. */
const iosPalettes = {
  light: {
    bg_color: '#ffffff',
    secondary_bg_color: '#efeff4',
    section_bg_color: '#ffffff',
    header_bg_color: '#f8f8f8',
    bottom_bar_bg_color: '#f2f2f2',
    text_color: '#000000',
    subtitle_text_color: '#8e8e93',
    hint_color: '#8e8e93',
    section_header_text_color: '#6d6d72',
    section_separator_color: '#c8c7cc',
    link_color: '#007aff',
    accent_text_color: '#007aff',
    button_color: '#007aff',
    button_text_color: '#ffffff',
    destructive_text_color: '#ff3b30',
  },
  dark: {
    bg_color: '#1c1c1e',
    secondary_bg_color: '#000000',
    section_bg_color: '#1c1c1e',
    header_bg_color: '#1c1c1e',
    bottom_bar_bg_color: '#1c1c1e',
    text_color: '#ffffff',
    subtitle_text_color: '#98989e',
    hint_color: '#98989e',
    section_header_text_color: '#8d8e93',
    section_separator_color: '#38383a',
    link_color: '#3e88f7',
    accent_text_color: '#3e88f7',
    button_color: '#3e88f7',
    button_text_color: '#ffffff',
    destructive_text_color: '#eb5545',
  },
} as const;

/** The colours that the client for Android sends. */
const androidPalettes = {
  light: {
    bg_color: '#ffffff',
    secondary_bg_color: '#f0f0f0',
    section_bg_color: '#ffffff',
    header_bg_color: '#527da3',
    bottom_bar_bg_color: '#f0f0f0',
    text_color: '#222222',
    subtitle_text_color: '#82868a',
    hint_color: '#a8a8a8',
    section_header_text_color: '#3a95d5',
    section_separator_color: '#d9d9d9',
    link_color: '#2678b6',
    accent_text_color: '#1c93e3',
    button_color: '#50a8eb',
    button_text_color: '#ffffff',
    destructive_text_color: '#cc2929',
  },
  dark: {
    bg_color: '#1d2733',
    secondary_bg_color: '#151e27',
    section_bg_color: '#1d2733',
    header_bg_color: '#242d39',
    bottom_bar_bg_color: '#151e27',
    text_color: '#ffffff',
    subtitle_text_color: '#7b8790',
    hint_color: '#7d8b99',
    section_header_text_color: '#79c4fc',
    section_separator_color: '#0d1218',
    link_color: '#5eabe1',
    accent_text_color: '#64b5ef',
    button_color: '#50a8eb',
    button_text_color: '#ffffff',
    destructive_text_color: '#ee686f',
  },
} as const;

/** Half of all combinations: the phones of Telegram narrow, its desktop wide, the website at all three widths. */
const places: readonly Place[] = [
  {
    name: 'web-390',
    container: 'phone browser',
    size: { width: 390, height: 844 },
    isTouch: true,
  },
  { name: 'web-768', container: 'browser', size: { width: 768, height: 1024 }, isTouch: true },
  { name: 'web-1280', container: 'browser', size: { width: 1280, height: 800 }, isTouch: false },
  {
    name: 'ios-390',
    container: 'ios',
    size: { width: 390, height: 844 },
    isTouch: true,
    palettes: iosPalettes,
  },
  {
    name: 'android-390',
    container: 'android',
    size: { width: 390, height: 844 },
    isTouch: true,
    palettes: androidPalettes,
  },
  { name: 'desktop-1280', container: 'webk', size: { width: 1280, height: 800 }, isTouch: false },
];

/** Where it looks at other languages than English, in the light theme. */
const languagePlaces: readonly Place[] = [320, 390, 1280].map((width) => ({
  name: `web-${width}`,
  container: width < 500 ? 'phone browser' : 'browser',
  size: { width, height: width < 500 ? 844 : 800 },
  isTouch: width < 500,
}));

/** Where and how a picture is taken. `language` is the tag of another language than English. */
export type View = { readonly place: Place; readonly theme: Theme; readonly language?: string };

/** All views, or those of these languages, which are tags with commas between. */
export function findViews(languages: string): readonly View[] {
  return languages === ''
    ? places.flatMap((place) => themes.map((theme) => ({ place, theme })))
    : languages
        .split(',')
        .flatMap((language) =>
          languagePlaces.map((place) => ({ place, theme: 'light', language })),
        );
}

export const viewName = ({ place, theme, language }: View): string =>
  [language, place.name, theme].filter(Boolean).join(', ');

/** The name of a picture's file, without its ending. */
export const fileName = ({ group, title }: Shot, { place, theme, language }: View): string =>
  [language, group, title, place.name, theme]
    .filter(Boolean)
    .join('-')
    .replaceAll(' ', '-')
    .toLowerCase();
