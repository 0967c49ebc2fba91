/** The texts of the shell that the first page does not need. */
export const laterTexts = {
  more: 'More',
  close: 'Close',
  theme: 'Theme',
  language: 'Language',
  account: 'Account',
  logout: {
    title: 'Confirm Logout',
    question: 'Are you sure you want to logout?',
    cancel: 'Cancel',
  },
  notFoundTitle: 'This page drifted off.',
  notFoundText: 'The link may be old.',
  notFoundStatus: 'Error 404',
} as const;
