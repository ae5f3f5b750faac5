/** What went wrong, in SCIM's shape. A failure of the server says its digest and no more. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { type Failures, requestFacts } from '../../base/self/index.ts';
import { scim as texts } from '../../base/texts/provisioning.ts';
import * as provisioning from '../../domains/provisioning/index.ts';
import { maxBody } from './shared.ts';

export const contentType = 'application/scim+json; charset=utf-8';

interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly scimType?: string | undefined;
  readonly retryAfter?: number | undefined;
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof provisioning.ScimError) {
    const { status, message, scimType, retryAfter } = error;
    return { status, detail: message, scimType, retryAfter };
  }
  if (error instanceof CodedError && error.status < 500) {
    const scimType = error.code === 'LAST_OWNER' ? 'mutability' : error.status === 400 ? 'invalidValue' : undefined;
    return { status: error.status, detail: error.message, scimType };
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return { status, detail: texts.tooLarge(maxBody) };
  if (status === 415) return { status, detail: texts.contentType };
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { status, detail: texts.body, scimType: 'invalidSyntax' };
  }
  return undefined;
}

export async function sendError(
  failures: Failures,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = refusalOf(error);
  const noted = refusal ? undefined : failures.note(error, { request: requestFacts(request), log: request.log });
  if (noted) void reply.header('x-error-digest', noted.digest);
  const internal = new CodedError('INTERNAL');
  const { status, detail, scimType, retryAfter } = refusal ?? { status: internal.status, detail: internal.message };
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .header('content-type', contentType)
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ schemas: [provisioning.errorSchema], status: String(status), scimType, detail }));
}
