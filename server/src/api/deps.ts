/** What the API is given. */
import type { Accounts } from '../accounts/index.ts';
import type { Indexer } from '../artifacts/index.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Config } from '../config.ts';
import type { Events } from '../events/events.ts';
import type { Live } from '../live/live.ts';
import type { EventLog } from '../log/log.ts';
import type { Notifier, Vault } from '../notify/index.ts';
import type { Previews } from '../regroup/index.ts';
import type { Failures, InternalProject } from '../self/index.ts';
import type { State } from '../state/state.ts';
import type { Symbolication } from '../symbolication/index.ts';

export interface ApiDeps {
  readonly state: State;
  readonly events: Events;
  readonly log: EventLog;
  readonly accounts: Accounts;
  readonly live: Live;
  /** Forgotten when keys or settings of projects change. */
  readonly keys?: { invalidate(): void } | undefined;
  readonly config: Config;
  /** The embedded engine's supervisor. */
  readonly engine?: { readonly state: string; readonly restarts: number } | undefined;
  /** Undefined until processing has started. */
  readonly pipeline?: () =>
    | { stats(): { readonly lagMs: number; readonly waitingFor: string | undefined } }
    | undefined;
  /** Undefined until processing has started. */
  readonly symbolication?: (() => Symbolication | undefined) | undefined;
  /** Undefined until processing has started. */
  readonly previews?: (() => Previews | undefined) | undefined;
  /** Seals secrets of channels and links of invitations. */
  readonly vault: Vault;
  /** Delivers what is to be told to people and other services. */
  readonly notifier?: Notifier | undefined;
  /** Told about uploaded bundles; without one they wait for the next start. */
  readonly indexer?: Pick<Indexer, 'wake' | 'announce' | 'sweep'> | undefined;
  /** For uploads, and for payloads of kept items that are not in their row. */
  readonly blobs?: Blobs | undefined;
  /** Where failures of the server go; the log alone unless given. */
  readonly failures?: Failures | undefined;
  /** To which the console may report its own failures. */
  readonly internal?: InternalProject | undefined;
  /** Answers are held against their schemas before they are sent. */
  readonly checkAnswers?: boolean;
  /** Public address, without a trailing slash. */
  readonly getUrl: () => string;
}
