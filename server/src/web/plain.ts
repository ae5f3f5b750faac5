/** What nodes without the API answer: a problem, and which role a request needs. */
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../base/errors.ts';
import type { Role } from '../base/roles.ts';
import { type Failures, requestFacts } from '../base/self/index.ts';

/** As `application/problem+json`. A 5xx is logged in full under its digest, and says no more than that. */
export function sendPlainProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  failures: Pick<Failures, 'note'>,
): void {
  const coded = toCoded(error);
  const { code, status } = coded;
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (coded.retryAfter !== undefined) void reply.header('retry-after', String(coded.retryAfter));
  const digest =
    status < 500
      ? undefined
      : failures.note(error, { message: coded.message, request: requestFacts(request), log: request.log }).digest;
  if (digest !== undefined) void reply.header('x-error-digest', digest);
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(
      JSON.stringify({
        type: `urn:culprit:error:${code}`,
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail: coded.message,
        code,
        ...(digest !== undefined && { digest }),
      }),
    );
}

function toCoded(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return new CodedError('INPUT_INVALID', [error.message], { cause: error });
  }
  return new CodedError('INTERNAL', [], { cause: error });
}

/** A handler of all that only nodes with a role answer. A load balancer that leads here leads to the wrong node. */
export const refuseRole = (role: Role) => (): never => {
  throw new CodedError('ROLE_MISSING', [role]);
};
