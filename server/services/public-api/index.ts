/** The door of this module: what the rest of the server may use of it. */
export { openApiDocument } from './openapi.ts';
export { createPublicApi } from './public-api.ts';
export { createPublicFiles } from './public-files.ts';
