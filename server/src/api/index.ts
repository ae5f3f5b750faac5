/** The REST API under /api/0/, and sign-in under /api/auth/. */
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { CodedError } from '../base/errors.ts';
import { createFailures } from '../base/self/index.ts';
import { things } from '../base/texts/things.ts';
import { absentAt } from './absent.ts';
import { authRoute } from './auth-route.ts';
import { limitBodyTime } from './body-time.ts';
import type { ApiDeps } from './shared/deps.ts';
import { documentWithExamples } from './examples.ts';
import { resources } from './all.ts';
import { sendProblem } from './shared/problem.ts';
import { apiPrefix } from './shared/route-schema.ts';

export type { ApiDeps } from './shared/deps.ts';
export { sendProblem } from './shared/problem.ts';

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
  for (const { routes } of resources) for (const register of routes) await register(api);

  let document: Promise<string> | undefined;
  app.get(`${apiPrefix}/openapi.json`, async (_request, reply) => {
    document ??= documentWithExamples().then((one) => JSON.stringify(one));
    return reply.type('application/json').send(await document);
  });
  app.all(`${apiPrefix}/*`, (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const what = absentAt(path, request.method);
    throw what === undefined
      ? new CodedError('NOT_FOUND', [things.request(request.method, path)])
      : new CodedError('FEATURE_ABSENT', [what]);
  });
  await app.register((scope) => authRoute(scope, deps));
}
