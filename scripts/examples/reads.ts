/** Every question, with what there is to ask about. */
import { idOf } from '../data-dir/traffic.ts';
import type { Made } from './makes.ts';
import type { Recorder } from './recorder.ts';

type Row = Readonly<Record<string, string>>;

/** What a question needs besides its path. */
const queries = (made: Made): Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> => {
  const ofTransaction = { transaction: 'GET /reports', project: made.projectId ?? '', op: 'http.server' };
  return {
    compareReleases: { from: 'shop@1.0.0', to: 'shop@1.1.0' },
    exploreAttributes: { itemType: 'spans' },
    exploreEvents: { dataset: 'errors', field: ['title', 'count()'] },
    exploreMeta: { dataset: 'errors' },
    exploreStats: { dataset: 'errors', yAxis: 'count()' },
    exploreTimeseries: { dataset: 'errors', yAxis: 'count()' },
    validateExplore: { dataset: 'errors', field: ['title', 'count()'], query: 'level:error' },
    find: { query: idOf('stock 0') },
    findMissingDebugFiles: { checksums: 'f'.repeat(40) },
    getOAuthAuthorization: { clientId: 'none', redirectUri: 'http://127.0.0.1/callback' },
    getRuleDetector: { alert_rule_id: made.counted ?? '' },
    getStacktraceLink: { file: '/app/src/checkout.js', lineNo: '12' },
    getStats: { field: 'sum(quantity)', groupBy: ['category', 'outcome'] },
    getTransaction: ofTransaction,
    getTransactionSeries: ofTransaction,
    getVitalCauses: ofTransaction,
    getVitalSeries: { project: made.projectId ?? '' },
    listCombinedRules: { sortBy: 'name' },
    listDetectors: { sortBy: 'name' },
    listWorkflows: { sortBy: 'name' },
    listSessions: { field: 'sum(session)', groupBy: 'release' },
    listSlowTags: ofTransaction,
    listTraceLogs: { traceId: idOf('otlp') },
    listTransactionOperations: ofTransaction,
    listTransactionSamples: ofTransaction,
  };
};

export async function readAll(recorder: Recorder, made: Made): Promise<void> {
  const list = async (id: string, query: Row = {}): Promise<readonly Row[]> => {
    const found = await recorder.call<unknown>(id, { query });
    if (Array.isArray(found)) return found as Row[];
    const inner = Object.values((found ?? {}) as object).find((one) => Array.isArray(one)) as Row[] | undefined;
    return inner ?? [];
  };
  const statsPeriod = '30d';
  const known: Record<string, string | undefined> = {
    ...made,
    team: 'checkout',
    version: 'shop@1.1.0',
    trace: idOf('report 0'),
    span: idOf('query of report 0', 16),
    key: 'region',
    environment: 'production',
    preview: made.groupingPreview,
    id: made.provider,
    event: made.withFiles,
    item: (await list('listItems', { statsPeriod }))[0]?.id,
    feedback: (await list('listFeedback', { statsPeriod }))[0]?.id,
    log: (await list('listLogs', { statsPeriod }))[0]?.id,
    query: (await list('listDatabaseQueries', { statsPeriod }))[0]?.id,
    bundle: (await list('listArtifactBundles'))[0]?.bundleId,
  };
  const attachments = await recorder.call<readonly Row[]>('listAttachments', { params: { event: made.withFiles } });
  const asked = queries(made);
  for (const { operationId: id, method, parameters = [] } of recorder.operations.values()) {
    if (method !== 'get' || recorder.has(id) || id === 'getLive') continue;
    const params: Record<string, string | undefined> = { ...known };
    if (id.includes('Alert') || /Detector$|Workflow$/.test(id)) {
      params.preview = made.alertPreview;
      params.rule = id === 'getDetector' ? made.counted : made.rule;
    }
    if (id === 'getWorkflowScope') {
      params.rule = made.rule;
    }
    if (/Issue\w*Event$/.test(id)) params.event = 'latest';
    if (id === 'getAttachment') params.attachment = attachments[0]?.id;
    if (id === 'getKey') params.id = made.key;
    if (id === 'getMember') params.id = 'me';
    if (id === 'listRepositoryCommits') params.id = made.repository;
    if (id === 'getTraceItem') params.item = idOf('query of report 0', 16);
    const takesPeriod = parameters.some(({ name }) => name === 'statsPeriod');
    const query = {
      ...(takesPeriod && { statsPeriod }),
      ...(id === 'getTraceItem' && { trace_id: idOf('report 0'), item_type: 'spans' }),
      ...asked[id],
    };
    await recorder.call(id, { params, query });
  }
}
