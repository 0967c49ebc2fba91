/** Which request, update or job the code that runs now works for: named in logs, and stored with what is done later. */
import { AsyncLocalStorage } from 'node:async_hooks';

const context = new AsyncLocalStorage<string>();

/** Such as `7f3a…` of a request or `update 42`; '' outside of both. */
export const currentRequestId = (): string => context.getStore() ?? '';

/** Runs `work`, and all that it begins, for this request. */
export const withRequestId = <Result>(id: string, work: () => Result): Result =>
  context.run(id, work);
