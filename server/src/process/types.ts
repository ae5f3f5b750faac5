/** Shapes that pass between the pipeline, the item types and the pure steps. */
import type { StandsFor } from '../base/stands-for.ts';
import { defaultPerformanceSettings, type PerformanceSettings } from '../base/problems/settings.ts';
import type { ErrorRow, WholeErrorRow } from '../base/tables/errors.ts';
import type { ItemTableName, TableRows } from '../base/tables/index.ts';
import type { ItemRow } from '../base/tables/items.ts';
import { type FilterId, type FilterSettings, noFilters } from './steps/filters/settings.ts';
import { defaultGroupingSettings, type GroupingSettings } from './steps/group/settings.ts';
import type { DebugWork, Stack } from './steps/symbolicate/index.ts';
import type { Side, Twin } from './steps/twin.ts';

/** Settings of a project that processing needs; JSON in `project.settings`. */
export interface ProjectSettings {
  /** Where the client's address comes from and whether it is kept. Default keep. */
  readonly storeIpAddresses: boolean;
  readonly scrubData: boolean;
  readonly scrubDefaults: boolean;
  /** Substrings of keys, any case, whose values are removed. */
  readonly sensitiveFields: readonly string[];
  /** Exact keys that are never scrubbed. */
  readonly safeFields: readonly string[];
  /** Rules of the project in Relay's language, as JSON text; '' for none. */
  readonly scrubRules: string;
  /** Whether who a user is is kept as a pseudonym alone. */
  readonly pseudonymizeUsers: boolean;
  /** Rules of its organisation, which are read with it and never stored here. */
  readonly organizationRules: string;
  /** Secret of hashes and pseudonyms, the organisation's; comes with its rules. */
  readonly pseudonymKey: string;
  /** Whether text attachments may be larger than what is scrubbed at once. */
  readonly largeTextAttachments: boolean;
  /** Whether an exception in a log record of OpenTelemetry is an error event, too. */
  readonly logExceptions: boolean;
  /** Origins that browsers may send from; empty: any. `*.example.com` allowed. */
  readonly allowedDomains: readonly string[];
  /** What is not to be stored, and by which patterns. */
  readonly filters: FilterSettings;
  /** Which performance problems are looked for, and from where on. */
  readonly performance: PerformanceSettings;
  /** By which version of the algorithm, and by which rules of its own. */
  readonly grouping: GroupingSettings;
  /** The project to which this installation reports its own failures. Never set by a client. */
  readonly internal: boolean;
}

export const defaultProjectSettings: ProjectSettings = {
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
  scrubRules: '',
  pseudonymizeUsers: false,
  organizationRules: '',
  pseudonymKey: '',
  largeTextAttachments: false,
  logExceptions: false,
  allowedDomains: [],
  filters: noFilters,
  performance: defaultPerformanceSettings,
  grouping: defaultGroupingSettings,
  internal: false,
};

/** What an item's processing may know beyond the item; no clock, no I/O. */
export interface ItemContext {
  readonly projectId: number;
  readonly settings: ProjectSettings;
  /** Whether anything was uploaded for the project that may map its frames. */
  readonly hasArtifacts?: boolean;
  /** ms since the epoch, the server's clock when the request came. */
  readonly receivedAt: number;
  /** `sent_at` of the envelope header, ms since the epoch. */
  readonly sentAt?: number;
  /** Envelope's event id: 32 hex digits, no hyphens; wins over the payload's. */
  readonly envelopeEventId?: string;
  /** The envelope's `trace` header. */
  readonly trace?: Readonly<Record<string, unknown>>;
  readonly remoteAddress?: string;
  readonly userAgent?: string;
  readonly clientHints?: Readonly<Record<string, string>>;
  /** Events that a storm kept out, which the event of this envelope stands for. */
  readonly standsFor?: StandsFor;
  /** Set on what an import brings: it keeps its times, and what is from before `keepFrom` (ms since the epoch) is not kept. */
  readonly imported?: { readonly keepFrom: number };
}

export type OutcomeKind = 'accepted' | 'filtered' | 'rate_limited' | 'invalid' | 'client_discard';

export type Outcome =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'filtered' | 'rate_limited' | 'invalid' | 'client_discard';
      readonly reason: string;
      readonly detail?: string;
    };

/** One component of the grouping explanation. Leaves have a value, inner nodes children. */
export interface GroupingComponent {
  /** exception, stacktrace, frame, function, module, filename, context_line, type, value, message, fingerprint, … */
  readonly id: string;
  readonly name: string;
  readonly contributes: boolean;
  /** Why it counts or does not, in words for people; absent where obvious. */
  readonly why?: string;
  readonly value?: string;
  readonly children?: readonly GroupingComponent[];
}

