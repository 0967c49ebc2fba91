/** The framework alone, with one route and no database: the baseline of `npm run bench:server`. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import process from 'node:process';

const app = new Hono().get('/', (c) => c.json({ status: 'ok' }));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`Open http://127.0.0.1:${port}\n`);
});
