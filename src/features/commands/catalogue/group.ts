/** Commands for the administrators of a group. */
import { type Entry } from './entry.ts';

export const group: readonly Entry[] = [
  {
    id: 'status',
    title: 'Status',
    description:
      'Shows which kinds of message are blocked in this chat and topic. What you see there is changed on the dashboard.',
    usage: '/status in a group, or in the topic you want to know about',
  },
  {
    id: 'settings',
    title: 'Settings',
    description: 'Posts a button that opens the settings of this very chat.',
    usage: '/settings in the group, as an administrator',
  },
  {
    id: 'lock',
    title: 'Lock',
    description: 'Blocks a kind of message in the topic where you write it, from then on.',
    usage: '/lock sticker\n/lock forward\n/locktypes lists every kind that can be blocked',
  },
  {
    id: 'unlock',
    title: 'Unlock',
    description: 'Allows a kind of message again.',
    usage: '/unlock sticker\n/unlock all',
  },
  {
    id: 'ban',
    title: 'Ban',
    description: 'Removes a member for good, until an administrator unbans them.',
    usage: '/ban as a reply to one of their messages\n/ban @user spam, with a reason for the log',
  },
  {
    id: 'tban',
    title: 'Timed ban',
    description: 'Bans a member for some minutes, hours or days; afterwards they may join again.',
    usage: '/tban @user 2d for two days\n/tban 30m as a reply, for half an hour',
  },
  {
    id: 'unban',
    title: 'Unban',
    description: 'Lets a banned person join again.',
    usage: '/unban @user\n/unban 123456789, by user ID',
  },
  {
    id: 'kick',
    title: 'Kick',
    description: 'Removes a member who may come back at once by an invite link.',
    usage: '/kick as a reply\n/kick @user',
  },
  {
    id: 'mute',
    title: 'Mute',
    description: 'Lets a member read, but not write, until they are unmuted.',
    usage: '/mute as a reply\n/mute @user',
  },
  {
    id: 'tmute',
    title: 'Timed mute',
    description: 'Mutes a member for a while; they may write again when the time is over.',
    usage: '/tmute @user 1h\n/tmute 10m as a reply',
  },
  {
    id: 'unmute',
    title: 'Unmute',
    description: 'Gives a muted member their voice back.',
    usage: '/unmute as a reply\n/unmute @user',
  },
  {
    id: 'warn',
    title: 'Warn',
    description:
      'Gives a member a warning that counts. Too many of them and the bot does what you have decided: mute, kick or ban.',
    usage: '/warn as a reply, with a reason after it\n/warnlimit 3\n/warnmode mute',
  },
  {
    id: 'warns',
    title: 'Warnings',
    description: 'Shows how many warnings a member has and what for, and takes them back.',
    usage: '/warns @user\n/unwarn as a reply takes the last one back\n/resetwarns @user',
  },
  {
    id: 'purge',
    title: 'Purge',
    description: 'Deletes every message from the one you reply to down to your own.',
    usage: '/purge as a reply to the first message that should go\n/purge 20 for the next twenty',
  },
  {
    id: 'del',
    title: 'Delete',
    description: 'Deletes one message, and your command with it.',
    usage: '/del as a reply',
  },
  {
    id: 'welcome',
    title: 'Welcome',
    description: 'Greets everybody who joins, with a text of your own.',
    usage:
      '/setwelcome Hello {first}, please read the pinned message!\n/welcome on or /welcome off\n/resetwelcome',
  },
  {
    id: 'cleanwelcome',
    title: 'Clean welcome',
    description:
      'Removes the welcome message after 5 minutes, so that greetings do not pile up in a busy group.',
    usage: '/cleanwelcome on\n/cleanwelcome off',
  },
  {
    id: 'goodbye',
    title: 'Goodbye',
    description: 'Says farewell when a member leaves.',
    usage: '/setgoodbye See you, {first}!\n/goodbye off',
  },
  {
    id: 'cleanservice',
    title: 'Clean service messages',
    description: 'Removes Telegram’s own lines about who joined, left or pinned something.',
    usage: '/cleanservice on\n/cleanservice off',
  },
  {
    id: 'rules',
    title: 'Rules',
    description: 'Keeps the rules of the group and shows them to members who ask.',
    usage: '/rules\n/setrules Be kind. No advertising.\n/clearrules',
  },
  {
    id: 'filters',
    title: 'Filters',
    description: 'Answers by itself whenever a member writes a word you have chosen.',
    usage: '/filter hello Hi there!\n/filters lists them\n/stop hello removes one',
  },
  {
    id: 'blocklist',
    title: 'Blocked words',
    description: 'Deletes messages that contain a word or a link from your list.',
    usage: '/addblocklist casino\n/rmblocklist casino\n/blocklist',
  },
  {
    id: 'notes',
    title: 'Notes',
    description: 'Saves texts, pictures and files under a name, to be called up by any member.',
    usage: '/save wifi as a reply to what should be kept\n/get wifi\n/notes\n/clear wifi',
  },
  {
    id: 'antiflood',
    title: 'Anti-flood',
    description: 'Stops members who send many messages in a row.',
    usage: '/setflood 8 messages in a row are too many\n/floodmode mute\n/setflood off',
  },
  {
    id: 'antiraid',
    title: 'Anti-raid',
    description:
      'For a while, sends away everybody who joins: for when many strangers come at once.',
    usage: '/antiraid 1h\n/antiraid off',
  },
  {
    id: 'captcha',
    title: 'Captcha',
    description: 'Lets newcomers write once they have pressed a button or solved a small task.',
    usage: '/captcha on\n/captchamode button or /captchamode math\n/captchatime 5m',
  },
  {
    id: 'topics',
    title: 'Topics',
    description: 'Opens, renames, closes and reopens topics of a forum group.',
    usage: '/newtopic Off-topic\n/renametopic Chit-chat\n/closetopic\n/reopentopic',
  },
  {
    id: 'pin',
    title: 'Pin',
    description: 'Pins a message, quietly unless you say otherwise.',
    usage: '/pin as a reply\n/pin loud tells everybody\n/unpin',
  },
  {
    id: 'promote',
    title: 'Promote and demote',
    description: 'Makes a member an administrator with the rights you have, or takes that back.',
    usage: '/promote @user\n/promote @user Event team, with a title\n/demote @user',
  },
  {
    id: 'admins',
    title: 'Administrators',
    description: 'Lists who looks after the group.',
    usage: '/admins',
  },
  {
    id: 'report',
    title: 'Report',
    description: 'Quietly tells the administrators about a message.',
    usage: '/report as a reply to it\n/reports off for groups that do not want this',
  },
  {
    id: 'logchannel',
    title: 'Log channel',
    description: 'Writes every ban, mute, warning and deletion to a channel of yours.',
    usage: '/setlog in the channel, then forward that message to the group\n/unsetlog',
  },
];
