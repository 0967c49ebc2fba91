/** The texts of the shell that every page loads. */
import { brand } from '#lib/brand';

export const texts = {
  skipToContent: 'Skip to content',
  navigation: 'Main',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  login: 'Login',
  signup: 'Sign Up',
  logout: 'Logout',
  switchToDark: 'Switch to dark theme',
  switchToLight: 'Switch to light theme',
  loggedOut: "You've been logged out. Please login again.",
  backendDown: 'Unable to connect to backend server...',
  offline: "You're offline. What you already loaded still works.",
  notLasting: 'This browser keeps nothing: you will not stay signed in.',
  generations: (count: number) =>
    `${count} ${count === 1 ? 'generation' : 'generations'} in progress`,
  signingIn: 'Signing in…',
  brokenTitle: 'Something broke on our side of the screen.',
  brokenText: 'Reload to go on. If it happens again, send us the details.',
  reload: 'Reload',
  copyDetails: 'Copy details',
  support: 'Support',
  noSupport: 'Not linked yet',
  setVariable: (variable: string) => `Set ${variable} to link this`,
  footer: `© 2025 ${brand.name}`,
} as const;
