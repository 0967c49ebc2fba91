/** Titles and descriptions of the commands for groups; a description has at most 256 characters, as in Telegram's menus. */

export const groupTexts = {
  status: {
    title: 'Status',
    description: 'Shows whether the bot has the rights it needs here, and what is blocked.',
  },
  settings: {
    title: 'Settings',
    description: 'Posts a button that opens the settings of this very chat.',
  },
  lock: {
    title: 'Lock and unlock',
    description: 'Blocks kinds of message where you write it, or allows them again.',
  },
  ban: {
    title: 'Ban',
    description: 'Removes a member for good or for a time, until an administrator unbans them.',
  },
  unban: {
    title: 'Unban',
    description: 'Lets a banned person join again.',
  },
  kick: {
    title: 'Kick',
    description: 'Removes a member who may come back at once by an invite link.',
  },
  mute: {
    title: 'Mute',
    description: 'Lets a member read, but not write, for a time or until they are unmuted.',
  },
  unmute: {
    title: 'Unmute',
    description: 'Gives a muted member their voice back.',
  },
  warn: {
    title: 'Warn',
    description:
      'Gives a member a warning that counts. Too many of them and the bot does what you have decided: mute, kick or ban.',
  },
  warns: {
    title: 'Warnings',
    description: 'Shows how many warnings a member has and what for, and takes them back.',
  },
  warnmode: {
    title: 'Rules of warnings',
    description:
      'Sets how many warnings are too many, what happens then, and how long a warning counts.',
  },
  purge: {
    title: 'Purge',
    description: 'Deletes every message from the one you reply to down to your own.',
  },
  del: {
    title: 'Delete',
    description: 'Deletes one message, and your command with it.',
  },
  welcome: {
    title: 'Welcome',
    description: 'Greets everybody who joins, with a text of your own.',
  },
  cleanwelcome: {
    title: 'Clean welcome',
    description:
      'Removes the greeting after 5 minutes, or when the next one comes, so that greetings do not pile up.',
  },
  goodbye: {
    title: 'Goodbye',
    description: 'Says goodbye when a member leaves.',
  },
  cleanservice: {
    title: 'Clean service messages',
    description: 'Removes Telegram’s own lines about who joined, left or pinned something.',
  },
  rules: {
    title: 'Rules',
    description: 'Keeps the rules of the group and shows them to everyone who asks.',
  },
  filters: {
    title: 'Filters',
    description: 'Answers by itself whenever a member writes a word you have chosen.',
  },
  blocklist: {
    title: 'Blocked words',
    description: 'Deletes messages that contain a word, a link or a sticker from your list.',
  },
  notes: {
    title: 'Notes',
    description: 'Saves texts, pictures and files under a name, to be called up by any member.',
  },
  antiflood: {
    title: 'Anti-flood',
    description: 'Stops members who send many messages in a row.',
  },
  antiraid: {
    title: 'Raid protection',
    description: 'Turns newcomers away for a while when many join at once.',
  },
  captcha: {
    title: 'Captcha',
    description: 'Asks newcomers to show that they are people before they can write.',
  },
  approve: {
    title: 'Approve',
    description: 'Lets a member write what is blocked for the others.',
  },
  topics: {
    title: 'Topics',
    description: 'Opens, renames, closes and reopens topics of a forum group.',
  },
  pin: {
    title: 'Pin',
    description: 'Pins a message, quietly unless you say otherwise.',
  },
  promote: {
    title: 'Promote and demote',
    description:
      'Makes a member an administrator with the rights that both you and the bot have, or takes that back.',
  },
  tag: {
    title: 'Tag',
    description: 'Gives a member a tag that stands beside their name, or removes it.',
  },
  admins: {
    title: 'Administrators',
    description: 'Lists who looks after the group.',
  },
  report: {
    title: 'Report',
    description: 'Quietly tells the administrators about a message.',
  },
  reactions: {
    title: 'Reactions',
    description:
      'Removes reactions that you do not want, all of a member who gives too many, and those of banned members.',
  },
  logchannel: {
    title: 'Log channel',
    description: 'Notes in a channel of yours what the bot and the administrators have done.',
  },
} as const;
