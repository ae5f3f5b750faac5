/** The API on real stores, with an owner, an organisation and a project. For tests. */
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { parseAllowList } from '../base/outbound/index.ts';
import { textBox } from '../base/secrets/index.ts';
import { type Audit, createAudit, createAuditStream, sealOf } from '../domains/audit/index.ts';
import { type Accounts, createAccounts, type Scope } from '../domains/accounts/index.ts';
import { type IndexedBundle, type Indexer, createIndexer } from '../domains/artifacts/index.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { readConfig } from '../base/config.ts';
import { openTestStores, type TestStores } from '../domains/issues/testing/stores.ts';
import { createLive, type Live } from '../base/live.ts';
import { openLog } from '../ports/queue/open.ts';
import { pino } from 'pino';
import { testVault } from '../domains/notify/testing/vault.ts';
import { createSignIns } from '../domains/providers/index.ts';
import { openPreviews } from '../domains/regroup/index.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { createFailures } from '../base/self/index.ts';
import { createDiskUsage } from '../domains/disk/index.ts';
import { createEraser, createHolds } from '../domains/erase/index.ts';
import { createExporter, type SamplingLimits } from '../domains/explore/index.ts';
import { createRunner } from '../jobs/index.ts';
import { createSlack, type Slack } from '../domains/slack/index.ts';
import { createWebhooks } from '../domains/webhooks/index.ts';
import { createMirrors } from '../domains/mirror/index.ts';
import { createLookout } from '../domains/find/index.ts';
import { type BulkOptions, createBulk, notifyAssignees } from '../domains/issues/index.ts';
import { openAlertPreviews } from '../domains/alerts/index.ts';
import { registerApi } from './index.ts';

export interface TestApi extends AsyncDisposable, TestStores {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly audit: Audit;
  /** What each name has in DNS. */
  readonly txtRecords: string[];
  readonly live: Live;
  readonly blobs: Blobs;
  readonly indexer: Indexer;
  readonly slack: Slack;
  /** Bundles that were indexed. */
  readonly indexed: IndexedBundle[];
  readonly organizationId: string;
  readonly userId: string;
  readonly projectId: number;
  /** With all scopes of an owner. */
  readonly token: string;
  readonly errors: { message: string; fields: Readonly<Record<string, unknown>> }[];
  call(request: InjectOptions & { token?: string | undefined }): Promise<LightMyRequestResponse>;
  get<T>(url: string): Promise<T>;
  makeToken(...scopes: Scope[]): Promise<string>;
}

export const owner = { email: 'dev@example.com', password: 'correct horse battery' };
export const baseUrl = 'http://culprit.test';

