/** What just changed, for screens that are open: published by processing and commands, sent on as server-sent events. */

/** Of a change of many issues; the domain `issues` moves it from one to the next. */
export type BulkState =
  | 'collecting'
  | 'running'
  | 'hidden'
  | 'deleting'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'undoing'
  | 'undone';

/** Events of an issue within one hour and environment. */
export interface Gain {
  /** When the hour begins, ms since the epoch. */
  readonly hourMs: number;
  readonly environment: string;
  readonly events: number;
  readonly unhandled: number;
  /** Of the events, those that are counted and not stored. */
  readonly sampled?: number;
  /** Of the last of them, ms since the epoch. */
  readonly lastSeen: number;
  /** Different ones, as the column `user` has them. */
  readonly users: readonly string[];
}

/** What a batch added to issues, by id. */
export interface Gained {
  readonly issues: ReadonlyMap<number, readonly Gain[]>;
  /**
   * By `steadyMs`: between these their issues were chosen and the events store took the rows. What was read before has none
   * of them, what was read after has all.
   */
  readonly fromMs: number;
  readonly untilMs: number;
}

export type LiveMessage =
  | {
      readonly type: 'events';
      readonly projectId: number;
      /** Issues that got events, and those among them that are new. */
      readonly issueIds: readonly number[];
      readonly newIssueIds: readonly number[];
      /** How many events were stored. */
      readonly count: number;
      /** True for the very first event of the project. */
      readonly first: boolean;
      /** Of events of servers among them; for who waits for one. */
      readonly digests?: readonly string[];
      /** Left out where it is not known, or a batch was stored for a second time. */
      readonly gained?: Gained | undefined;
    }
  | {
      readonly type: 'spans';
      readonly projectId: number;
      /** How many spans were stored. */
      readonly count: number;
      /** Traces that got some of them: at most 100, so a trace that is not among 100 may have got some too. */
      readonly traceIds: readonly string[];
      /** True for the very first spans of the project. */
      readonly first: boolean;
    }
  | {
      readonly type: 'issues';
      readonly projectId: number;
      readonly issueIds: readonly number[];
      /** What is different is not which events are theirs. */
      readonly sameEvents?: true;
    }
  | {
      /** A digest that a user waits for has arrived. */
      readonly type: 'digest';
      readonly projectId: number;
      /** That of the event. */
      readonly issueIds: readonly number[];
      readonly watchId: number;
      readonly userId: string;
      readonly digest: string;
      readonly eventId: string;
    }
  | {
      /** How far a change of many issues is; for who has asked for it. */
      readonly type: 'bulk';
      readonly organizationId: string;
      readonly userId: string;
      readonly id: number;
      readonly state: BulkState;
      readonly total: number;
      readonly done: number;
      readonly changed: number;
    }
  | {
      /**
       * Somebody may have other access now: a membership, a session or a token of theirs ended, or they see other projects.
       * Undefined: any of them. For no screen.
       */
      readonly type: 'access';
      readonly userId?: string | undefined;
    }
  | {
      /** Keys, settings of projects or demands on sessions changed: what was looked up of them is forgotten. For no screen. */
      readonly type: 'settings';
    }
  | {
      /** What other nodes said for a while is lost: whatever was made of such messages is made anew. For no screen. */
      readonly type: 'missed';
    };

/** Those that screens hear of. */
export type ShownMessage = Exclude<LiveMessage, { type: 'access' | 'settings' | 'missed' }>;

export interface Live {
  publish(message: LiveMessage): void;
  /** Returns the function that unsubscribes. A listener that throws is dropped. */
  subscribe(listener: (message: LiveMessage) => void): () => void;
}

export function createLive(): Live {
  const listeners = new Set<(message: LiveMessage) => void>();
  return {
    publish(message) {
      for (const listener of listeners) {
        try {
          listener(message);
        } catch {
          listeners.delete(listener);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
