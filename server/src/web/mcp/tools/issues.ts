/** Issues: found, listed, one with everything about it; and what is done with them. */
import { z } from 'zod';
import { mcp } from '../../../base/texts/mcp.ts';
import { type Tool, tool, type ToolContext } from '../tool.ts';
import { event as eventId, issue, page, pathOf, query, scope, scopeQuery } from './inputs.ts';
import { eventOf, issueOf, rows, wholeEvent } from './pick.ts';

const { inputs, done } = mcp;

export const issueTools: readonly Tool[] = [
  tool({
    name: 'find',
    input: { text: z.string().min(1).max(10_000).describe(inputs.text), project: scope.project },
    async run({ text, project }, { ask, organization }) {
      const { body } = await ask({
        method: 'POST',
        path: pathOf(organization, 'find'),
        query: { project },
        body: { q: text },
      });
      return { data: body };
    },
  }),
  tool({
    name: 'list_issues',
    input: {
      query: z.string().max(4_096).optional().describe(inputs.issueQuery),
      ...scope,
      sort: z.enum(['date', 'new', 'freq', 'user', 'trends']).default('date').describe(inputs.issueSort),
      ...page,
    },
    async run({ query: text, sort, limit, cursor, ...given }, { ask, organization }) {
      const { body, next } = await ask({
        method: 'GET',
        path: pathOf(organization, 'issues'),
        query: { query: text, sort, limit, cursor, ...scopeQuery(given) },
      });
      return { data: rows(body).map(issueOf), next };
    },
  }),
  tool({
    name: 'get_issue',
    input: { issue, event: eventId.default('recommended').describe(inputs.event), environment: scope.environment },
    async run({ issue: name, event, environment }, { ask, organization }) {
      const { body } = await ask({
        method: 'GET',
        path: pathOf(organization, 'issues', name, 'brief'),
        query: { format: 'markdown', event, environment },
      });
      return { document: String(body) };
    },
  }),
  tool({
    name: 'list_events',
    input: { issue, query, environment: scope.environment, period: scope.period, ...page },
    async run({ issue: name, query: text, limit, cursor, ...given }, { ask, organization }) {
      const { body, next } = await ask({
        method: 'GET',
        path: pathOf(organization, 'issues', name, 'events'),
        query: { query: text, limit, cursor, ...scopeQuery(given) },
      });
      return { data: rows(body).map(eventOf), next };
    },
  }),
  tool({
    name: 'get_event',
    input: { event: eventId.describe(inputs.eventId), issue: issue.optional() },
    async run({ event, issue: name }, { ask, organization }) {
      if (name !== undefined) {
        const { body } = await ask({ method: 'GET', path: pathOf(organization, 'issues', name, 'events', event) });
        return { data: wholeEvent(body) };
      }
      const found = await ask({ method: 'GET', path: pathOf(organization, 'eventids', event) });
      const { projectSlug, shortId } = found.body as { readonly projectSlug: string; readonly shortId: string | null };
      const path = `/projects/${[organization, projectSlug, 'events', event].map(encodeURIComponent).join('/')}/`;
      const { body } = await ask({ method: 'GET', path });
      return { data: { issue: shortId, ...wholeEvent(body) } };
    },
  }),
  tool({
    name: 'resolve_issue',
    writes: true,
    input: {
      issue,
      in_next_release: z.boolean().optional().describe(inputs.nextRelease),
      release: z.string().min(1).max(250).optional().describe(inputs.inRelease),
      commit: z.string().min(1).max(64).optional().describe(inputs.commit),
    },
    async run({ issue: name, in_next_release: inNextRelease, release: inRelease, commit }, context) {
      const statusDetails = { inNextRelease, inRelease, inCommit: commit === undefined ? undefined : { commit } };
      return {
        said: done.resolved,
        data: await change(context, 'resolve_issue', name, { status: 'resolved', statusDetails }),
      };
    },
  }),
  tool({
    name: 'assign_issue',
    writes: true,
    input: { issue, to: z.string().min(1).max(200).nullable().describe(inputs.to) },
    async run({ issue: name, to }, context) {
      const data = await change(context, 'assign_issue', name, { assignedTo: to });
      return { said: to === null ? done.unassigned : done.assigned, data };
    },
  }),
  tool({
    name: 'comment_on_issue',
    writes: true,
    isIdempotent: false,
    input: { issue, text: z.string().trim().min(1).max(16_384).describe(inputs.comment) },
    async run({ issue: name, text }, { ask, noteChange, organization }) {
      // Under its id: a short one may be another organisation's as well.
      const { body } = await ask({ method: 'GET', path: pathOf(organization, 'issues', name) });
      const { id } = body as { readonly id: string };
      await noteChange('comment_on_issue', name);
      await ask({ method: 'POST', path: `/issues/${encodeURIComponent(id)}/comments/`, body: { text } });
      return { said: done.commented, data: issueOf(body) };
    },
  }),
];

async function change(
  { ask, noteChange, organization }: ToolContext,
  name: 'resolve_issue' | 'assign_issue',
  issueName: string,
  body: unknown,
): Promise<unknown> {
  await noteChange(name, issueName);
  const answer = await ask({ method: 'PUT', path: pathOf(organization, 'issues', issueName), body });
  return issueOf(answer.body);
}
