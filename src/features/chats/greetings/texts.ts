/** The texts of the tab "Greetings". */

export const greetingTexts = {
  heading: 'Greeting',
  title: 'Greet newcomers',
} as const;
