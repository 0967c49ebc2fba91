/**
 * Remembers the requests under way. One whose caller has left has no connection any more, but still
 * works with the database, which must not be closed before it is done.
 */

type Fetch<Rest extends unknown[]> = (...request: Rest) => Response | Promise<Response>;

/** Wraps `fetch`; `settled` resolves once nothing that was under way when it was called still is. */
export function trackRequests<Rest extends unknown[]>(
  fetch: Fetch<Rest>,
): { fetch: Fetch<Rest>; settled: () => Promise<void> } {
  const underWay = new Set<Promise<Response>>();
  return {
    fetch: (...request) => {
      const answer = fetch(...request);
      if (answer instanceof Promise) {
        const forget = () => void underWay.delete(answer);
        underWay.add(answer);
        answer.then(forget, forget);
      }
      return answer;
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
}
