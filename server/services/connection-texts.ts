/** What the server says about linked accounts. */
import { type ServiceId } from '#contract/endpoints/connections';

export const connectionTexts = {
  linked: (label: string) => `${label} is linked.`,
  alreadyLinked: (label: string) => `${label} is linked already.`,
  notLinked: (label: string) => `You have not linked ${label} yet. You can do so in the dashboard.`,
  notSetUp: (label: string, variables: readonly string[]) =>
    `${label} is not connected on this server. Whoever runs it can set ${variables.join(' and ')}.`,
  foreignPlaying: 'You can only see what you are listening to yourself.',
  /** What sets each service up. */
  variables: {
    spotify: ['SPOTIFY_CLIENT_ID'],
    anilist: ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
  },
} as const satisfies Record<string, unknown> & {
  variables: Record<ServiceId, readonly string[]>;
};
