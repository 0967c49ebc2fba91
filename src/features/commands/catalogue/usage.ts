/** How each command is used, by category and command. What is typed stays as it is in every language. */
import { type animeNsfwTexts } from './anime-nsfw-texts.ts';
import { type animeSfwTexts } from './anime-sfw-texts.ts';
import { type groupTexts } from './group-texts.ts';
import { type inlineTexts } from './inline-texts.ts';
import { type miscTexts } from './misc-texts.ts';
import { type usageTexts } from './usage-texts.ts';

type Sentences = typeof usageTexts;

/** A line: a command as it is typed, or the text of a sentence and the commands in it. `@bot` stands for the bot's name. */
export type UsageLine =
  | string
  | {
      [Name in keyof Sentences]: Sentences[Name] extends `${string}{other}${string}`
        ? readonly [text: Name, command: string, other: string]
        : readonly [text: Name, command: string];
    }[keyof Sentences];

/** By the commands' IDs, which are used in links, so they must not change. */
type Usage<Texts> = Readonly<Record<keyof Texts, readonly UsageLine[]>>;

export const group: Usage<typeof groupTexts> = {
  status: [['status', '/status']],
  settings: [['settings', '/settings']],
  lock: ['/lock sticker', '/lock forward', ['locktypes', '/locktypes']],
  unlock: ['/unlock sticker', '/unlock all'],
  ban: [
    ['ban', '/ban'],
    ['banReason', '/ban @user spam'],
  ],
  tban: [
    ['tban', '/tban @user 2d'],
    ['tbanReply', '/tban 30m'],
  ],
  unban: ['/unban @user', ['unban', '/unban 123456789']],
  kick: [['reply', '/kick'], '/kick @user'],
  mute: [['reply', '/mute'], '/mute @user'],
  tmute: ['/tmute @user 1h', ['reply', '/tmute 10m']],
  unmute: [['reply', '/unmute'], '/unmute @user'],
  warn: [['warn', '/warn'], '/warnlimit 3', '/warnmode mute'],
  warns: ['/warns @user', ['unwarn', '/unwarn'], '/resetwarns @user'],
  purge: [
    ['purge', '/purge'],
    ['purgeCount', '/purge 20'],
  ],
  del: [['reply', '/del']],
  welcome: [
    ['setwelcome', '/setwelcome', '{first}'],
    ['either', '/welcome on', '/welcome off'],
    '/resetwelcome',
  ],
  cleanwelcome: ['/cleanwelcome on', '/cleanwelcome off'],
  goodbye: [['setgoodbye', '/setgoodbye', '{first}'], '/goodbye off'],
  cleanservice: ['/cleanservice on', '/cleanservice off'],
  rules: ['/rules', ['setrules', '/setrules'], '/clearrules'],
  filters: [
    ['filter', '/filter'],
    ['filters', '/filters'],
    ['stop', '/stop'],
  ],
  blocklist: ['/addblocklist casino', '/rmblocklist casino', '/blocklist'],
  notes: [['save', '/save wifi'], '/get wifi', '/notes', '/clear wifi'],
  antiflood: [['setflood', '/setflood 8'], '/floodmode mute', '/setflood off'],
  antiraid: ['/antiraid 1h', '/antiraid off'],
  captcha: [
    '/captcha on',
    ['either', '/captchamode button', '/captchamode math'],
    '/captchatime 5m',
  ],
  topics: [
    ['newtopic', '/newtopic'],
    ['renametopic', '/renametopic'],
    '/closetopic',
    '/reopentopic',
  ],
  pin: [['reply', '/pin'], ['pinLoud', '/pin loud'], '/unpin'],
  promote: ['/promote @user', ['promote', '/promote @user'], '/demote @user'],
  admins: ['/admins'],
  report: [
    ['report', '/report'],
    ['reportsOff', '/reports off'],
  ],
  logchannel: [['setlog', '/setlog'], '/unsetlog'],
};

