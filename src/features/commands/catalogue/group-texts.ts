/** Titles and descriptions of the commands for the administrators of a group. */

export const groupTexts = {
  status: {
    title: 'Status',
    description:
      'Shows which kinds of message are blocked in this chat and topic. What you see there is changed on the dashboard.',
  },
  settings: {
    title: 'Settings',
    description: 'Posts a button that opens the settings of this very chat.',
  },
  lock: {
    title: 'Lock',
    description: 'Blocks a kind of message in the topic where you write it, from then on.',
  },
  unlock: {
    title: 'Unlock',
    description: 'Allows a kind of message again.',
  },
  ban: {
    title: 'Ban',
    description: 'Removes a member for good, until an administrator unbans them.',
  },
  tban: {
    title: 'Timed ban',
    description: 'Bans a member for some minutes, hours or days; afterwards they may join again.',
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
    description: 'Lets a member read, but not write, until they are unmuted.',
  },
  tmute: {
    title: 'Timed mute',
    description: 'Mutes a member for a while; they may write again when the time is over.',
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
      'Removes the welcome message after 5 minutes, so that greetings do not pile up in a busy group.',
  },
  goodbye: {
    title: 'Goodbye',
    description: 'Says farewell when a member leaves.',
  },
  cleanservice: {
    title: 'Clean service messages',
    description: 'Removes Telegram’s own lines about who joined, left or pinned something.',
  },
  rules: {
    title: 'Rules',
    description: 'Keeps the rules of the group and shows them to members who ask.',
  },
  filters: {
    title: 'Filters',
    description: 'Answers by itself whenever a member writes a word you have chosen.',
  },
  blocklist: {
    title: 'Blocked words',
    description: 'Deletes messages that contain a word or a link from your list.',
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
    title: 'Anti-raid',
    description:
      'For a while, sends away everybody who joins: for when many strangers come at once.',
  },
  captcha: {
    title: 'Captcha',
    description: 'Lets newcomers write once they have pressed a button or solved a small task.',
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
    description: 'Makes a member an administrator with the rights you have, or takes that back.',
  },
  admins: {
    title: 'Administrators',
    description: 'Lists who looks after the group.',
  },
  report: {
    title: 'Report',
    description: 'Quietly tells the administrators about a message.',
  },
  logchannel: {
    title: 'Log channel',
    description: 'Writes every ban, mute, warning and deletion to a channel of yours.',
  },
} as const;
