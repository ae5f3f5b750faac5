/** The REST API under /api/0/, and sign-in under /api/auth/. */
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { CodedError } from '../errors.ts';
import { createFailures } from '../self/index.ts';
import { authRoute } from './auth-route.ts';
import { limitBodyTime } from './body-time.ts';
import type { ApiDeps } from './deps.ts';
import { openApiDocument } from './openapi.ts';
import { sendProblem } from './problem.ts';
import { apiPrefix } from './route-schema.ts';
import { alertRoutes } from './routes/alerts.ts';
import { artifactRoutes, chunkRoutes } from './routes/artifacts.ts';
import { commentRoutes } from './routes/comments.ts';
import { channelRoutes } from './routes/channels.ts';
import { attachmentRoutes } from './routes/attachments.ts';
import { detectorRoutes } from './routes/detectors.ts';
import { exploreRoutes } from './routes/explore.ts';
import { exportRoutes } from './routes/explore-export.ts';
import { savedQuestionRoutes } from './routes/explore-saved.ts';
import { eventRoutes } from './routes/events.ts';
import { fieldRoutes } from './routes/fields.ts';
import { feedbackRoutes } from './routes/feedback.ts';
import { findRoutes } from './routes/find.ts';
import { groupingRoutes } from './routes/grouping.ts';
import { installationRoutes } from './routes/installation.ts';
import { intakeRoutes } from './routes/intake.ts';
import { issueChangeRoutes } from './routes/issue-changes.ts';
import { issueRoutes } from './routes/issues.ts';
import { logRoutes } from './routes/logs.ts';
import { memberRoutes } from './routes/members.ts';
import { mergeRoutes } from './routes/merge.ts';
import { nowRoutes } from './routes/now.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { organizationRoutes } from './routes/organizations.ts';
import { ownershipRoutes } from './routes/ownership.ts';
import { performanceRoutes } from './routes/performance.ts';
import { performanceSettingsRoutes } from './routes/performance-settings.ts';
import { projectRoutes } from './routes/projects.ts';
import { releaseComparisonRoutes } from './routes/release-comparison.ts';
import { releaseRoutes } from './routes/releases.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { ruleCheckRoutes } from './routes/rule-check.ts';
import { searchRoutes } from './routes/searches.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { sharedIssueRoutes } from './routes/shared-issue.ts';
import { similarRoutes } from './routes/similar.ts';
import { suspectRoutes } from './routes/suspects.ts';
import { symbolicationRoutes } from './routes/symbolication.ts';
import { teamRoutes } from './routes/teams.ts';
import { traceListRoutes } from './routes/trace-list.ts';
import { traceRoutes } from './routes/traces.ts';
import { vitalsRoutes } from './routes/vitals.ts';

export { uploadTimeFactor } from './body-time.ts';
export type { ApiDeps } from './deps.ts';
export { sendProblem } from './problem.ts';

/** `app` is a scope of its own: compilers and error handler hold for what is registered here. */
export async function registerApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  // Checking every answer costs more than making it; the tests do so on every route.
  app.setSerializerCompiler(deps.checkAnswers ? serializerCompiler : () => JSON.stringify);
  // Clients send the header with requests that have no body, too.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else parseJson(request, String(body), done);
  });
  const { failures = createFailures({ logger: app.log }) } = deps;
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, failures));

  limitBodyTime(app, deps.config.bodyTimeoutSeconds);

  const api = { app, deps };
  installationRoutes(api);
  organizationRoutes(api);
  projectRoutes(api);
  nowRoutes(api);
  issueRoutes(api);
  issueChangeRoutes(api);
  sharedIssueRoutes(api);
  mergeRoutes(api);
  similarRoutes(api);
  groupingRoutes(api);
  eventRoutes(api);
  findRoutes(api);
  feedbackRoutes(api);
  attachmentRoutes(api);
  intakeRoutes(api);
  artifactRoutes(api);
  await app.register((scope) => chunkRoutes({ app: scope, deps }));
  symbolicationRoutes(api);
  releaseRoutes(api);
  sessionRoutes(api);
  releaseComparisonRoutes(api);
  repositoryRoutes(api);
  ruleCheckRoutes(api);
  searchRoutes(api);
  fieldRoutes(api);
  suspectRoutes(api);
  traceRoutes(api);
  traceListRoutes(api);
  performanceRoutes(api);
  performanceSettingsRoutes(api);
  detectorRoutes(api);
  logRoutes(api);
  vitalsRoutes(api);
  exploreRoutes(api);
  savedQuestionRoutes(api);
  exportRoutes(api);
  channelRoutes(api);
  notificationRoutes(api);
  teamRoutes(api);
  memberRoutes(api);
  ownershipRoutes(api);
  commentRoutes(api);
  alertRoutes(api);

  let document: Promise<string> | undefined;
  app.get(`${apiPrefix}/openapi.json`, async (_request, reply) => {
    document ??= openApiDocument().then((one) => JSON.stringify(one));
    return reply.type('application/json').send(await document);
  });
  app.all(`${apiPrefix}/*`, (request) => {
    throw new CodedError('NOT_FOUND', [`${request.method} ${request.url.split('?', 1)[0]}`]);
  });
  await app.register((scope) => authRoute(scope, deps));
}
