/** Every endpoint that the playground offers and the public API answers, in the order of the screen. */
import { anilistEndpoints } from './anilist.ts';
import { animeEndpoints, hanimeEndpoints } from './anime.ts';
import { downloaderEndpoints } from './downloaders.ts';
import { type PublicEndpoint } from './public-endpoint.ts';
import { speechEndpoints } from './speech.ts';

const table = [
  ...animeEndpoints,
  ...hanimeEndpoints,
  ...anilistEndpoints,
  ...downloaderEndpoints,
  ...speechEndpoints,
] as const;

export type PublicEndpointId = (typeof table)[number]['id'];

export const publicEndpoints: readonly (PublicEndpoint & { readonly id: PublicEndpointId })[] =
  table;
