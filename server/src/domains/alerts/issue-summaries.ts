/** Issues as messages show them. */
import { type CountEstimate, estimatesOf, type IssueRow, issuesById, livesOf } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import type { IssueSummary } from './message.ts';
import type { AlertStores } from './stores.ts';

/** By id; issues that are gone, or whose project is, are left out. */
export async function issueSummaries(
  stores: AlertStores,
  ids: readonly number[],
  projects: readonly Project[],
  signal: AbortSignal,
): Promise<Map<number, IssueSummary>> {
  if (!ids.length) return new Map();
  const found = await issuesById(stores.state, ids);
  const byProject = new Map(projects.map((project) => [project.id, project]));
  const issues = [...new Set(found.values())];
  const lives = await livesOf(stores, issues, signal);
  const estimates = await estimatesOf(
    stores.state,
    issues.map(({ id, projectId }) => ({ id, projectId, count: lives.get(id)?.count ?? 0 })),
    { sampledUntil: new Map(projects.map(({ id, sampledUntil }) => [id, sampledUntil])) },
  );
  return new Map(
    [...found].flatMap(([id, issue]): [number, IssueSummary][] => {
      const project = byProject.get(issue.projectId);
      return project ? [[id, toSummary(issue, project, lives.get(issue.id), estimates.get(issue.id))]] : [];
    }),
  );
}

function toSummary(
  issue: IssueRow,
  project: Project,
  life: { readonly count: number; readonly userCount: number } | undefined,
  estimated: CountEstimate | undefined,
): IssueSummary {
  const { filename, function: name } = issue.metadata;
  const frame = [filename, name && `in ${name}`].filter(Boolean).join(' ');
  return {
    id: issue.id,
    shortId: `${project.shortIdPrefix}-${issue.number}`,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    // Its first event may not be stored yet.
    count: Math.max(1, life?.count ?? 0),
    ...(estimated && { estimated }),
    userCount: life?.userCount ?? 0,
    release: issue.lastRelease ?? '',
    environment: '',
    ...(frame && { frame }),
    project: { id: project.id, slug: project.slug, name: project.name },
  };
}