export async function openTestApi({
  setUp = true,
  sampling,
  smtpUrl = '',
  googleIssuer,
  url = baseUrl,
}: {
  setUp?: boolean;
  sampling?: SamplingLimits;
  smtpUrl?: string;
  googleIssuer?: string;
  url?: string;
} = {}): Promise<TestApi> {
  await using opened = new AsyncDisposableStack();
  const stores = opened.use(await openTestStores());
  const { state, events, dataDir } = stores;
  const log = opened.use(
    await openLog({ url: '', dataDir, limitBytes: 1024 ** 3, box: testSecrets.boxSetup('log record') }),
  );
  const live = createLive();
  const audit = createAudit(state, sealOf(testSecrets));
  const auditStream = createAuditStream({
    state,
    box: textBox(testSecrets.box('stored secret')),
    allow: parseAllowList('127.0.0.1'),
  });
  audit.onWritten(() => auditStream.wake());
  const accounts = await createAccounts({
    state,
    audit,
    getUrl: () => url,
    secret: 'a secret of thirty-two letters or more',
  });
  const box = textBox(testSecrets.box('stored secret'));
  const txtRecords: string[] = [];
  const signIns = createSignIns({
    state,
    box,
    audit,
    getUrl: () => baseUrl,
    lookUpTexts: async () => txtRecords,
    ...(googleIssuer !== undefined && { googleIssuer }),
  });

  const errors: TestApi['errors'] = [];
  const blobsOptions = { url: '', dataDir };
  const blobs = openBlobs(blobsOptions);
  const indexed: IndexedBundle[] = [];
  const logger = pino({ level: 'silent' });
  const failures = createFailures({
    logger: { error: (fields, message) => errors.push({ message, fields: { ...fields } }) },
  });
  const stateOptions = blobsOptions;
  const onIndexed = async (bundle: IndexedBundle): Promise<void> => void indexed.push(bundle);
  const indexer = createIndexer({ state, stateOptions, blobs, blobsOptions, logger, failures, onIndexed });
  const previews = opened.use(openPreviews({ state, stateOptions, events: stores.address, node: 'test', failures }));
  const alertPreviews = opened.use(openAlertPreviews({ state, events, node: 'test', failures }));
  const exporter = createExporter({ state, events, blobs, failures });
  const mirrors = createMirrors({
    state,
    box,
    recordBox: testSecrets.boxSetup('log record'),
    dataDir,
    limitBytes: 2 ** 24,
    getId: () => testSecrets.fingerprint,
    allow: parseAllowList('127.0.0.1'),
    failures,
  });
  const eraser = createEraser({
    state,
    events,
    blobs,
    log,
    mirrors,
    live,
    failures,
    box,
    pseudonymKey: '',
    dataDir,
  });
  const onManyAssigned: BulkOptions['onManyAssigned'] = (trx, job, to) => notifyAssignees(trx, job, to, baseUrl);
  const bulk = createBulk({ state, events, live, blobs, node: 'test', onManyAssigned });
  const lookout = createLookout({ stores, live, warn: (error) => failures.note(error) });
  const webhooks = createWebhooks({ state, events, box, allow: parseAllowList('127.0.0.1'), getUrl: () => baseUrl });
  const slack = opened.use(
    createSlack({
      state,
      box,
      bulk,
      audit,
      failures,
      getUrl: () => url,
      tools: { allow: parseAllowList('127.0.0.1') },
    }),
  );
  const jobs = [
    ...indexer.jobs,
    ...exporter.jobs,
    ...eraser.jobs,
    ...bulk.jobs,
    lookout.job,
    auditStream.job,
    mirrors.job,
    ...webhooks.jobs,
  ];
  const runner = opened.use(createRunner(jobs, { state, failures, node: 'test' }));
  runner.start(Promise.resolve());
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 } });
  app.addHook('onRequest', async (request) => {
    request.log.error = (...args: unknown[]): void => {
      const [fields, message] = args;
      errors.push({ message: String(message), fields: fields as Readonly<Record<string, unknown>> });
    };
  });
  // Who may call is known by now, and nothing is read or done yet.
  app.addHook('preParsing', async (request, reply) => {
    if (request.headers['x-only-who']) await reply.code(299).send();
  });
  const config = readConfig({ dataDir, smtpUrl, allowedHosts: 'culprit.example, 10.0.0.1' }, {});
  await app.register((scope) =>
    registerApi(scope, {
      checkAnswers: true,
      state,
      events,
      log,
      blobs,
      indexer,
      exporter,
      eraser,
      holds: createHolds({ state, events }, config.retentionDays),
      sampling,
      bulk,
      lookout,
      alertPreviews,
      runner,
      diskUsage: createDiskUsage({
        node: 'test',
        dataDir,
        retentionDays: config.retentionDays,
        state,
        log,
        events,
        failures,
      }),
      previews: () => previews,
      accounts,
      signIns,
      audit,
      auditStream,
      webhooks,
      slack,
      secretBox: box,
      mirrors,
      live,
      vault: testVault,
      config,
      getUrl: () => url,
    }),
  );
  opened.defer(() => app.close());

  let made = { organizationId: '', userId: '', projectId: 0 };
  if (setUp) {
    const result = await accounts.setUp({
      ...owner,
      organization: 'Acme',
      project: 'Web',
      platform: 'javascript-nextjs',
    });
    made = { organizationId: result.organization.id, userId: result.user.id, projectId: result.project.id };
  }
  const makeToken = async (...scopes: Scope[]): Promise<string> => {
    const { organizationId, userId } = made;
    return (await accounts.createToken({ organizationId, userId, name: 'test', scopes })).token;
  };
  const token = setUp
    ? await makeToken('org:admin', 'org:audit', 'project:admin', 'project:releases', 'event:admin', 'member:admin')
    : '';
  const call: TestApi['call'] = ({ token: bearer = token, ...request }) =>
    app.inject({
      ...request,
      headers: { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...request.headers },
    });
  const everything = opened.move();
  return {
    ...stores,
    ...made,
    app,
    accounts,
    audit,
    txtRecords,
    live,
    blobs,
    indexer,
    slack,
    indexed,
    token,
    errors,
    call,
    makeToken,
    async get<T>(url: string): Promise<T> {
      const answer = await call({ method: 'GET', url });
      if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
      return answer.json<T>();
    },
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
