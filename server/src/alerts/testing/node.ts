/** A node that does nothing but evaluate rules, for tests that kill it. Its argument is JSON of `NodeSetup`; it says "ready" once it looks. */
import { parseSearch } from '@culprit/search';
import type { EventsAddress } from '../../events/events.ts';
import { connectEvents } from '../../events/open.ts';
import { createFailures } from '../../self/index.ts';
import { openState, type StateOptions } from '../../state/open.ts';
import { openEvaluator } from '../evaluator.ts';

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
openEvaluator({
  state,
  events,
  readSearch: async (query) => parseSearch(query, 'issues').root,
  failures,
  getUrl: () => 'http://culprit.test',
  everyMs: setup.everyMs,
  leaseMs: setup.leaseMs,
});
console.log('ready');
// The evaluator's own timers keep no process alive.
setInterval(() => {}, 60_000);
