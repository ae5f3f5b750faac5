/** What people and their programs ask for: the API, sign-in, directories, the console. */
import type { FastifyInstance } from 'fastify';
import { registerApi } from '../api/index.ts';
import type { Config } from '../base/config.ts';
import type { StateGuard } from '../domains/nodes/index.ts';
import type { Runner } from '../jobs/index.ts';
import { registerAgentPages } from '../web/agents/register.ts';
import { compressAnswers } from '../web/compress.ts';
import { registerConsole } from '../web/console.ts';
import { registerIncoming } from '../web/incoming/register.ts';
import { registerMcp } from '../web/mcp/register.ts';
import { registerOauth } from '../web/oauth/register.ts';
import { registerScim, scimPrefix } from '../web/scim/register.ts';
import { registerSlack } from '../web/slack/register.ts';
import { registerSecurityText } from '../web/security-txt.ts';
import { registerUnsubscribe } from '../web/unsubscribe.ts';
import type { Later } from './later.ts';
import type { Work } from './work.ts';

export { sendProblem } from '../api/index.ts';

export interface PageParts extends Pick<Work, 'stores' | 'domains' | 'backups'> {
  readonly runner: Pick<Runner, 'report'>;
  readonly guardState: StateGuard;
}

export async function registerPages(
  app: FastifyInstance,
  config: Config,
  { stores, domains, backups, runner, guardState }: PageParts,
  later: Later,
): Promise<void> {
  const { state, events, log, blobs, live, failures, internal, vault, store, audit, openVisitors } = stores;
  const getUrl = (): string => later.url;
  registerSecurityText(app, { config, getUrl });
  registerAgentPages(app, { getUrl });
  await app.register(async (scope) => {
    compressAnswers(scope);
    later.moving.guard(scope);
    await registerApi(scope, {
      ...domains,
      state,
      audit,
      events,
      log,
      blobs,
      live,
      openVisitors,
      engine: store.engine,
      failures,
      internal,
      getUrl,
      config,
      pipeline: () => later.pipeline,
      previews: () => (later.eventsPrepared ? domains.groupingPreviews : undefined),
      pseudonymKey: stores.pseudonymKey,
      vault,
      runner,
      backups,
      guardState,
    });
  });
  await app.register(async (scope) => {
    later.moving.guard(scope);
    registerUnsubscribe(scope, { state, vault, openVisitors });
  });
  await app.register(async (scope) => {
    later.moving.guard(scope);
    registerSlack(scope, { slack: domains.slack, openVisitors });
  });
  const scim = async (scope: FastifyInstance): Promise<void> => {
    later.moving.guard(scope);
    await registerScim(scope, { state, audit, live, failures, getUrl, openVisitors });
  };
  await app.register(scim, { prefix: scimPrefix });
  await app.register(async (scope) => {
    later.moving.guard(scope);
    registerOauth(scope, { audit, live, state, getUrl, openVisitors });
  });
  await app.register(async (scope) => {
    later.moving.guard(scope);
    registerIncoming(scope, { state, live, box: domains.secretBox, openVisitors });
  });
  await app.register(async (scope) => {
    compressAnswers(scope);
    later.moving.guard(scope);
    registerMcp(scope, { accounts: domains.accounts, audit, failures, getUrl, openVisitors });
  });
  await app.register(async (scope) => {
    compressAnswers(scope);
    await registerConsole(scope, { getUrl, internal, dir: config.consoleDir });
  });
}
