/** The cache of the server's data, and when a failed read is repeated. */
import { QueryClient } from '@tanstack/react-query';

import { isOutage } from './api.ts';

const maxRetries = 3;
const maxWaitMs = 30_000;

/** Exponential with full jitter, so that many clients do not retry at the same moment. */
function retryDelayMs(attempt: number): number {
  return Math.random() * Math.min(1000 * 2 ** attempt, maxWaitMs);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < maxRetries && isOutage(error),
        retryDelay: retryDelayMs,
        staleTime: 10_000,
        // `navigator.onLine` is not reliable; a failed call is.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
