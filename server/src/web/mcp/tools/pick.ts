/** What of the API's answers an agent gets: what says something, under the names of the API. */

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of an object; nothing of what is none. */
export const pick = (value: unknown, ...names: readonly string[]): Data =>
  isData(value) ? Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : []))) : {};

export const rows = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const issueOf = (value: unknown): Data => ({
  ...pick(value, 'shortId', 'title', 'culprit', 'level', 'status', 'substatus', 'count', 'estimated', 'userCount'),
  ...pick(value, 'firstSeen', 'lastSeen', 'isUnhandled', 'priority', 'permalink'),
  project: isData(value) ? pick(value['project'], 'slug') : undefined,
  assignedTo: isData(value) ? pick(value['assignedTo'], 'type', 'name') : undefined,
});

export const eventOf = (value: unknown): Data =>
  pick(
    value,
    'eventID',
    'title',
    'culprit',
    'level',
    'dateCreated',
    'environment',
    'release',
    'platform',
    'traceId',
    'digest',
  );

/** Calls of a stack, the newest ones. */
const mostFrames = 40;

const frameOf = (value: unknown): Data =>
  pick(value, 'filename', 'absPath', 'module', 'function', 'lineNo', 'colNo', 'inApp', 'context', 'vars', 'sourceLink');

const stackOf = (value: unknown): Data | undefined =>
  isData(value) ? { frames: rows(value['frames']).slice(-mostFrames).map(frameOf) } : undefined;

function entryOf(value: unknown): Data {
  if (!isData(value)) return {};
  const { type, data } = value;
  if (!isData(data)) return { type };
  if (type === 'exception' || type === 'threads') {
    const all = rows(data['values']).map((one) => ({
      ...pick(one, 'type', 'value', 'module', 'mechanism', 'id', 'name', 'crashed', 'current', 'state'),
      stacktrace: isData(one) ? stackOf(one['stacktrace']) : undefined,
    }));
    return { type, values: all };
  }
  return { type, data: type === 'stacktrace' ? stackOf(data) : data };
}

/** An event in full, without who it was. */
export const wholeEvent = (value: unknown): Data =>
  isData(value)
    ? {
        ...eventOf(value),
        ...pick(value, 'message', 'location', 'spanId', 'dist', 'logger', 'sdk', 'fingerprints'),
        occurrence: value['occurrence'],
        user: isData(value['user']) ? pick(value['user'], 'id') : undefined,
        entries: rows(value['entries']).map(entryOf),
        tags: rows(value['tags']),
        contexts: value['contexts'],
        context: value['context'],
        nextEventID: value['nextEventID'],
        previousEventID: value['previousEventID'],
      }
    : {};

export const releaseOf = (value: unknown): Data => ({
  ...pick(
    value,
    'version',
    'status',
    'dateCreated',
    'dateReleased',
    'firstEvent',
    'lastEvent',
    'eventCount',
    'estimated',
    'newGroups',
  ),
  ...pick(value, 'commitCount'),
  projects: isData(value) ? rows(value['projects']).map((one) => pick(one, 'slug')) : [],
  lastCommit: isData(value) ? pick(value['lastCommit'], 'id', 'message', 'dateCreated') : undefined,
  lastDeploy: isData(value) ? pick(value['lastDeploy'], 'environment', 'dateFinished') : undefined,
});

export const ruleOf = (value: unknown): Data =>
  pick(
    value,
    'id',
    'name',
    'sentence',
    'enabled',
    'state',
    'stateSince',
    'value',
    'problem',
    'mutedUntil',
    'lastFiredAt',
    'firedLast7Days',
  );

export const firingOf = (value: unknown): Data => ({
  ...pick(value, 'at', 'ruleId', 'ruleName', 'severity', 'state', 'why', 'value'),
  issue: isData(value) ? pick(value['issue'], 'shortId', 'title', 'level') : undefined,
});
