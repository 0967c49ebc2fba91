/** Everything the bot says in chats, and what it says on the console of whoever runs it. */

export const botTexts = {
  /** On the console. `reason` is Telegram's own word. */
  troubles: {
    unauthorized: (reason: string) =>
      `The bot cannot hear anything: Telegram does not know its token. Check BOT_TOKEN. (${reason})`,
    conflict: (reason: string) =>
      `The bot cannot hear anything: something else asks for its updates. Stop the other server with this BOT_TOKEN, or remove its webhook. (${reason})`,
    flooded: () => 'Telegram asks the bot to wait; it goes on by itself.',
    refused: (reason: string) => `Telegram refuses what the bot needs to work. (${reason})`,
    unreachable: () => 'Telegram does not answer the bot; it is tried again until it does.',
  } satisfies Record<string, (reason: string) => string>,
  wellAgain: 'The bot works again.',
} as const;
