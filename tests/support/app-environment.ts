/** The window of the app's tests: happy-dom, made more like a browser. One for all files of a worker. */
import * as React from 'react';
import { builtinEnvironments, type Environment } from 'vitest/runtime';

const { 'happy-dom': happyDom } = builtinEnvironments;

const environment: Environment = {
  ...happyDom,
  name: 'app',
  async setup(global, options) {
    const window = await happyDom.setup(global, options);
    // happy-dom's style declarations are lists, yet cannot be iterated over as those of browsers can.
    Object.assign(CSSStyleDeclaration.prototype, { [Symbol.iterator]: Array.prototype.values });
    // In browsers an empty text is a body, too: by that the HTTP client knows that answers can be streams.
    globalThis.Response = class extends Response {
      constructor(...[body, init]: ConstructorParameters<typeof Response>) {
        super(body === '' && init === undefined ? new Blob([]).stream() : body, init);
      }
    };
    // A request that a page sends after its test has ended gets no response and reaches no network.
    globalThis.fetch = () => new Promise(() => {});
    skipOwnerStacks();
    return window;
  },
};

/**
 * React's development build records a stack trace for each element, for messages in the browser's developer tools. No
 * test reads them, and they take an eighth of the time. React stops recording above a number of its own.
 */
function skipOwnerStacks(): void {
  const internals: unknown = Reflect.get(
    React,
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  );
  if (typeof internals === 'object' && internals !== null) {
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
      get: () => Infinity,
      set() {
        // React starts to count again each second.
      },
    });
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest requires it.
export default environment;
