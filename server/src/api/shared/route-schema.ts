/** An endpoint as the schema that Fastify validates with and the OpenAPI document is made of. */
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { Problem } from './schemas.ts';

export const apiPrefix = '/api/0';

const refusal = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});

const scopesOf = ({ access, tokenAccess }: Endpoint): string =>
  (typeof access === 'string' ? [access] : access).map((scope) => `\`${scope}\``).join(' or ') +
  (tokenAccess ? `; an API token needs \`${tokenAccess}\`` : '');

export function routeSchema(endpoint: Endpoint): Record<string, unknown> {
  const status = endpoint.status ?? 200;
  const success = endpoint.response ?? z.null().describe('Nothing.');
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description:
      [
        endpoint.description,
        endpoint.alsoProduces && `Also available as \`${endpoint.alsoProduces}\`.`,
        endpoint.access === 'public'
          ? undefined
          : `Needs ${endpoint.access === 'user' ? 'a signed-in caller' : `the scope ${scopesOf(endpoint)}`}.`,
      ]
        .filter(Boolean)
        .join('\n\n') || undefined,
    'x-scopes': endpoint.access === 'public' ? [] : [endpoint.access].flat(),
    ...(endpoint.tokenAccess && { 'x-token-scopes': [endpoint.tokenAccess] }),
    security: endpoint.access === 'public' ? [] : [{ token: [] }, { session: [] }],
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [status]: endpoint.produces
        ? { description: 'A stream.', content: { [endpoint.produces]: { schema: success } } }
        : success,
      '4xx': refusal('The request is not valid or not allowed.'),
      '5xx': refusal('The server failed to respond.'),
    },
  };
}
