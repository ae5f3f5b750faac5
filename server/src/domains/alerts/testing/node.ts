/** A node that does nothing but evaluate rules, for tests that kill it. Its argument is JSON of `NodeSetup`; it says "ready" once it looks. */
import { randomUUID } from 'node:crypto';
import type { EventsAddress } from '../../../ports/events/events.ts';
import { connectEvents } from '../../../ports/events/open.ts';
import { createFailures } from '../../../base/self/index.ts';
import { openState, type StateOptions } from '../../../ports/state/open.ts';
import { openLoop } from '../../../base/jobs/index.ts';
import { createEvaluator } from '../evaluator.ts';

export interface NodeSetup {
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly everyMs: number;
  readonly leaseMs: number;
}

const setup = JSON.parse(process.argv[2] ?? '') as NodeSetup;
const state = await openState(setup.state);
const events = connectEvents(setup.events);
const failures = createFailures({ logger: { error: (fields, message) => console.error(message, fields) } });
const { jobs } = createEvaluator({ state, events, failures, getUrl: () => 'http://culprit.test' });
const node = randomUUID();
for (const job of jobs) {
  openLoop({ ...job, everyMs: setup.everyMs }, { node, leaseMs: setup.leaseMs, failures });
}
console.log('ready');
// The evaluator's own timers keep no process alive.
setInterval(() => {}, 60_000);
