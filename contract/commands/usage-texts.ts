/**
 * How commands are used, where it takes more than the command itself: `{command}` is the command as it
 * is typed, `{other}` a second one or a part of it that stays as it is.
 */

export const usageTexts = {
  reply: '{command} as a reply',
  either: '{command} or {other}',

  status: '{command} in a group, or in the topic you want to know about',
  settings: '{command} in the group, as an administrator',
  locks: '{command} lists what is blocked here',
  locktypes: '{command} lists every kind that can be blocked',
  ban: '{command} as a reply to one of their messages',
  banReason: '{command}, with a reason for the log',
  tban: '{command} for two days',
  dban: '{command} as a reply deletes the message, too',
  unban: '{command}, by user ID',
  warn: '{command} as a reply, with a reason after it',
  unwarn: '{command} as a reply takes the last one back',
  resetwarns: '{command} takes all of them back',
  purge: '{command} as a reply to the first message that should go',
  purgeCount: '{command} for the last twenty',
  setflood: '{command}: as many messages in a row are too many',
  setfloodTime: '{command}: as many within ten seconds are',
  antiraid: '{command} for six hours, or as long as the chat has set',
  autoraid: '{command} begins it when so many people join within a minute',
  captcha: '{command} asks for one press',
  captchaTask: '{command} asks for a short task',
  captchaGate: '{command} asks in Nori, before they are in',
  setwelcome: '{command} Hello {first}, welcome to {chatname}!',
  welcomeNewcomer: '{command} for a greeting that the newcomer alone sees',
  setgoodbye: '{command} Goodbye, {first}.',
  setrules: '{command} Be kind. No ads.',
  approved: '{command} lists who is approved',
  newtopic: '{command} Off-topic',
  renametopic: '{command} Chit-chat',
  pinLoud: '{command} tells everybody',
  promote: '{command} Event team, with a title',
  tag: '{command} Tester',
  untag: '{command} alone removes it',
  reportOr: '{command} or {other} as a reply to it',
  reportsOff: '{command} for groups that do not want this',
  reactions: '{command}: more than so many in a minute are removed',
  reactionsBanned: '{command} leaves the reactions of those who are banned',
  setlog: '{command} in the channel, then forward that message to the group',

  start: '{command} in a private chat with the bot',
} as const;
