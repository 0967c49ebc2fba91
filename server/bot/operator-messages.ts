/** What the bot tells the operator on the console, in English like the log. */

export const operatorMessages = {
  /** `reason` is Telegram's description. */
  failures: {
    unauthorized: (reason: string) =>
      `The bot receives nothing: Telegram does not know its token. Check BOT_TOKEN. (${reason})`,
    conflict: (reason: string) =>
      `The bot receives nothing: something else asks for its updates. Stop the other server with this BOT_TOKEN, or remove its webhook. (${reason})`,
    flooded: () => 'Telegram asks the bot to wait; it goes on by itself.',
    refused: (reason: string) => `Telegram refuses what the bot needs to work. (${reason})`,
    unreachable: () => 'Telegram does not answer the bot; it tries again until Telegram does.',
  } satisfies Record<string, (reason: string) => string>,
  noMiniApp: (publicUrl = '') =>
    publicUrl.startsWith('https:')
      ? `The bot has no main Mini App, so buttons in groups lead to its private chat first. Set one up at @BotFather (Bot Settings, Configure Mini App) with the address ${publicUrl}, and restart.`
      : 'The bot has no main Mini App, and PUBLIC_URL is no https address, so Telegram cannot open Nori. Set PUBLIC_URL, or set up a Mini App at @BotFather (Bot Settings, Configure Mini App), and restart.',
  noInlineMode:
    'The bot does not hear what is written to it by its name in other chats. Send /setinline and /setinlinefeedback (100%) to @BotFather, and restart.',
  setUpRefused: (reason: string) =>
    `Telegram refuses the bot’s list of commands or its menu button; everything else works. (${reason})`,
  worksAgain: 'The bot works again.',
} as const;
