/** Every endpoint of the public API, in the order of the playground. */
import { anilistEndpoints, animeEndpoints, hanimeEndpoints } from './anime.ts';
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
