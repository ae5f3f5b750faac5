/**
 * What inbound filters cost an event that stays: with none, with those of new projects, and with all of them and patterns;
 * beside computing it.
 */
import { addClientContexts } from '../server/src/process/steps/user-agent/index.ts';
import {
  filterIds,
  filtersOf,
  type FilterSettings,
  judgeEvent,
  newProjectFilters,
  noFilters,
} from '../server/src/process/steps/filters/index.ts';
import { makeEvent } from '../server/src/process/steps/make-event.ts';
import { computeAll, createBodies, growth, payloadOf, timed } from './computing.ts';
import { atMost, createReport, finding, type Report } from './report.ts';

interface FiltersOptions {
  readonly events: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

const all: FilterSettings = {
  active: filterIds,
  patterns: {
    'error-message': ['*is not a function of this module*', 'Timeout * exceeded by*', '*[[]retry {1,2,3}]*'],
    'error-type': ['Abort*', '*Warning'],
    'release-version': ['legacy@*', 'dev-*'],
    environment: ['{dev,qa}*'],
    'ip-address': ['192.0.2.0/24', '2001:db8::/32'],
  },
};

export function runFilters({ events: count, rounds, progress }: FiltersOptions): Report {
  const bodies = createBodies(count);
  const events = bodies.map((body) => makeEvent(JSON.parse(payloadOf(body))));
  for (const event of events) addClientContexts(event, {});
  const sender = { remoteAddress: '198.51.100.7', userAgent: 'node' };
  // Each a few times, so that the clock can tell.
  const turns = 20;
  const judged = (filters: FilterSettings): number => {
    const settings = { filters };
    let dropped = 0;
    const ms = timed(() => {
      for (let turn = 0; turn < turns; turn++) {
        for (const event of events) {
          const found = filtersOf(settings);
          if (found && judgeEvent(found, event, sender)) dropped++;
        }
      }
    });
    if (dropped > 0) throw new Error(`${dropped} events of the corpus were dropped`);
    return (ms * 1_000) / count / turns;
  };
  const perEvent = { compute: [] as number[], none: [] as number[], usual: [] as number[], all: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const times = {
      compute: (timed(() => computeAll(bodies)) * 1_000) / count,
      none: judged(noFilters),
      usual: judged(newProjectFilters),
      all: judged(all),
    };
    progress(`round ${round} of ${rounds}`);
    // The first one warms up.
    if (round === 0) continue;
    for (const name of ['compute', 'none', 'usual', 'all'] as const) perEvent[name].push(times[name]);
  }
  const shareOf = (values: readonly number[]): number[] =>
    values.map((value, round) => (value / (perEvent.compute[round] ?? Number.NaN)) * 100);
  const long = (length: number) => {
    const filters = filtersOf({ filters: all });
    const text = 'a'.repeat(length);
    const event = makeEvent({ platform: 'javascript', exception: { values: [{ type: text, value: text }] } });
    return () => filters && judgeEvent(filters, event, sender);
  };
  return createReport(
    'filters',
    { events: count, rounds },
    [
      finding('computing an event, all steps', 'µs', perEvent.compute),
      finding('no filters', 'µs', perEvent.none),
      finding('filters of new projects', 'µs', perEvent.usual),
      finding('share of those', '%', shareOf(perEvent.usual), atMost(1)),
      finding('all filters, ten patterns', 'µs', perEvent.all),
      growth('message and type, 1 kB to 100 kB', long, [1_000, 100_000]),
    ],
    ['Growth: time per character at a hundred times the length, over that at the length; 1 is linear.'],
  );
}
