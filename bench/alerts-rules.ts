/** A mix of rules as a large organisation has them: most watch for what does not happen. */

/** New issues that say they are probes; about them the delay is measured. */
export const probeRules = {
  happened: 'Probe: new',
  filtered: 'Probe: new, within a filter',
  counted: 'Probe: five events in a minute',
} as const;

/** The tag that probes have. */
export const probeTag = 'alert_probe';
export const eventsOfProbe = 5;

const probe = (name: string, overrides: object): object => ({ kind: 'issue', name, digestMinutes: 0, ...overrides });

export function* ruleMix(count: number): Generator<object> {
  yield probe(probeRules.happened, { conditions: [{ type: 'new_issue' }] });
  yield probe(probeRules.filtered, { query: `${probeTag}:yes`, conditions: [{ type: 'new_issue' }] });
  yield probe(probeRules.counted, {
    query: `${probeTag}:yes`,
    conditions: [{ type: 'event_frequency', count: eventsOfProbe, minutes: 1 }],
  });
  for (let index = 3; index < count; index += 1) yield { name: `Rule ${index}`, ...ruleAt(index) };
}

const levels = ['fatal', 'error', 'warning'];
const windows = [1, 5, 10, 60, 1440];
const pick = <T>(from: readonly T[], index: number): T => from[index % from.length] as T;

/** Of ten: four about how often, three about what happened, three about numbers. */
function ruleAt(index: number): object {
  const own = `release:shop@${index}.* level:${pick(levels, index)}`;
  switch (index % 10) {
    case 0:
    case 1: {
      const condition = { type: 'event_frequency', count: 20_000 + index, minutes: pick(windows, index) };
      return { kind: 'issue', conditions: [condition] };
    }
    case 2:
      // Many issues are over the number, and none of their events is within the filter.
      return {
        kind: 'issue',
        query: own,
        conditions: [{ type: 'event_frequency', count: 20, minutes: pick(windows, index) }],
      };
    case 3:
      return {
        kind: 'issue',
        conditions: [{ type: 'user_frequency', count: 5_000 + index, minutes: pick(windows, index) }],
      };
    case 4:
      return { kind: 'issue', query: own, conditions: [{ type: 'new_issue' }, { type: 'regression' }] };
    case 5:
      return { kind: 'issue', query: own, conditions: [{ type: 'escalating' }, { type: 'unarchived' }] };
    case 6:
      return {
        kind: 'issue',
        match: 'all',
        query: own,
        conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 100, minutes: 10 }],
      };
    case 7:
      return metricRule(own, 5, { type: 'static' }, 100_000);
    case 8:
      return metricRule('', 10, { type: 'change', against: 'previous' }, 1_000_000);
    default:
      return metricRule(own, 60, { type: 'anomaly', sensitivity: 'low' }, null);
  }
}

const metricRule = (query: string, minutes: number, comparison: object, critical: number | null): object => ({
  kind: 'metric',
  query,
  metric: {
    dataset: 'errors',
    aggregate: 'count()',
    minutes,
    comparison,
    direction: 'above',
    warning: null,
    critical,
    resolve: null,
    noData: 'ok',
  },
});
