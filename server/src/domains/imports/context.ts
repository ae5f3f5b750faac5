/** What the parts of an import share. */
import type { Live } from '../../base/live.ts';
import type { Events } from '../../ports/events/events.ts';
import type { EventLog } from '../../ports/queue/log.ts';
import type { State } from '../../ports/state/state.ts';
import type { Ledger } from './ledger.ts';
import type { Reporter } from './report.ts';
import type { ImportSettings } from './runs.ts';
import type { Source } from './source.ts';

export interface ImportStores {
  readonly state: State;
  readonly events: Events;
  readonly log: Pick<EventLog, 'append' | 'end' | 'isDoneBefore'>;
  readonly live: Live;
  readonly retentionDays: number;
}

export interface ImportContext extends ImportStores {
  readonly organizationId: string;
  /** Who stands for what needs a person: an owner of the organisation. */
  readonly userId: string;
  readonly tracker: string;
  readonly settings: ImportSettings;
  readonly source: Source;
  /** Slug of the organisation there. */
  readonly from: string;
  readonly ledger: Ledger;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** The log is full, and is tried again after so long, ms; 0: it has room again. */
  noteFull(ms: number): void;
  beginProject(slug: string): void;
  addIssues(count: number): void;
  addDone(count: number): void;
  addEvents(count: number): void;
}
