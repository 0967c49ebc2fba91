/** The texts of the tab "Content". */

export const contentTexts = {
  heading: 'Rules',
  title: 'Show the rules in the group',
} as const;
