/** A stand-in for AniList: signs people in without PKCE, and tells their name. Works in every kind of test. */
import { randomBytes } from 'node:crypto';

import { fieldsOf } from './music-service.ts';
import { createSignIns } from './sign-in-stand-in.ts';
import { type Answer, listen, type RecordedCall } from './stand-in-server.ts';

/** A year: AniList's tokens cannot be renewed. */
const lifetimeS = 31_536_000;

export async function startAnimeService() {
  const clientId = '4711';
  const clientSecret = 'secret-of-nori-at-anilist';
  const accessTokens = new Set<string>();
  const viewer = 'mika_watches';

  const signIns = createSignIns('AniList', clientId, (query) =>
    query.has('scope') || query.has('code_challenge') ? 'scope or code_challenge' : undefined,
  );

  function token({ body }: RecordedCall): Answer {
    const field = fieldsOf(body);
    if (field('client_id') !== clientId || field('client_secret') !== clientSecret) {
      return {
        status: 401,
        body: { error: 'invalid_client', message: 'Client authentication failed' },
      };
    }
    const wrong =
      field('grant_type') === 'authorization_code'
        ? signIns.redeem({
            code: field('code'),
            redirectUri: field('redirect_uri'),
            verifier: undefined,
          })
        : 'unsupported_grant_type';
    if (wrong !== undefined) {
      return { status: 400, body: { error: 'invalid_grant', message: wrong } };
    }
    const accessToken = `access-of-anilist-${randomBytes(16).toString('hex')}`;
    accessTokens.add(accessToken);
    return { body: { token_type: 'Bearer', expires_in: lifetimeS, access_token: accessToken } };
  }

  const standIn = await listen((call) => {
    const { method, path, headers } = call;
    if (method === 'GET' && path.startsWith('/api/v2/oauth/authorize?')) {
      return signIns.page(path);
    }
    if (method === 'POST' && path === '/api/v2/oauth/token') {
      return token(call);
    }
    if (method === 'POST' && path === '/graphql') {
      return accessTokens.has((headers.authorization ?? '').replace('Bearer ', ''))
        ? { body: { data: { Viewer: { name: viewer } } } }
        : {
            status: 400,
            body: { errors: [{ message: 'Invalid token', status: 400 }], data: null },
          };
    }
    return { status: 404, body: {} };
  });

  return {
    ...standIn,
    variables: {
      ANILIST_CLIENT_ID: clientId,
      ANILIST_CLIENT_SECRET: clientSecret,
      ANILIST_ROOT: standIn.url,
      ANILIST_API_ROOT: `${standIn.url}/graphql`,
    },
    /** What the person is called there. */
    viewer,
    agree: signIns.agree,
    expireCodes: signIns.expireCodes,
    tokens: () => [...accessTokens],
  };
}
