/** Before and after every test of the app: a clean device, and no silent complaint on the console. */
import { configure, prettyDOM } from '@testing-library/react';
import { afterAll, beforeEach, onTestFinished, vi } from 'vitest';
// oxlint-disable-next-line import/no-unassigned-import -- It adds its matchers to `expect`.
import '@testing-library/jest-dom/vitest';

const { setImmediate: soon } = globalThis;
const turn = () => new Promise<void>((resolve) => soon(resolve));

// The page runs as in a browser, without `act`: a test looks for what a user would wait to see.
configure({
  eventWrapper: (run) => run(),
  asyncWrapper: async (run) => {
    const result = await run();
    // React adds effects, such as key listeners, after it has drawn. A user is slower than that.
    await turn();
    await turn();
    return result;
  },
  unstable_advanceTimersWrapper: (run) => run(),
  // Below the limit of a test, so that the failure shows the page.
  asyncUtilTimeout: 25_000,
  // Waiting fails often before it succeeds: the page is printed only for a failure that is read.
  getElementError: (message, container) => {
    const error = new Error();
    error.name = 'TestingLibraryElementError';
    let text: string | undefined;
    Object.defineProperty(error, 'message', {
      configurable: true,
      get: () => (text ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')),
    });
    return error;
  },
});

// Timers that are left at the end of a file, such as a library's ripple, must not reach the next file.
const begun = new Set<ReturnType<typeof setTimeout>>();
const { setTimeout: setTimeoutOfWorker } = globalThis;
globalThis.setTimeout = new Proxy(setTimeoutOfWorker, {
  apply(begin, self, given) {
    const timer: ReturnType<typeof setTimeout> = Reflect.apply(begin, self, given);
    begun.add(timer);
    return timer;
  },
});
afterAll(() => {
  globalThis.setTimeout = setTimeoutOfWorker;
  for (const timer of begun) {
    clearTimeout(timer);
  }
});

let complaints: string[] = [];

beforeEach(() => {
  // First, and therefore last when the test has finished: after its pages and servers have been closed.
  onTestFinished(cleanDevice);
  complaints = [];
  for (const method of ['error', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      if (isAboutSearch(parts)) {
        return;
      }
      complaints.push(`console.${method}: ${parts.map(String).join(' ')}`);
    });
  }
});

/** happy-dom does not know the `search` element, which every browser has. */
function isAboutSearch([format, tag]: readonly unknown[]): boolean {
  return String(format).startsWith('The tag <%s> is unrecognized') && tag === 'search';
}

/** What would reach the next page, which may be that of another file: nothing survives that a new device does not have. */
function cleanDevice(): void {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) {
    document.documentElement.removeAttribute(name);
  }
  window.history.replaceState(null, '', '/');
  if (complaints.length > 0) {
    throw new Error(`Unexpected on the console:\n${complaints.join('\n')}`);
  }
}
