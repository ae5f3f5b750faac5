/** The last look at an answer: no failure of the server leaves without a digest, whoever made the answer. */
import type { FastifyInstance } from 'fastify';
import { failurePage, failurePagePolicy, type Failures, requestFacts, wantsPage } from '../base/self/index.ts';
import { CodedError } from '../base/errors.ts';
import { transportHeaders } from '../base/transport.ts';

const noPage = "default-src 'none'; frame-ancestors 'none'";

/** To be registered before any route, on the outermost scope. */
export function watchAnswers(app: FastifyInstance, failures: Failures, getUrl: () => string): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // What browsers read must never be taken for another type than it is said to be.
    void reply.header('x-content-type-options', 'nosniff');
    void reply.headers(transportHeaders(getUrl()));
    // What is no page has a policy of its own, or loads nothing and stands in no frame.
    if (!reply.hasHeader('content-security-policy')) void reply.header('content-security-policy', noPage);
    if (reply.statusCode < 500 || reply.hasHeader('x-error-digest')) return payload;

    const facts = requestFacts(request);
    const noted = failures.note(new Error(`${facts.method} ${facts.route ?? ''} answered ${reply.statusCode}`), {
      request: facts,
      log: request.log,
    });
    void reply
      .header('x-error-digest', noted.digest)
      .header('cache-control', 'no-store')
      .removeHeader('content-length');
    if (wantsPage(request.method, request.headers)) {
      void reply.header('content-security-policy', failurePagePolicy).type('text/html; charset=utf-8');
      return failurePage(request.host, noted);
    }
    const { code, message } = new CodedError('INTERNAL');
    const status = reply.statusCode;
    void reply.type('application/problem+json');
    return JSON.stringify({ type: `urn:culprit:error:${code}`, status, detail: message, code, digest: noted.digest });
  });
}
