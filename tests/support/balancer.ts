/**
 * A balancer in front of several servers: each in turn gets a request while its `/readyz` answers 200. A request that was
 * sent is repeated only when that changes nothing, and only when the test wants it.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request as sendRequest,
  type ServerResponse,
} from 'node:http';

export type Balancer = {
  readonly url: string;
  /** Requests go to this address, such as `http://127.0.0.1:8000`, once it is ready. */
  readonly add: (target: string) => void;
  /** No more requests go there; those under way go on. */
  readonly remove: (target: string) => void;
  /** The targets that were ready when they were last looked at. */
  readonly ready: () => readonly string[];
  /** How many requests were answered by a target, were repeated, and could not be passed on. */
  readonly counts: { readonly passed: number; readonly repeated: number; readonly broken: number };
  readonly close: () => Promise<void>;
};

type Options = {
  readonly targets?: readonly string[];
  /** GET and HEAD without an answer go to another target, as most balancers do. */
  readonly isRepeating?: boolean;
  /** How long a target may take until its answer begins. */
  readonly answerWithinMs?: number;
};

const probeEveryMs = 100;
const probeTimeoutMs = 1000;
const bodyless = new Set(['GET', 'HEAD']);

/** Resolves to whether the server says that it is ready. */
function probe(target: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(`${target}/readyz`, { agent: false, timeout: probeTimeoutMs }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', () => resolve(false));
  });
}

type TargetState = { isReady: boolean; isProbed: boolean };

/** Which of its targets are ready, and whose turn it is. */
function createTargets(given: readonly string[]) {
  const targets = new Map<string, TargetState>(
    given.map((target) => [target, { isReady: false, isProbed: false }]),
  );
  let turn = 0;

  async function look(target: string, state: TargetState): Promise<void> {
    state.isProbed = true;
    state.isReady = await probe(target);
    state.isProbed = false;
  }

  function probeAll(): void {
    for (const [target, state] of targets) {
      if (!state.isProbed) {
        void look(target, state);
      }
    }
  }

  const ready = () => [...targets].filter(([, { isReady }]) => isReady).map(([target]) => target);
  const timer = setInterval(probeAll, probeEveryMs).unref();
  probeAll();
  return {
    add: (target: string) => void targets.set(target, { isReady: false, isProbed: false }),
    remove: (target: string) => void targets.delete(target),
    ready,
    next: (except: ReadonlySet<string>): string | undefined => {
      const free = ready().filter((target) => !except.has(target));
      turn += 1;
      return free[turn % Math.max(free.length, 1)];
    },
    stop: () => clearInterval(timer),
  };
}

/** Listens on a free port of this machine. */
export async function startBalancer({
  targets: given = [],
  isRepeating = false,
  answerWithinMs = 30_000,
}: Options = {}): Promise<Balancer> {
  const targets = createTargets(given);
  const agent = new Agent({ keepAlive: true });
  const counts = { passed: 0, repeated: 0, broken: 0 };

  function refuse(answer: ServerResponse): void {
    counts.broken += 1;
    if (answer.headersSent) {
      answer.destroy();
      return;
    }
    answer.writeHead(503, { 'Retry-After': '1', 'X-Refused-By': 'balancer' }).end();
  }

  function pass(asked: IncomingMessage, answer: ServerResponse, tried: Set<string>): void {
    const target = targets.next(tried);
    if (target === undefined) {
      refuse(answer);
      return;
    }
    tried.add(target);
    const { method = 'GET', url = '/', headers } = asked;
    const forwarded = headers['x-forwarded-for'] ?? asked.socket.remoteAddress ?? '';
    const outgoing = sendRequest(`${target}${url}`, {
      method,
      agent,
      headers: { ...headers, connection: 'keep-alive', 'x-forwarded-for': forwarded },
    });
    const late = setTimeout(() => outgoing.destroy(new Error('no answer in time')), answerWithinMs);
    outgoing.on('response', (incoming) => {
      clearTimeout(late);
      counts.passed += 1;
      const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = incoming.headers;
      answer.writeHead(incoming.statusCode ?? 502, kept);
      answer.flushHeaders();
      incoming.on('error', () => answer.destroy());
      incoming.pipe(answer);
    });
    outgoing.on('error', () => {
      clearTimeout(late);
      if (answer.destroyed || answer.headersSent) {
        answer.destroy();
      } else if (isRepeating && bodyless.has(method)) {
        counts.repeated += 1;
        pass(asked, answer, tried);
      } else {
        refuse(answer);
      }
    });
    answer.on('close', () => {
      clearTimeout(late);
      outgoing.destroy();
    });
    asked.pipe(outgoing);
  }

  const server = createServer({ requestTimeout: 0 }, (asked, answer) =>
    pass(asked, answer, new Set()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    add: targets.add,
    remove: targets.remove,
    ready: targets.ready,
    counts,
    close: async () => {
      targets.stop();
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}
