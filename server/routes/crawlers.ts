/** What search engines ask for first: what they may read, and the list of pages. */
import { type Hono } from 'hono';

import { type Dependencies } from '#server/app/dependencies';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { robotsText, sitemapXml } from '#server/http/site-address';
import { type StaticSite } from '#server/http/static-site';

export function addCrawlerRoutes(
  app: Hono<AppEnv>,
  { env, site }: Pick<Dependencies, 'env'> & { readonly site: StaticSite },
): void {
  const paths = [...site.values()].flatMap(({ listedAt }) => listedAt ?? []).toSorted();
  // Without PUBLIC_URL the address that was asked is all there is to go by; whoever asks may make
  // it up, so that nobody on the way may keep the answer for others.
  const originOf = (c: AppContext) => {
    c.header('Cache-Control', env.publicUrl === undefined ? 'no-store' : 'public, max-age=3600');
    return env.publicUrl ?? new URL(c.req.url).origin;
  };

  app.get('/robots.txt', (c) => c.text(robotsText(originOf(c))));

  app.get('/sitemap.xml', (c) => {
    c.header('Content-Type', 'application/xml; charset=utf-8');
    return c.body(sitemapXml(originOf(c), paths));
  });
}
