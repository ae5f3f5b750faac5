/** What is wrong with an alert rule that a client of Sentry sends, after the name of its field. */
export const clientRules = {
  name: 'name: is required',
  condition: (at: string, type: string, known: readonly string[]) =>
    `${at}: Culprit has no condition ${type}. It has ${known.join(', ')}`,
  noCondition: 'triggers: needs at least one condition',
  mixedConditions:
    'actionFilters: several triggers of which any is enough cannot be combined with a frequency. Create a rule for each',
  noneLogic: (at: string) => `${at}: logicType none is not supported. Use all or any`,
  anyQuery: (at: string) => `${at}: any of a frequency and a filter is not supported. Use all`,
  severalFilters: 'actionFilters: a rule has one action filter. Create a rule for each',
  interval: (at: string) => `${at}: interval must be between 1min and 1d`,
  amount: (at: string) => `${at}: value must be a number`,
  comparison: (at: string, wanted: string) => `${at}: comparison must be ${wanted}`,
  match: (at: string) => `${at}: match must be eq, ne, co, nc, sw, nsw, ew, new, is, ns, in or nin`,
  alone: (at: string, type: string) => `${at}: ${type} must be the only trigger. Create a rule for the others`,
  detector: (id: string) => `detectorIds: ${id} is not the ID of a project, whose error detector has the same ID`,
  actionKind: (at: string, kind: string, channels: readonly string[]) =>
    `${at}: Culprit has no actions of type ${kind}. ${has(channels)}`,
  channel: (at: string, kind: string, named: string, channels: readonly string[]) =>
    `${at}: no ${kind} channel ${named}. ${has(channels)}`,
  addresses: (at: string, whom: string, addresses: readonly string[]) =>
    `${at}: no email channel sends to ${whom} alone. Create one with ${addresses.join(', ') || 'their addresses'}, or give the ID of a channel`,
  owners: (at: string) =>
    `${at}: alert rules tell channels, not the owners of an issue. Ownership rules assign issues, and who is assigned is notified`,
  recipient: (at: string, id: string) => `${at}: ${id} is not the ID of a member or team`,
  detectorType: (type: string) => `type: ${type} detectors cannot be created or changed. Use metric_issue`,
  dataSource: 'dataSources: needs one data source with dataset, aggregate and timeWindow',
  dataset: (name: string) => `dataSources: Culprit has no dataset ${name}. Use errors, spans, transactions or sessions`,
  timeWindow: 'dataSources: timeWindow must be between 60 and 86400 seconds',
  direction: 'conditionGroup: all thresholds must be above, or all below',
  threshold: (at: string) => `${at}: needs a threshold`,
  priority: (at: string) => `${at}: conditionResult must be 75 for critical, 50 for warning or 0 for resolved`,
  delta: 'config: comparisonDelta must be 86400, 604800, or the time window',
  workflow: (id: string) => `workflowIds: ${id} is not the ID of an issue rule`,
  selection: 'needs at least one of id, query, project and projectSlug',
} as const;

const has = (channels: readonly string[]): string =>
  channels.length ? `Channels: ${channels.join(', ')}` : 'Create a channel under Settings, Channels';
