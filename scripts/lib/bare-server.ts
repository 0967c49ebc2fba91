/** The framework alone, one route, no database: what the real server is measured beside. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import process from 'node:process';

const app = new Hono().get('/', (c) => c.json({ status: 'ok' }));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`Open http://127.0.0.1:${port}\n`);
});
