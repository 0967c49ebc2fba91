/** What the shell says only when it is asked, or when a page is lost: not in the first script. */
export const laterTexts = {
  more: 'More',
  close: 'Close',
  theme: 'Theme',
  account: 'Account',
  cancel: 'Cancel',
  confirmLogout: 'Confirm Logout',
  confirmLogoutText: 'Are you sure you want to logout?',
  notFoundTitle: 'This page drifted off.',
  notFoundText: 'The link may be old.',
  notFoundStatus: 'Error 404',
  features: 'Features',
  api: 'API',
} as const;
