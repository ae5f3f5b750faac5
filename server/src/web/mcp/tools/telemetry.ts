/** What programs did: traces, logs, releases, any question, alerts. */
import { z } from 'zod';
import { mcp } from '../../../base/texts/mcp.ts';
import { type Tool, tool } from '../tool.ts';
import { page, pathOf, query, scope, scopeQuery } from './inputs.ts';
import { firingOf, pick, releaseOf, rows, ruleOf } from './pick.ts';

const { inputs } = mcp;
const id = z.string().regex(/^[0-9a-fA-F-]{16,36}$/);

export const telemetryTools: readonly Tool[] = [
  tool({
    name: 'get_trace',
    input: {
      trace: id.describe(inputs.trace),
      span: id.optional().describe(inputs.span),
      event: id.optional().describe(inputs.traceEvent),
      rows: z.int().min(1).max(40).default(30).describe(inputs.rows),
    },
    async run({ trace, ...asked }, { ask, organization }) {
      const { body } = await ask({
        method: 'GET',
        path: pathOf(organization, 'trace', trace, 'excerpt'),
        query: asked,
      });
      return { data: body };
    },
  }),
  tool({
    name: 'search_logs',
    input: { query, ...scope, ...page },
    async run({ query: text, limit, cursor, ...given }, { ask, organization }) {
      const { body, next } = await ask({
        method: 'GET',
        path: pathOf(organization, 'logs'),
        query: { query: text, limit, cursor, ...scopeQuery(given) },
      });
      return { data: body, next };
    },
  }),
  tool({
    name: 'list_releases',
    input: {
      query: z.string().max(200).optional().describe(inputs.release),
      project: scope.project,
      environment: scope.environment,
      ...page,
    },
    async run({ query: text, limit, cursor, ...given }, { ask, organization }) {
      const { body, next } = await ask({
        method: 'GET',
        path: pathOf(organization, 'releases'),
        query: { query: text, limit, cursor, ...scopeQuery(given) },
      });
      return { data: rows(body).map(releaseOf), next };
    },
  }),
  tool({
    name: 'explore',
    input: {
      dataset: z.enum(['errors', 'spans', 'transactions', 'logs']).describe(inputs.dataset),
      fields: z.array(z.string().min(1).max(500)).min(1).max(20).describe(inputs.fields),
      query,
      sort: z.string().max(500).optional().describe(inputs.sort),
      ...scope,
      ...page,
    },
    async run({ dataset, fields, query: text, sort, limit, cursor, ...given }, { ask, organization }) {
      const { body, next } = await ask({
        method: 'GET',
        path: pathOf(organization, 'events'),
        query: {
          dataset,
          field: fields,
          query: text,
          sort,
          per_page: limit,
          cursor,
          sampling: 'allow',
          ...scopeQuery({ ...given, period: given.period ?? '14d' }),
        },
      });
      const { data, meta } = body as { readonly data?: unknown; readonly meta?: unknown };
      return { data: { rows: rows(data), ...pick(meta, 'fields', 'units', 'sampling') }, next };
    },
  }),
  tool({
    name: 'list_alerts',
    input: { project: scope.project, ...page },
    async run({ project, limit, cursor }, { ask, organization }) {
      const [rules, firings] = await Promise.all([
        ask({ method: 'GET', path: pathOf(organization, 'alert-rules'), query: { project } }),
        ask({ method: 'GET', path: pathOf(organization, 'alert-firings'), query: { project, limit, cursor } }),
      ]);
      return {
        data: { rules: rows(rules.body).map(ruleOf), firings: rows(firings.body).map(firingOf) },
        next: firings.next,
      };
    },
  }),
];
