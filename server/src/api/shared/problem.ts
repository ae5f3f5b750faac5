/** Errors as `application/problem+json`. A 5xx is logged in full under its digest, and says no more than that. */
import { STATUS_CODES } from 'node:http';
import { digestFor } from '@culprit/react/digest';
import { reasonText } from '@culprit/search';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { CodedError, formerCodes } from '../../base/errors.ts';
import { QuestionError } from '../../domains/explore/index.ts';
import { RulesError } from '../../domains/projects/index.ts';
import { failurePage, failurePagePolicy, requestFacts, wantsPage } from '../../base/self/index.ts';
import type { Failures, NotedFailure } from '../../base/self/index.ts';
import { places, requests } from '../../base/texts/requests.ts';
import type { Problem } from './schemas.ts';
import { SearchError } from '../../domains/named-search/index.ts';
import { invalid } from '../../base/texts/validation.ts';

/** "query parameter limit: too big, expected at most 100". */
function describeValidation(error: FastifyError): string {
  const place = places[error.validationContext ?? 'other'];
  const first = error.validation?.[0];
  const path = (first?.instancePath ?? '').split('/').filter(Boolean).join('.');
  const name = path ? `${place} ${path}` : error.validationContext === 'body' ? places.wholeBody : place;
  const message = first?.message ?? invalid.unreadable;
  return `${name}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** The coded error that stands for whatever was thrown. */
function toCoded(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return new CodedError('INPUT_INVALID', [describeValidation(error as unknown as FastifyError)]);
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new CodedError('BODY_TOO_LARGE', [1024 * 1024]);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new CodedError('INPUT_INVALID', [error instanceof Error ? error.message : requests.invalid], {
      cause: error,
    });
  }
  return new CodedError('INTERNAL', [], { cause: error });
}

/** Answers with what went wrong; for whoever wants a page, a failure of the server is the load-failure screen. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, failures: Failures): void {
  const coded = toCoded(error);
  const { code, status } = coded;
  const problem: z.output<typeof Problem> = {
    type: `urn:culprit:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: coded.message,
    code,
    aliases: formerCodes[code],
  };
  if (status === 401 && !reply.hasHeader('www-authenticate')) void reply.header('www-authenticate', 'Bearer');
  if (coded.retryAfter !== undefined) void reply.header('retry-after', String(coded.retryAfter));
  void reply.code(status).header('cache-control', 'no-store');
  if (status >= 500) {
    const noted = note(error, coded, request, failures);
    void reply.header('x-error-digest', noted.digest);
    if (wantsPage(request.method, request.headers)) {
      void reply
        .header('content-security-policy', failurePagePolicy)
        .type('text/html; charset=utf-8')
        .send(failurePage(request.host, noted));
      return;
    }
    problem.digest = noted.digest;
  }
  if (coded instanceof SearchError || coded instanceof QuestionError) {
    problem.problems = coded.problems.map(({ suggestions, ...one }) => ({
      ...one,
      message: reasonText(one),
      ...(suggestions && { suggestions: [...suggestions] }),
    }));
  }
  if (coded instanceof RulesError) problem.ruleProblems = coded.problems.map((one) => ({ ...one }));
  // sentry-cli shows the sentence only of an answer that has nothing else in it, and this very type.
  if (request.headers['user-agent']?.startsWith('sentry-cli/')) {
    void reply.type('application/json').send(JSON.stringify({ detail: problem.detail }));
    return;
  }
  void reply.type('application/problem+json').send(JSON.stringify(problem));
}

function note(error: unknown, { message }: CodedError, request: FastifyRequest, failures: Failures): NotedFailure {
  // Whoever hung up hears nothing of it, and what they asked was cancelled for that.
  if (request.signal.aborted) return { digest: digestFor(error), eventId: undefined };
  return failures.note(error, { message, request: requestFacts(request), log: request.log });
}
