/** The cache of server facts, and when a failed read is tried again. */
import { QueryClient } from '@tanstack/react-query';

import { ApiError } from './api.ts';

const mostRetries = 3;
const longestWaitMs = 30_000;

/** Only what may pass by itself is tried again: no answer, and errors on the server's side. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'no_response' || error.status >= 500;
}

/** Exponential, with full jitter, so that many clients do not come back at the same moment. */
function retryDelayMs(attempt: number): number {
  return Math.random() * Math.min(1000 * 2 ** attempt, longestWaitMs);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < mostRetries && isPassing(error),
        retryDelay: retryDelayMs,
        staleTime: 10_000,
        // `navigator.onLine` lies in both directions; a failed call says it better.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
