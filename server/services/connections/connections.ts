/** Linked accounts of other services: which there are, making one, and forgetting it. */
import { type ServiceId, serviceIds } from '#contract/endpoints/connections';
import { type Dependencies } from '#server/app/dependencies';
import {
  createConnectionAttemptRepository,
  createConnectionRepository,
  type StoredConnection,
} from '#server/db/connections';
import { serviceVariables } from '#server/upstream/connections/oauth';

import {
  type AttemptNeeds,
  type ConnectionAttempts,
  createConnectionAttempts,
} from './attempts.ts';

type ConnectionState = {
  readonly service: ServiceId;
  readonly state: 'linked' | 'unlinked' | 'unavailable';
  readonly accountName?: string | undefined;
  /** Epoch milliseconds. */
  readonly linkedAt?: number;
  /** The variables that would set the service up. */
  readonly missing: readonly string[];
};

export type Connections = ConnectionAttempts & {
  readonly list: (telegramId: number) => Promise<readonly ConnectionState[]>;
  readonly remove: (telegramId: number, service: ServiceId) => Promise<void>;
};

export function createConnectionService(deps: Dependencies, needs: AttemptNeeds): Connections {
  const stored = createConnectionRepository(deps.database.db);
  const attempts = createConnectionAttemptRepository(deps.database.db);

  async function stateOf(telegramId: number, service: ServiceId): Promise<ConnectionState> {
    if (needs.services[service] === undefined) {
      return { service, state: 'unavailable', missing: serviceVariables[service] };
    }
    const found = await stored.find({ telegramId, service });
    if (!found || hasEnded(found, deps.clock())) {
      return { service, state: 'unlinked', missing: [] };
    }
    const { accountName, linkedAt } = found;
    return { service, state: 'linked', accountName, linkedAt, missing: [] };
  }

  return {
    ...createConnectionAttempts(deps, needs),

    list: (telegramId) => Promise.all(serviceIds.map((service) => stateOf(telegramId, service))),

    remove: async (telegramId, service) => {
      // A link that is half made must not come back after this.
      await attempts.removeAllOf({ telegramId, service });
      await stored.remove({ telegramId, service });
    },
  };
}

/** Whether the token is good no more, and nothing can renew it. */
function hasEnded({ refreshToken, expiresAt }: StoredConnection, now: number): boolean {
  return refreshToken === undefined && expiresAt !== undefined && expiresAt <= now;
}
