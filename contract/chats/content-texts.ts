/** What the bot sends where a chat has no text of its own. What stands in braces is filled in. */

export const defaultContentTexts = {
  welcome: 'Hello {mention}, welcome to {chatname}!',
  goodbye: 'Goodbye, {first}.',
  /** The link that stands for `{rules}`. */
  rules: 'rules',
} as const;
