/** Where an import comes from: what a tracker has, page by page, as neutral records. */
import type { kinds } from '../../base/texts/imports.ts';
import type {
  EventRecord,
  HistoryRecord,
  IssueRecord,
  MemberRecord,
  OrganizationRecord,
  ProjectRecord,
  ReleaseRecord,
  RuleRecord,
  SearchRecord,
  TeamRecord,
} from './records.ts';

export type Kind = keyof typeof kinds;

/** What cannot be read is told to the report: see `Absent`. */
export interface Source {
  /** What it has no API for. */
  readonly lacks: readonly { readonly kind: Kind; readonly field: string }[];
  organizations(): AsyncIterable<OrganizationRecord>;
  teams(org: string): AsyncIterable<TeamRecord>;
  members(org: string): AsyncIterable<MemberRecord>;
  projects(org: string): AsyncIterable<ProjectRecord>;
  releases(org: string, project: ProjectRecord): AsyncIterable<ReleaseRecord>;
  rules(org: string, project: ProjectRecord): AsyncIterable<RuleRecord>;
  /** Rules on numbers, by name: they are told, and do not come. */
  metricRules(org: string): AsyncIterable<string>;
  searches(org: string): AsyncIterable<SearchRecord>;
  issues(org: string, project: ProjectRecord): AsyncIterable<IssueRecord>;
  history(org: string, issue: IssueRecord): Promise<HistoryRecord>;
  /** The newest first. */
  events(org: string, project: ProjectRecord, issue: IssueRecord): AsyncIterable<EventRecord>;
}

export async function* none(): AsyncIterable<never> {
  // Nothing.
}
