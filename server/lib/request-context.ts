/** Which request, update or job the code that runs now works for: named in logs and traces, and stored with what is done later. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What traces know of a piece of work. */
export type Span = {
  readonly traceId: string;
  /** Names, codes and counts; never contents, tokens or IDs of users. */
  readonly set: (attributes: Readonly<Record<string, string | number>>) => void;
  readonly rename: (name: string) => void;
  readonly end: (options?: { readonly isFailed?: boolean }) => void;
};

type Current = {
  readonly requestId: string;
  readonly span: Span | undefined;
  readonly isCallerGone: () => boolean;
};

const none: Current = { requestId: '', span: undefined, isCallerGone: () => false };
const context = new AsyncLocalStorage<Current>();
const current = (): Current => context.getStore() ?? none;

/** Such as `7f3a…` of a request or `update 42`; '' outside of both. */
export const currentRequestId = (): string => current().requestId;

/** The innermost piece of work; undefined without traces. */
export const currentSpan = (): Span | undefined => current().span;

/** Whether who sent the request waits for its answer no more. Always false for updates and jobs. */
export const isCallerGone = (): boolean => current().isCallerGone();

/** Runs `work`, and all that it begins, for this request. */
export const withRequestId = <Result>(
  requestId: string,
  work: () => Result,
  isGone = none.isCallerGone,
): Result => context.run({ ...current(), requestId, isCallerGone: isGone }, work);

export const withSpan = <Result>(span: Span, work: () => Result): Result =>
  context.run({ ...current(), span }, work);

/** For what is done again and again: else it would be done for the request that happened to begin it. */
export const outsideRequests = <Result>(work: () => Result): Result => context.run(none, work);
