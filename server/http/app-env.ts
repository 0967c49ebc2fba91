/** The variables that middleware sets in the context of a request. */
import { type Context } from 'hono';
import { type Logger } from 'pino';

import { type ErrorCode } from '#contract/endpoints/errors';
import { type Language } from '#contract/languages';
import { type ServerLanguages } from '#server/lib/languages';
import { type SessionUser } from '#server/lib/requester';

export type AppEnv = {
  Variables: {
    requestId: string;
    log: Logger;
    /** The caller's network address, for limits only. */
    address: string;
    user: SessionUser | undefined;
    /** The code of the refusal that the request was answered with. */
    refusal: ErrorCode | undefined;
    /** The language of ours that the caller prefers; English without one. */
    language: Language;
    textsIn: ServerLanguages['textsIn'];
  };
};

export type AppContext = Context<AppEnv>;
