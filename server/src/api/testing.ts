/** The API on real stores, with an owner, an organisation and a project. For tests. */
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { type Accounts, createAccounts, type Scope } from '../accounts/index.ts';
import { type IndexedBundle, type Indexer, openIndexer } from '../artifacts/index.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { openBlobs } from '../blobs/open.ts';
import { readConfig } from '../config.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createLive, type Live } from '../live/live.ts';
import { openLog } from '../log/open.ts';
import { pino } from 'pino';
import { testVault } from '../notify/testing/vault.ts';
import { createKeyDirectory } from '../projects/index.ts';
import { openPreviews } from '../regroup/index.ts';
import { testSecrets } from '../secrets/testing.ts';
import { createFailures } from '../self/index.ts';
import { registerApi } from './index.ts';

export interface TestApi extends AsyncDisposable, TestStores {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly live: Live;
  readonly blobs: Blobs;
  readonly indexer: Indexer;
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

export async function openTestApi({ setUp = true }: { setUp?: boolean } = {}): Promise<TestApi> {
  await using opened = new AsyncDisposableStack();
  const stores = opened.use(await openTestStores());
  const { state, events, dataDir } = stores;
  const log = opened.use(
    await openLog({ url: '', dataDir, limitBytes: 1024 ** 3, box: testSecrets.boxSetup('log record') }),
  );
  const live = createLive();
  const accounts = await createAccounts({
    state,
    getUrl: () => baseUrl,
    secret: 'a secret of thirty-two letters or more',
  });
  const errors: TestApi['errors'] = [];
  const blobsOptions = { url: '', dataDir };
  const blobs = openBlobs(blobsOptions);
  const indexed: IndexedBundle[] = [];
  const logger = pino({ level: 'silent' });
  const indexer = opened.use(
    openIndexer({
      state,
      stateOptions: blobsOptions,
      blobs,
      blobsOptions,
      logger,
      failures: createFailures({
        logger: { error: (fields, message) => errors.push({ message, fields: { ...fields } }) },
      }),
      onIndexed: (bundle) => indexed.push(bundle),
    }),
  );
  const previews = opened.use(
    openPreviews({ state: blobsOptions, events: stores.address, failures: createFailures({ logger }) }),
  );
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 } });
  app.addHook('onRequest', async (request) => {
    request.log.error = (...given: unknown[]): void => {
      const [fields, message] = given;
      errors.push({ message: String(message), fields: fields as Readonly<Record<string, unknown>> });
    };
  });
  const config = readConfig({ dataDir, allowedHosts: 'culprit.example, 10.0.0.1' }, {});
  await app.register((scope) =>
    registerApi(scope, {
      checkAnswers: true,
      state,
      events,
      log,
      blobs,
      indexer,
      previews: () => previews,
      accounts,
      live,
      vault: testVault,
      keys: createKeyDirectory({ state }),
      config,
      getUrl: () => baseUrl,
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
    ? await makeToken('org:admin', 'project:admin', 'project:releases', 'event:admin', 'member:admin')
    : '';
  const call: TestApi['call'] = ({ token: given = token, ...request }) =>
    app.inject({ ...request, headers: { ...(given ? { authorization: `Bearer ${given}` } : {}), ...request.headers } });
  const everything = opened.move();
  return {
    ...stores,
    ...made,
    app,
    accounts,
    live,
    blobs,
    indexer,
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
