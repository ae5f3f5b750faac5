/** What Find is asked and what it answers. Times are ms since the epoch. */
import type { Events } from '../../ports/events/events.ts';
import type { IssueRow, VisibleProject } from '../issues/index.ts';
import type { CountEstimate } from '../search/index.ts';
import type { TimeRange } from '../../base/time-range.ts';
import type { State } from '../../ports/state/state.ts';
import type { Evidence } from './evidence.ts';
import type { Thrown } from './frame.ts';
import type { Match } from './matches.ts';
import type { Understood } from './read-query.ts';
import type { TraceFacts } from './spans.ts';

export interface FindStores {
  readonly state: State;
  readonly events: Events;
}

export interface FindRequest {
  readonly text: string;
  /** Nothing outside of these is looked at. */
  readonly projects: readonly VisibleProject[];
  /** Those of them whose pages and evidence are shown where nothing is named; all when left out. */
  readonly shown?: readonly VisibleProject[] | undefined;
  /** Hosts of Culprit itself, see `readQuery`. */
  readonly ownHosts: readonly string[];
  /** All that is stored when left out. */
  readonly range?: TimeRange | undefined;
  readonly nowMs: number;
}

/** What matching events add up to. */
export interface Tally {
  readonly events: number;
  /** Of the events; undefined where that is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  /** Distinct traces; events where one of them has no trace. */
  readonly visits: { readonly count: number; readonly unit: 'traces' | 'events' };
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** The newest first, at most 10. */
  readonly releases: readonly string[];
}

export interface Cause extends Tally {
  readonly issue: IssueRow;
  /** The newest that matches. */
  readonly event: Match;
  readonly thrown: Thrown | undefined;
  /** Whether the line is another than that of the first cause. */
  readonly differs: boolean;
  /** That of the event; undefined where no span of it is stored. */
  readonly trace: TraceFacts | undefined;
}

export interface TiedTrace {
  readonly id: string;
  readonly serverEvents: number;
  readonly browserEvents: number;
  readonly lastSeen: number;
}

/** An event with its issue. */
export interface Sighting {
  readonly issue: IssueRow;
  readonly event: Match;
}

export type MatchedBy = 'digest' | 'event' | 'trace' | 'span' | 'stack';

interface Matched extends Tally {
  readonly matchedBy: MatchedBy;
  readonly value: string;
  readonly host: string | undefined;
  /** Browser events that showed the screen, the newest first. */
  readonly shown: readonly Match[];
  readonly traces: readonly TiedTrace[];
}

export type Found =
  | ({ readonly kind: 'cause'; readonly causes: readonly Cause[]; readonly more: number } & Matched)
  | ({ readonly kind: 'browser_only'; readonly issue: IssueRow | undefined; readonly evidence: Evidence } & Matched)
  | { readonly kind: 'issue'; readonly issue: IssueRow }
  | {
      readonly kind: 'trace';
      readonly matchedBy: Extract<MatchedBy, 'trace' | 'span'>;
      readonly value: string;
      readonly trace: TraceFacts;
    }
  | {
      readonly kind: 'page';
      readonly host: string | undefined;
      readonly path: string | undefined;
      readonly issues: readonly Sighting[];
      readonly evidence: Evidence;
    }
  | { readonly kind: 'search'; readonly search: string }
  | { readonly kind: 'nothing'; readonly digest: string | undefined; readonly evidence: Evidence }
  | { readonly kind: 'empty' };

export type Answer = Found & { readonly understood: readonly Understood[] };
