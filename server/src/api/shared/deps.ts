/** What the API is given. */
import type { Accounts } from '../../domains/accounts/index.ts';
import type { Audit, AuditStream } from '../../domains/audit/index.ts';
import type { Indexer } from '../../domains/artifacts/index.ts';
import type { Backups } from '../../domains/backups/index.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { Config } from '../../base/config.ts';
import type { Events } from '../../ports/events/events.ts';
import type { Live } from '../../base/live.ts';
import type { AlertPreviews } from '../../domains/alerts/index.ts';
import type { Bulk, KnownAnswers } from '../../domains/issues/index.ts';
import type { Lookout } from '../../domains/find/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';
import type { Runner } from '../../jobs/index.ts';
import type { DiskUsage } from '../../domains/disk/index.ts';
import type { Eraser, Holds } from '../../domains/erase/index.ts';
import type { Exporter, SamplingLimits } from '../../domains/explore/index.ts';
import type { Mirrors } from '../../domains/mirror/index.ts';
import type { EventLog } from '../../ports/queue/log.ts';
import type { StateGuard } from '../../domains/nodes/index.ts';
import type { Notifier, Vault } from '../../domains/notify/index.ts';
import type { SignIns } from '../../domains/providers/index.ts';
import type { RetentionKeeper } from '../../domains/retention/index.ts';
import type { Previews } from '../../domains/regroup/index.ts';
import type { Failures } from '../../base/self/index.ts';
import type { InternalProject } from '../../domains/internal-project/index.ts';
import type { Slack } from '../../domains/slack/index.ts';
import type { Webhooks } from '../../domains/webhooks/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { Symbolication } from '../../domains/resymbolicate/index.ts';

export interface ApiDeps {
  readonly state: State;
  readonly events: Events;
  readonly log: EventLog;
  readonly accounts: Accounts;
  /** Through providers. */
  readonly signIns: SignIns;
  readonly audit: Audit;
  /** Tells others outside of what is written in the audit log. */
  readonly auditStream: AuditStream;
  readonly webhooks: Webhooks;
  readonly slack: Slack;
  /** Of secrets in the state store. */
  readonly secretBox: TextBox;
  /** Forwards what comes for projects. */
  readonly mirrors: Mirrors;
  readonly live: Live;
  /** Counts requests of addresses; this process by itself unless given. */
  readonly openVisitors?: OpenVisitors | undefined;
  readonly config: Config;
  /** The embedded engine's supervisor. */
  readonly engine?: { readonly state: string; readonly restarts: number } | undefined;
  /** Undefined until processing has started. */
  readonly pipeline?: () =>
    | { stats(): { readonly lagMs: number; readonly waitingFor: string | undefined } }
    | undefined;
  /** Symbolicates stored events again. */
  readonly symbolication?: Symbolication | undefined;
  /** Undefined until processing has started. */
  readonly previews?: (() => Previews | undefined) | undefined;
  /** Seals secrets of channels and links of invitations. */
  readonly vault: Vault;
  /** For pseudonyms, of the installation; hex. Those of a preview tell nobody apart without it. */
  readonly pseudonymKey?: string | undefined;
  /** Delivers what is to be told to people and other services. */
  readonly notifier?: Notifier | undefined;
  /** Told about uploaded bundles; without one they wait for the next start. */
  readonly indexer?: Pick<Indexer, 'wake' | 'sweep'> | undefined;
  /** For uploads, and for payloads of kept items that are not in their row. */
  readonly blobs?: Blobs | undefined;
  /** Writes results of Explore to files. */
  readonly exporter?: Exporter | undefined;
  /** Finds and erases people and events. */
  readonly eraser?: Pick<Eraser, 'box' | 'wake'> | undefined;
  /** Told when a project is held or released. */
  readonly holds?: Holds | undefined;
  /** From how many rows on questions of Explore may be answered from a sample; the domain's own unless given. */
  readonly sampling?: SamplingLimits | undefined;
  /** Of the events store; undefined where others write to it as well. */
  readonly known?: KnownAnswers | undefined;
  /** Changes issues, one or a hundred thousand. */
  readonly bulk: Bulk;
  /** Waits for digests. */
  readonly lookout: Lookout;
  readonly alertPreviews: AlertPreviews;
  /** Knows how background work is doing. */
  readonly runner: Pick<Runner, 'report'>;
  /** Knows what takes how much of the disk. */
  readonly diskUsage: Pick<DiskUsage, 'status'>;
  /** Told when the retention was changed; the next hour brings it unless given. */
  readonly retention?: Pick<RetentionKeeper, 'changed'> | undefined;
  /** Knows how backups are doing. */
  readonly backups?: Pick<Backups, 'health'> | undefined;
  /** Ends what waits for a state store that is away; nothing does unless given. */
  readonly guardState?: StateGuard | undefined;
  /** Where failures of the server go; the log alone unless given. */
  readonly failures?: Failures | undefined;
  /** To which the console may report its own failures. */
  readonly internal?: InternalProject | undefined;
  /** Answers are held against their schemas before they are sent. */
  readonly checkAnswers?: boolean;
  /** Public address, without a trailing slash. */
  readonly getUrl: () => string;
}
