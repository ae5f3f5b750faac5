/** An outbox on a database of its own, filled, worked through and read back. For tests. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { randomUUID } from 'node:crypto';
import { openLoops } from '../../../base/jobs/testing.ts';
import type { Failures } from '../../../base/self/index.ts';
import { parseAllowList } from '../../../base/outbound/index.ts';
import { openState, type StateOptions } from '../../../ports/state/open.ts';
import type { State } from '../../../ports/state/state.ts';
import type { TestDatabases } from '../../../ports/state/testing/databases.ts';
import { listDeliveries, type LoggedDelivery } from '../delivery-log.ts';
import { enqueue } from '../enqueue.ts';
import { parseMailSettings } from '../mail/index.ts';
import { createNotifier, type Notifier } from '../notifier.ts';
import type { Delivery } from '../types.ts';
import { makePeople, notification, organizationId } from './people.ts';
import { testVault } from './vault.ts';

export const tell = (
  state: State,
  key: string,
  to: Delivery['to'],
  overrides: Partial<Delivery> = {},
): Promise<boolean> =>
  state.transaction((trx) => enqueue(trx, { key, organizationId, to, notification: notification(), ...overrides }));

/** The earliest first. */
export async function logged(state: State): Promise<LoggedDelivery[]> {
  return (await listDeliveries(state, { organizationId, offset: 0, limit: 100 })).toReversed();
}

export const states = async (state: State): Promise<string[]> => (await logged(state)).map(({ state }) => state);

/** Of `states`: nothing is left to be done. */
export const isOver = (all: readonly string[]): boolean => all.every((one) => one !== 'waiting' && one !== 'sending');

export async function until<T>(what: () => Promise<T> | T, isDone: (value: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const value = await what();
    if (isDone(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`never came: ${JSON.stringify(value)}`);
    await delay(20);
  }
}

/** What a test opens is closed after it. */
export function opensOutboxes({ migratedPlace }: TestDatabases) {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const one of undo.splice(0).toReversed()) await one();
  });
  const keep = <T extends AsyncDisposable>(resource: T): T => {
    undo.push(() => resource[Symbol.asyncDispose]());
    return resource;
  };
  return {
    undo,
    keep,
    /** Of an organisation with two members. */
    async open(): Promise<{ state: State; place: StateOptions }> {
      const place = await migratedPlace();
      const state = keep(await openState(place));
      await makePeople(state, ['ada', 'bob']);
      return { state, place };
    },
    deliverOn(state: State, smtpUrl = ''): Notifier & AsyncDisposable {
      const failures: Failures = {
        note(error) {
          throw error;
        },
      };
      const notifier = createNotifier({
        state,
        failures,
        mail: parseMailSettings(smtpUrl, 'Culprit <culprit@example.com>', ''),
        allow: parseAllowList('127.0.0.1'),
        vault: testVault,
        getUrl: () => 'http://culprit.test',
      });
      const loops = keep(openLoops(notifier.jobs, { failures, node: randomUUID(), everyMs: 20 }));
      return { ...notifier, [Symbol.asyncDispose]: loops[Symbol.asyncDispose] };
    },
  };
}
