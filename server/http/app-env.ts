/** What middleware leaves in the context of a request for those after it. */
import { type Context } from 'hono';
import { type Logger } from 'pino';

import { type ErrorCode } from '#contract/endpoints/errors';
import { type SessionUser } from '#server/lib/requester';

export type AppEnv = {
  Variables: {
    requestId: string;
    log: Logger;
    /** The caller's address as far as proxies are believed; for limits only. */
    address: string;
    user: SessionUser | undefined;
    /** The code of the refusal that was answered. */
    refusal: ErrorCode | undefined;
  };
};

export type AppContext = Context<AppEnv>;
