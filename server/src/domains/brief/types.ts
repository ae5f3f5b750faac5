/**
 * What a brief is made of, and what it says. Texts of a brief are cut and have nothing unseen in them; they still come
 * from anywhere, so whoever writes them into a document fences them. Times are ISO 8601.
 */
import type { EventFrame, StackEvent, StackRelation, WrittenLanguage } from '@culprit/stacktrace';

export type Data = Readonly<Record<string, unknown>>;

/** An event, as the API gives events. */
export interface BriefEvent extends StackEvent {
  readonly eventID: string;
  readonly dateCreated: string;
  readonly title: string;
  readonly culprit: string | null;
  readonly environment: string | null;
  readonly release: { readonly version: string } | null;
  readonly digest: string | null;
  readonly traceId: string | null;
  readonly sdk: { readonly name: string; readonly version: string } | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly occurrence?: {
    readonly subtitle: string;
    readonly evidenceDisplay: readonly { readonly name: string; readonly value: string }[];
  } | null;
}

export interface BriefFrame extends EventFrame {
  readonly vars: Data | null;
  readonly sourceLink: string | null;
}

export interface BriefIssue {
  readonly shortId: string;
  readonly title: string;
  readonly culprit: string;
  readonly url: string;
  readonly project: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly level: string;
  /** Stored events of its whole life. */
  readonly events: number;
  /** Of the events, if their number may be off by more than 1 %: its 95 % interval. */
  readonly estimated: { readonly low: number; readonly high: number } | null;
  readonly users: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** A few spans around the event. */
export interface BriefTrace {
  readonly traceId: string;
  readonly spans: number;
  readonly durationUs: number;
  readonly services: readonly string[];
  readonly rows: readonly {
    readonly depth: number;
    readonly hidden: number;
    readonly offsetUs: number;
    readonly durationUs: number;
    readonly op: string;
    readonly name: string;
    readonly service: string;
    readonly status: string;
    readonly failed?: true | undefined;
    readonly asked?: true | undefined;
  }[];
  readonly issues: readonly { readonly shortId: string | null; readonly title: string; readonly offsetUs: number }[];
  readonly logs: readonly { readonly offsetUs: number; readonly level: string; readonly message: string }[];
}

export interface BriefCommit {
  readonly sha: string;
  readonly message: string;
  readonly author: string;
  readonly at: string;
  readonly repository: string;
  readonly url: string | null;
  readonly files: readonly string[];
}

export interface BriefReleases {
  /** Where the issue was first and last seen. */
  readonly first: string | null;
  readonly last: string | null;
  /** The release before the first one, whose commits are left out. */
  readonly since: string | null;
  /** Of the first release, newest first. */
  readonly commits: readonly BriefCommit[];
  readonly moreCommits: boolean;
  /** Those of them that touched the file that failed. */
  readonly suspects: readonly BriefCommit[];
  /** Why there are none; null where there are. */
  readonly problem: string | null;
}

/** A similar issue of the project that was resolved. */
export interface BriefFix {
  readonly shortId: string;
  readonly title: string;
  /** 0 to 1. */
  readonly score: number;
  readonly resolvedAt: string | null;
  readonly by: string | null;
  readonly release: string | null;
  readonly commit: string | null;
  readonly message: string | null;
  /** Newest first. */
  readonly comments: readonly string[];
}

export interface BriefFacts {
  readonly issue: BriefIssue;
  /** Undefined where no event is stored any more. */
  readonly event: BriefEvent | undefined;
  readonly trace: BriefTrace | undefined;
  readonly releases: BriefReleases;
  readonly similar: readonly BriefFix[];
}

export interface BriefValue {
  readonly name: string;
  readonly value: string;
}

/** A line of source, by its number. */
export type BriefLine = readonly [number: number, text: string];

export interface BriefCall {
  /** As its language prints it; may have a second line. */
  readonly text: string;
  /** Code of the project. */
  readonly own: boolean;
  /** Calls that were left out before it. */
  readonly hidden: number;
  readonly file: string | null;
  readonly line: number | null;
  readonly source: readonly BriefLine[];
  readonly variables: readonly BriefValue[];
}

export interface BriefError {
  readonly relation: StackRelation | null;
  readonly type: string;
  readonly message: string;
  /** Whether the program caught it; null where that is unknown. */
  readonly handled: boolean | null;
  /** In the order of its language. */
  readonly calls: readonly BriefCall[];
  /** After the last one. */
  readonly hidden: number;
}

/** Where it failed. */
export interface BriefFailure {
  readonly type: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly function: string | null;
  /** Code of the project; else the newest call, whosever it is. */
  readonly own: boolean;
  readonly url: string | null;
  readonly source: readonly BriefLine[];
  readonly variables: readonly BriefValue[];
}

export interface BriefCrumb {
  readonly at: string | null;
  readonly category: string;
  readonly level: string;
  readonly text: string;
}

/** A text of ours, and what it is about, which comes from the event. */
export interface BriefNote {
  readonly text: string;
  readonly what: string | null;
}

export interface BriefReproduction {
  /** The request, to run again. */
  readonly curl: string | null;
  /** What the user did. */
  readonly steps: readonly BriefNote[];
  /** A Playwright test that fails while the bug is there. */
  readonly playwright: string | null;
  /** What the event does not say. */
  readonly missing: readonly BriefNote[];
}

export interface Brief {
  readonly issue: BriefIssue;
  readonly event: {
    readonly id: string;
    readonly at: string;
    readonly title: string;
    readonly message: string | null;
    readonly platform: string | null;
    readonly release: string | null;
    readonly environment: string | null;
    readonly digest: string | null;
    readonly traceId: string | null;
    readonly sdk: string | null;
    readonly tags: readonly BriefValue[];
    readonly evidence: readonly BriefValue[];
  } | null;
  readonly language: WrittenLanguage | null;
  readonly failure: BriefFailure | null;
  /** First the one that was reported. */
  readonly errors: readonly BriefError[];
  readonly before: { readonly crumbs: readonly BriefCrumb[]; readonly hidden: number };
  readonly around: BriefTrace | null;
  readonly releases: BriefReleases;
  readonly similar: readonly BriefFix[];
  readonly reproduce: BriefReproduction;
  /** What would prove a fix. */
  readonly proof: readonly string[];
}
