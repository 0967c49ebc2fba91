/**
 * The service worker: opens pages that this device has seen when there is no network. It answers for pages, the network
 * first, and for files with a fingerprint in their name, the device first. Calls to the server do not pass through it.
 */
type FetchEvent = ExtendableEvent & {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  readonly respondWith: (response: Promise<Response>) => void;
};
type ExtendableEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void };
type WorkerScope = {
  readonly skipWaiting: () => Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { readonly claim: () => Promise<void> };
};

const names = { pages: 'nori-pages', assets: 'nori-assets' } as const;
/** A network that has not answered by then counts as none, if the device has the page; ms. */
const networkTimeoutMs = 4000;
/** The files of about three versions of the app in one language. */
const maxAssets = 300;
const maxPages = 40;

const worker = readScope(globalThis);

addEventListener('install', () => void worker?.skipWaiting());

addEventListener('activate', (event) => {
  if (isExtendable(event)) {
    event.waitUntil(begin());
  }
});

addEventListener('message', (event) => {
  const { data, source } = event;
  if (isExtendable(event) && Array.isArray(data) && source !== null && 'url' in source) {
    event.waitUntil(addSeen([source.url, ...data]));
  }
});

addEventListener('fetch', (event) => {
  if (!isFetch(event) || event.request.method !== 'GET') {
    return;
  }
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) {
    return;
  }
  if (request.mode === 'navigate') {
    event.respondWith(openPage(event, pathname));
  } else if (isAsset(pathname)) {
    event.respondWith(loadAsset(request));
  }
});

async function begin(): Promise<void> {
  // The browser asks for a page while the worker starts.
  await worker?.registration.navigationPreload.enable();
  await worker?.clients.claim();
}

/** The page, and the files that it has loaded before the worker was there; by their addresses. */
async function addSeen(addresses: readonly unknown[]): Promise<void> {
  const [pages, assets] = await Promise.all([caches.open(names.pages), caches.open(names.assets)]);
  const own = addresses
    .map((address) => new URL(String(address)))
    .filter(({ origin, pathname }, index) => {
      const isPage = index === 0;
      return origin === location.origin && (isPage || isAsset(pathname));
    });
  await Promise.all(
    own.map(async ({ pathname }) => {
      const cache = isAsset(pathname) ? assets : pages;
      if ((await cache.match(pathname)) === undefined) {
        const response = await fetch(pathname);
        if (response.ok && !response.redirected) {
          await cache.put(pathname, response);
        }
      }
    }),
  );
}

/** The path names the page: what follows it is read by the page's scripts, and may be secret. */
async function openPage(event: FetchEvent, pathname: string): Promise<Response> {
  const cache = await caches.open(names.pages);
  const fromNetwork = askNetwork(event).then(async (response) => {
    if (response.ok && !response.redirected) {
      await store(cache, { key: pathname, response, max: maxPages });
    }
    return response;
  });
  event.waitUntil(fromNetwork.catch(() => undefined));
  const known = await findPage(cache, pathname);
  if (known === undefined) {
    return fromNetwork;
  }
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(known), networkTimeoutMs);
  });
  return Promise.race([fromNetwork.catch(() => known), late]);
}

async function askNetwork({ request, preloadResponse }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

/** The page itself, else another of its language, whose scripts draw the page that the address names. */
async function findPage(cache: Cache, pathname: string): Promise<Response | undefined> {
  const [, language = ''] = /^\/([a-z]{2}(?:-[A-Z]{2})?)(?:\/|$)/.exec(pathname) ?? [];
  return (await cache.match(pathname)) ?? cache.match(language === '' ? '/' : `/${language}`);
}

async function loadAsset(request: Request): Promise<Response> {
  const cache = await caches.open(names.assets);
  const known = await cache.match(request);
  if (known !== undefined) {
    return known;
  }
  const response = await fetch(request);
  if (response.ok) {
    await store(cache, { key: request, response, max: maxAssets });
  }
  return response;
}

type Stored = {
  readonly key: Request | string;
  readonly response: Response;
  readonly max: number;
};

/** Stores an answer as the newest. The oldest make room. A device that is full stores nothing. */
async function store(cache: Cache, { key, response, max }: Stored): Promise<void> {
  try {
    const copy = response.clone();
    await cache.delete(key);
    await cache.put(key, copy);
    const all = await cache.keys();
    await Promise.all(all.slice(0, -max).map((old) => cache.delete(old)));
  } catch {
    // The answer is shown all the same.
  }
}

function isAsset(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}

function isExtendable(event: Event): event is ExtendableEvent {
  return 'waitUntil' in event;
}

function isFetch(event: Event): event is FetchEvent {
  return 'respondWith' in event;
}

/** The types of pages, which the rest of the app has, do not know what only workers have. */
function readScope(scope: object): WorkerScope | undefined {
  return isWorkerScope(scope) ? scope : undefined;
}

function isWorkerScope(scope: object): scope is WorkerScope {
  return 'skipWaiting' in scope && 'registration' in scope && 'clients' in scope;
}
