/** Answers a picture that anybody may see, on any page, and that never changes under its address. */
import { type AppContext } from './app-env.ts';

const yearS = 365 * 24 * 60 * 60;

/** A WebP of our own. */
export function answerPublicPicture(c: AppContext, bytes: Buffer): Response {
  c.header('Cache-Control', `public, max-age=${yearS}, immutable`);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  c.header('Content-Security-Policy', "default-src 'none'; sandbox");
  return c.body(new Uint8Array(bytes), 200, { 'Content-Type': 'image/webp' });
}
