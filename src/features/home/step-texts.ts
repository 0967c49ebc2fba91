/** The first steps with a bot that was never used. */

export const stepTexts = {
  heading: 'What to do first',
  addBot: {
    title: 'Add the bot to a group',
    subtitle: 'It asks for the rights that its commands use.',
  },
  block: { title: 'Choose what is blocked', subtitle: 'By message type, topic by topic.' },
  features: { title: 'See what it does', subtitle: 'Every command, and how to use it.' },
  picture: { title: 'Make a picture', subtitle: 'From a sentence and a model.' },
  api: { title: 'Try the API', subtitle: 'Run an endpoint right on the page.' },
} as const;
