/** What users said, as pages and panels ask for it. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { FeedbackTable } from '../../ports/state/feedback-tables.ts';
import type { StateSchema } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import type { Feedback, FeedbackDetails, FeedbackStatus } from './types.ts';
import type { Selectable } from 'kysely';

export interface FeedbackRequest {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly status?: FeedbackStatus | undefined;
  /** Words of message, name, e-mail or address, any case; '' for all. */
  readonly text: string;
  readonly issueId?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly offset: number;
  readonly limit: number;
}

type Row = Selectable<FeedbackTable> & { readonly issue_id: number | null };
type Query = SelectQueryBuilder<StateSchema, 'feedback' | 'issue_hash', object>;

const feedbacks = (state: State): Query =>
  state.db
    .selectFrom('feedback')
    .leftJoin('issue_hash', (join) =>
      join
        .onRef('issue_hash.project_id', '=', 'feedback.project_id')
        .onRef('issue_hash.hash', '=', 'feedback.group_hash')
        .on('feedback.group_hash', '!=', ''),
    ) as Query;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function chosen(query: Query, request: Omit<FeedbackRequest, 'offset' | 'limit' | 'status'>): Query {
  const { projectIds, environments, text, issueId, fromMs, untilMs } = request;
  let narrowed = query.where('feedback.project_id', 'in', projectIds.length ? [...projectIds] : [-1]);
  if (environments.length) narrowed = narrowed.where('feedback.environment', 'in', [...environments]);
  if (issueId !== undefined) narrowed = narrowed.where('issue_hash.issue_id', '=', issueId);
  if (fromMs !== undefined) narrowed = narrowed.where('feedback.created_at', '>=', fromMs);
  if (untilMs !== undefined) narrowed = narrowed.where('feedback.created_at', '<', untilMs);
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)) {
    const pattern = `%${escaped(word)}%`;
    narrowed = narrowed.where((eb) =>
      eb.or(
        (['message', 'name', 'email', 'url'] as const).map(
          (column) => sql<boolean>`lower(${sql.ref(`feedback.${column}`)}) like ${pattern} escape '\\'`,
        ),
      ),
    );
  }
  return narrowed;
}

/** The newest first, one more than the limit where there are more. */
export async function listFeedback(state: State, request: FeedbackRequest): Promise<Feedback[]> {
  let query = chosen(feedbacks(state), request);
  if (request.status !== undefined) query = query.where('feedback.status', '=', request.status);
  const rows = await query
    .selectAll('feedback')
    .select('issue_hash.issue_id as issue_id')
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .offset(request.offset)
    .limit(request.limit + 1)
    .execute();
  return rows.map(toFeedback);
}

/** How many have each status, whatever status is asked for. */
export async function countFeedback(
  state: State,
  request: Omit<FeedbackRequest, 'offset' | 'limit' | 'status'>,
): Promise<Readonly<Record<FeedbackStatus, number>>> {
  const rows = await chosen(feedbacks(state), request)
    .select((eb) => ['feedback.status as status', eb.fn.countAll<number>().as('count')])
    .groupBy('feedback.status')
    .execute();
  const of = (status: FeedbackStatus): number => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return { open: of('open'), resolved: of('resolved'), spam: of('spam') };
}

export async function findFeedback(
  state: State,
  projectIds: readonly number[],
  id: number,
): Promise<Feedback | undefined> {
  if (!projectIds.length) return undefined;
  const row = await feedbacks(state)
    .selectAll('feedback')
    .select('issue_hash.issue_id as issue_id')
    .where('feedback.id', '=', id)
    .where('feedback.project_id', 'in', [...projectIds])
    .executeTakeFirst();
  return row && toFeedback(row);
}

const toFeedback = (row: Row): Feedback => ({
  id: row.id,
  projectId: row.project_id,
  feedbackId: row.feedback_id,
  kind: row.kind,
  status: row.status,
  message: row.message,
  name: row.name,
  email: row.email,
  url: row.url,
  source: row.source,
  eventId: row.event_id,
  replayId: row.replay_id,
  traceId: row.trace_id,
  release: row.release,
  environment: row.environment,
  details: JSON.parse(row.details) as FeedbackDetails,
  createdAt: row.created_at,
  receivedAt: row.received_at,
  issueId: row.issue_id ?? undefined,
});
