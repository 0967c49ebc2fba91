/**
 * What the stand-ins of both services have in common: a page that asks a person, and codes that are
 * good once, for a while, at one address, and (with PKCE) for whoever has the verifier.
 */
import { createHash, randomBytes } from 'node:crypto';

import { type Answer } from './stand-in-server.ts';

/** What a service takes down while the person decides. */
type SignIn = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  /** The hash of the verifier; absent without PKCE. */
  readonly challenge: string | undefined;
};

/** What the service sends a person back with. */
export type WayBack = {
  readonly code: string;
  readonly state: string;
  readonly redirectUri: string;
};

type Redemption = {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
};

/** `check` says what is wrong with a request for a sign-in, beside what is wrong everywhere. */
export function createSignIns(
  label: string,
  clientId: string,
  check: (query: URLSearchParams) => string | undefined,
) {
  const codes = new Map<string, SignIn>();
  let areCodesExpired = false;

  function read(query: URLSearchParams): SignIn | string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const wrong =
      query.get('response_type') !== 'code'
        ? 'response_type'
        : query.get('client_id') !== clientId
          ? 'client_id'
          : !/^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(redirectUri)
            ? 'redirect_uri'
            : check(query);
    return (
      wrong ?? {
        clientId,
        redirectUri,
        state: query.get('state') ?? '',
        scope: query.get('scope') ?? '',
        challenge: query.get('code_challenge') ?? undefined,
      }
    );
  }

  function codeFor(signIn: SignIn): string {
    const code = `code-of-${label.toLowerCase()}-${randomBytes(12).toString('hex')}`;
    codes.set(code, signIn);
    return code;
  }

  function parse(authorizeUrl: string): SignIn {
    const signIn = read(new URL(authorizeUrl).searchParams);
    if (typeof signIn === 'string') {
      throw new Error(`${label} would not ask anybody: ${signIn} is wrong in ${authorizeUrl}`);
    }
    return signIn;
  }

  return {
    /** The page that asks. With `answer=yes` or `answer=no` the person has answered. */
    page: (path: string): Answer => {
      const { searchParams, pathname } = new URL(path, 'http://stand-in');
      const signIn = read(searchParams);
      if (typeof signIn === 'string') {
        return { status: 400, body: { error: `invalid ${signIn}` } };
      }
      const answer = searchParams.get('answer');
      if (answer === null) {
        const link = (word: string) =>
          `${pathname}?${new URLSearchParams([...searchParams, ['answer', word]]).toString()}`;
        return {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
          body: `<!doctype html><html lang="en"><title>${label}</title><link rel="icon" href="data:,"><h1>Let Nori use your ${label} account?</h1>
            <a href="${escape(link('yes'))}">Agree</a> <a href="${escape(link('no'))}">Cancel</a></html>`,
        };
      }
      const back = new URL(signIn.redirectUri);
      if (answer === 'yes') {
        back.searchParams.set('code', codeFor(signIn));
      } else {
        back.searchParams.set('error', 'access_denied');
      }
      back.searchParams.set('state', signIn.state);
      return { status: 302, headers: { Location: back.toString() } };
    },

    /** The person agrees, without a browser. */
    agree: (authorizeUrl: string): WayBack => {
      const signIn = parse(authorizeUrl);
      return { code: codeFor(signIn), state: signIn.state, redirectUri: signIn.redirectUri };
    },

    /** From now on codes come too late. */
    expireCodes: () => {
      areCodesExpired = true;
    },

    /** Takes a code. Answers what is wrong with it, or nothing. */
    redeem: ({ code, redirectUri, verifier }: Redemption): string | undefined => {
      const signIn = codes.get(code);
      codes.delete(code);
      if (signIn === undefined || areCodesExpired) {
        return 'Invalid authorization code';
      }
      if (signIn.redirectUri !== redirectUri) {
        return 'Invalid redirect URI';
      }
      return signIn.challenge === undefined || signIn.challenge === challengeOf(verifier)
        ? undefined
        : 'code_verifier was incorrect';
    },
  };
}

function challengeOf(verifier = ''): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