export const animeSfw: Usage<typeof animeSfwTexts> = {
  anime: ['/anime Frieren', ['anilistId', '/anime 154587']],
  manga: ['/manga Yotsuba&!'],
  character: ['/character Rem'],
  staff: ['/staff Naoko Yamada'],
  studio: ['/studio Kyoto Animation'],
  airing: ['/airing One Piece'],
  schedule: ['/schedule', '/schedule friday'],
  season: ['/season', '/season spring 2024'],
  topanime: ['/topanime', '/topanime mystery'],
  recommend: ['/recommend Mushishi'],
  watchlist: ['/watchlist', '/watched Frieren 12', '/link anilist'],
  sfw: ['/sfw Rem'],
  pixiv: ['/pixiv Hatsune Miku'],
  waifu: ['/waifu', ['waifuByName', '/waifu Asuna']],
  sauce: [['replyToPicture', '/sauce']],
  animequote: ['/animequote', '/animequote Lelouch'],
  react: [['reply', '/hug'], '/pat @user', '/wave'],
};

export const animeNsfw: Usage<typeof animeNsfwTexts> = {
  nsfwmode: [['nsfwmode', '/nsfwmode on'], '/nsfwmode off'],
  nsfw: [['characterName', '/nsfw']],
  kemono: [['characterName', '/kemono']],
  hanime: ['/hanime 1', ['nextPage', '/hanime 2']],
  nsfwtags: ['/nsfwtags hide gore', '/nsfwtags show gore', '/nsfwtags'],
  nsfwsource: [['replyToPicture', '/nsfwsource']],
  nsfwclean: ['/nsfwclean 10m', '/nsfwclean off'],
};

export const misc: Usage<typeof miscTexts> = {
  start: [['start', '/start']],
  help: ['/help', '/help purge'],
  id: ['/id', ['idReply', '/id']],
  info: ['/info', '/info @user'],
  link: ['/link spotify', '/link anilist', '/unlink spotify'],
  nowplaying: ['/np', '/nowplaying'],
  imagine: [['imagine', '/imagine']],
  enhance: [['enhance', '/enhance']],
  tiktok: [['videoLink', '/tk']],
  douyin: [['videoLink', '/douyin']],
  instagram: [['postLink', '/insta']],
  facebook: [['videoLink', '/fb']],
  x: [['postLink', '/x']],
  threads: [['postLink', '/threads']],
  pinterest: [['pinLink', '/pinterest']],
  tts: ['/tts Hello, world!', ['ttsReply', '/tts ja']],
  animetts: [
    ['animetts', '/animetts'],
    ['voices', '/voices'],
  ],
  translate: [
    ['reply', '/tr en'],
    ['translate', '/tr ja'],
  ],
  sticker: [
    ['reply', '/kang'],
    ['reply', '/getsticker'],
  ],
  quotely: [
    ['reply', '/q'],
    ['quoteCount', '/q 3'],
  ],
  weather: ['/weather Kyoto'],
  define: ['/define serendipity'],
  wiki: ['/wiki nori'],
  remind: [['remind', '/remind 2h'], '/reminders'],
  afk: [['afk', '/afk']],
  ping: ['/ping'],
};

export const inline: Usage<typeof inlineTexts> = {
  'inline-anime': ['@bot anime Frieren'],
  'inline-manga': ['@bot manga Yotsuba'],
  'inline-character': ['@bot character Rem'],
  'inline-nowplaying': ['@bot np', ['linkOnce', '/link spotify']],
  'inline-whisper': [['whisper', '@bot whisper @user']],
  'inline-translate': [['translate', '@bot tr ja']],
  'inline-wiki': ['@bot wiki onigiri'],
  'inline-calc': ['@bot calc 12 * 7.5'],
  'inline-style': [['style', '@bot style']],
  'inline-note': ['@bot note wifi', ['saveOnce', '/save wifi']],
};
