/** Passkeys: logging in by one, adding and removing them; and the code that proves who is there. */
import { type Hono } from 'hono';

import { loginWithPasskey, requestPasskeyLogin } from '#contract/endpoints/passkey-login';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  requestConfirmationCode,
  requestPasskey,
  requestPasskeyProof,
} from '#contract/endpoints/passkeys';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on, onUser } from '#server/http/on';
import { getCaller, requireUser } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { findPasskeySite, toPublicId } from '#services/accounts';

import { startSession } from './accounts.ts';

/** Who is told that a code was sent. */
const codeIsOnItsWay = 'A 6-digit code is on its way. No code? Open the bot and press Start.';

export function addPasskeyRoutes(app: Hono<AppEnv>, services: Services): void {
  const { deps, confirmations, limiter, passkeys } = services;

  const findSite = (c: AppContext) => findPasskeySite(deps.env.publicUrl, c.req.url);

  /** Throws `not_found` where browsers have no passkeys. */
  function requireVisit(c: AppContext) {
    const site = findSite(c);
    if (site === undefined) {
      throw new AppError('not_found');
    }
    return { site, caller: getCaller(c) };
  }

  on(app, requestPasskeyLogin, async (_input, c) => {
    const { site } = requireVisit(c);
    await limiter.take(limits.addressPasskeyLogins, c.get('address'));
    return { options: await passkeys.requestLogin(site) };
  });

  on(app, loginWithPasskey, async ({ response, device }, c) => {
    const visit = requireVisit(c);
    await limiter.take(limits.addressLogins, c.get('address'));
    const telegramId = await passkeys.checkLogin(response, visit);
    return startSession(services, { telegramId, way: 'passkey', device }, c);
  });

  onUser(app, requestPasskeyProof, async (_input, c) => {
    const { site } = requireVisit(c);
    const user = requireUser(c);
    await limiter.take(limits.proofs, user.sessionId);
    return { options: await passkeys.requestProof(user, site) };
  });

  onUser(app, requestConfirmationCode, async (_input, c) => {
    await confirmations.sendCode(requireUser(c), c.get('language'));
    return { message: codeIsOnItsWay };
  });

  onUser(app, listPasskeys, async (_input, c) => {
    const found = await passkeys.list(requireUser(c));
    return { passkeys: found.map(toInfo) };
  });

  onUser(app, requestPasskey, async ({ proof }, c) => {
    const visit = requireVisit(c);
    const user = requireUser(c);
    await confirmations.check(user, proof, visit);
    return { options: await passkeys.requestAdding(user, visit.site) };
  });

  onUser(app, addPasskey, async ({ response, name }, c) => {
    const visit = requireVisit(c);
    const user = requireUser(c);
    await limiter.take(limits.proofs, user.sessionId);
    return toInfo(await passkeys.add(user, { response, name }, visit));
  });

  onUser(app, removePasskey, async ({ id, proof }, c) => {
    const user = requireUser(c);
    const caller = getCaller(c);
    await confirmations.check(user, proof, { site: findSite(c), caller });
    await passkeys.remove(user, id, caller);
  });
}

function toInfo(passkey: Awaited<ReturnType<Services['passkeys']['list']>>[number]) {
  const { name, createdAt, lastUsedAt } = passkey;
  return {
    id: toPublicId(passkey),
    name,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: lastUsedAt === undefined ? undefined : new Date(lastUsedAt).toISOString(),
  };
}