export interface Grouping {
  /** Id of the algorithm, e.g. `culprit:2026-11-21`. */
  readonly version: string;
  /** 32 hex digits each, best first, at least one. */
  readonly hashes: readonly string[];
  readonly basis: string;
  readonly tree: readonly GroupingComponent[];
  /** By the version that the project had before, best first: where its issue is found when nobody knows the hashes yet. */
  readonly previous?: readonly string[];
  /** Hash of type and message of an error of built code, and whether its source maps were there: see `issues/record/words.ts`. */
  readonly words?: { readonly hash: string; readonly mapped: boolean } | undefined;
}

/** What a new issue starts with, and what its newest event refreshes. */
export interface IssueSeed {
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  /** error, default (message), csp, … */
  readonly type: string;
  /** `type`, `value`, `filename`, `function` of the exception that gives the title. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ProcessedEvent {
  readonly row: WholeErrorRow;
  readonly grouping: Grouping;
  readonly seed: IssueSeed;
  readonly side: Side;
  /** What it counts as in outcomes. */
  readonly category: string;
  /** That it came with, where it waits for what else comes. */
  readonly keyId?: number | undefined;
  /** That of the row in pieces; those that come again are bytes already. */
  readonly payload?: readonly (string | Uint8Array)[];
  /** Set for the browser's view of a failure on the server; then hashes and seed are for while no server event is known. */
  readonly twin?: Twin | undefined;
  /** Whether an import brought it. */
  readonly imported?: boolean;
}

export type TwinEvent = ProcessedEvent & { readonly twin: Twin };

/** Outcome of one item with its data category (error, transaction, session, …) and how many of it. */
export interface CountedOutcome {
  readonly category: string;
  readonly outcome: Outcome;
  readonly quantity: number;
}

/** What of an event its issue is made from; all that is kept of it until its batch is stored. */
export interface Sighted {
  readonly row: Pick<
    ErrorRow,
    | 'project_id'
    | 'event_id'
    | 'timestamp'
    | 'received_at'
    | 'release'
    | 'environment'
    | 'digest'
    | 'trace_id'
    | 'transaction'
    | 'group_hash'
    | 'handled'
    | 'user'
    | 'sdk_name'
    | 'stands_for'
    | 'sampled_users'
  >;
  /** That it came with; else none is known. */
  readonly keyId?: number | undefined;
  readonly grouping: Grouping;
  readonly seed: IssueSeed;
  readonly side: Side;
  readonly category: string;
  /** Whether an import brought it: nobody is told of it, and it opens no issue again. */
  readonly imported?: boolean;
}

/** An event whose frames wait for their scripts, which only who may wait can look up. */
export interface WaitingEvent {
  readonly projectId: number;
  readonly release: string;
  readonly dist: string;
  readonly stacks: readonly Stack[];
  /** What debug files may tell. */
  readonly work?: DebugWork | undefined;
  /** The rest of its way, once its frames are mapped as far as they can be. Never throws. */
  finish(missing: readonly string[]): ItemResult;
}

/** Mechanism of events that are made of spans and of logs. */
export type ReportedBy = 'opentelemetry' | 'opentelemetry.log';

/** An error that the same program may have reported as an event of its own; only who may look into the store can tell. */
export interface MaybeReported {
  readonly projectId: number;
  /** '' for none: then nothing tells. */
  readonly traceId: string;
  readonly by: ReportedBy;
  readonly type: string;
  /** As it would be stored. */
  readonly value: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The rest of its way. Never throws. */
  finish(reported: boolean): ItemResult;
}

export type ItemRows = { readonly [Table in ItemTableName]?: readonly TableRows[Table][] };

/** What became of one envelope item. */
export interface ItemResult {
  readonly outcomes: readonly CountedOutcome[];
  /** The filter that dropped the event or transaction: what came with it goes, too. */
  readonly dropped?: FilterId;
  readonly events?: readonly ProcessedEvent[];
  /** By the table that they are stored in. */
  readonly rows?: ItemRows;
  /** Their outcomes come when they are finished. */
  readonly waiting?: readonly WaitingEvent[];
  /** Their outcomes, too, come when they are finished. */
  readonly maybeReported?: readonly MaybeReported[];
  /** Items kept as they came; a payload that is binary or large stands in `blob`, perhaps in pieces, and is written before the row. */
  readonly kept?: readonly { readonly row: ItemRow; readonly blob?: Uint8Array | Iterable<Uint8Array> }[];
}
