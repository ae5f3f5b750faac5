/**
 * What Sentry's clients, which have feedback among issues, call it by: an ID above all IDs of issues, and a short ID with an
 * F before the number, which no short ID of an issue has.
 */
import type { State } from '../../ports/state/state.ts';
import type { Project } from '../projects/index.ts';
import { findFeedback } from './list.ts';
import type { Feedback } from './types.ts';

/** IDs of issues have at most nine digits. */
const aboveIssues = 10_000_000_000;

export const feedbackIssueId = (id: number): string => String(aboveIssues + id);

/** WEB-F12. */
export const feedbackShortId = (
  { id }: Pick<Feedback, 'id'>,
  { shortIdPrefix }: Pick<Project, 'shortIdPrefix'>,
): string => `${shortIdPrefix}-F${id}`;

export interface FeedbackName {
  readonly id: number;
  /** Of the project, in upper case; undefined for an ID. */
  readonly prefix: string | undefined;
}

/** Undefined for names of issues. */
export function feedbackNamed(name: string): FeedbackName | undefined {
  if (/^1\d{10}$/.test(name)) return { id: Number(name) - aboveIssues, prefix: undefined };
  const [, prefix, id] = /^(.{1,80})-F(\d{1,9})$/i.exec(name) ?? [];
  return id === undefined ? undefined : { id: Number(id), prefix: prefix?.toUpperCase() };
}

/** `projects`: those that who asks sees. */
export async function findNamedFeedback(
  state: State,
  projects: readonly Project[],
  { id, prefix }: FeedbackName,
): Promise<Feedback | undefined> {
  const named = projects.filter(({ shortIdPrefix }) => prefix === undefined || shortIdPrefix.toUpperCase() === prefix);
  return findFeedback(
    state,
    named.map((one) => one.id),
    id,
  );
}
