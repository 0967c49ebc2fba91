/** Renders the pages to static HTML at build time, before session and platform are known. */
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';

import { brand } from '#lib/brand';
import { preview } from '#lib/page-texts';
import { paths, prefix } from '#lib/paths';
import { createQueryClient } from '#lib/query-client';

import { Frame } from './app.tsx';
import { pageTitle } from './page-identity.ts';
import { routeAt, routes } from './routes.ts';
import { loadScreen } from './screens.ts';
import { Shell } from './shell/shell.tsx';

/** Every address that is prerendered. */
export const prerenderedPaths: readonly string[] = routes.map(({ path }) => path);

/** The page that Telegram opens, and the one that a link to a chat shows instead. */
export const { home: firstPath, dashboard: chatsPath } = paths;

/** The page with a script of its own. */
export const { gate: gatePath } = paths;

/** The name of the product. */
export const siteName: string = brand.name;

/** What the picture of a link's preview shows. */
export const pictureText: string = preview.picture(brand.name);

/** The servers that the build calls; undefined where unset. */
export const hosts = [import.meta.env.VITE_BACKEND_URL, import.meta.env.VITE_PUBLIC_API_URL];

/** The servers that only some screens call. */
export const rareHosts = [import.meta.env.VITE_MODEL_SEARCH_URL];

type Page = {
  readonly html: string;
  readonly title: string;
  readonly description: string;
  /** Whether search engines may list it. */
  readonly isPublic: boolean;
};

/** The page at `path`, which is without the prefix of the language; the not-found page for an address without a route. */
export async function renderPage(path: string): Promise<Page> {
  const route = routeAt(path);
  await loadScreen(route);
  const queryClient = createQueryClient();
  const { prelude } = await prerender(
    <StrictMode>
      <Frame queryClient={queryClient}>
        <StaticRouter basename={prefix} location={prefix + path}>
          <Shell />
        </StaticRouter>
      </Frame>
    </StrictMode>,
    // In one piece: streamed parts need inline scripts, which the Content-Security-Policy forbids.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await new Response(prelude).text();
  // Ends its timers, for which the build would wait.
  queryClient.clear();
  return {
    html,
    title: pageTitle(route),
    description: route.description ?? '',
    isPublic: route.description !== undefined,
  };
}

const screenFiles = import.meta.glob<Record<string, unknown>>('/src/**/*-screen.tsx');

/** The source file of the screen at `path`, relative to the project, as in the build's manifest. */
export async function screenSource(path: string): Promise<string | undefined> {
  const route = routeAt(path);
  const screen = await loadScreen(route);
  const modules = await Promise.all(
    Object.entries(screenFiles).map(async ([file, load]) => ({ file, exported: await load() })),
  );
  const found = modules.find(({ exported }) => Object.values(exported).includes(screen));
  return found?.file.slice(1);
}
