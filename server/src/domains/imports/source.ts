/** Where an import comes from: what a tracker has, page by page, as neutral records. */
import type { kinds } from '../../base/texts/imports.ts';
import type {
  EventRecord,
  HistoryRecord,
  IssueRecord,
  MemberRecord,
  OrganizationRecord,
  ProjectName,
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
  /** The same without their keys, which take a request each. */
  projectNames(org: string): AsyncIterable<ProjectName>;
  releases(org: string, project: ProjectRecord): AsyncIterable<ReleaseRecord>;
  rules(org: string, project: ProjectRecord): AsyncIterable<RuleRecord>;
  /** Rules on numbers, by name: they are told, and do not come. */
  metricRules(org: string): AsyncIterable<string>;
  searches(org: string): AsyncIterable<SearchRecord>;
  issues(org: string, project: ProjectName): AsyncIterable<IssueRecord>;
  /** Those with the newest events first; what comes meanwhile may move them. */
  newestIssues(org: string, project: ProjectName): AsyncIterable<IssueRecord>;
  /** Undefined where it is gone. */
  issue(id: string): Promise<IssueRecord | undefined>;
  /** Id of the issue that has an event; undefined where the event is not there. */
  issueOfEvent(org: string, project: ProjectName, eventId: string): Promise<string | undefined>;
  history(org: string, issue: IssueRecord): Promise<HistoryRecord>;
  /** The newest first. */
  events(org: string, project: ProjectName, issue: Pick<IssueRecord, 'id'>): AsyncIterable<EventRecord>;
}

export async function* none(): AsyncIterable<never> {
  // Nothing.
}
