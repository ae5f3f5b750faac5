import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../base/config.ts';
import type { EventLog } from '../ports/queue/log.ts';
import type { Failures, FailedRequest } from '../base/self/index.ts';
import type { AddBlobBytes, BlobQuota } from './blob-quota.ts';
import type { BodyPools, HeldBytes } from './body.ts';
import type { Gate } from './gate.ts';
import type { IngestKey, KeyDirectory } from './keys.ts';
import type { Mirrors } from './mirror.ts';
import type { OutcomeCounter } from './outcomes.ts';
import type { AddQuotaUse, Quotas } from './quotas/index.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ScannedItem } from './scan.ts';
import type { TakeShares } from './shared-limiter.ts';
import type { IngestStats } from './stats.ts';
import type { StormGuard } from './storm/index.ts';
import type { OpenVisitors, Visitors } from './visitors.ts';

export interface IngestDeps {
  readonly log: EventLog;
  readonly keys: KeyDirectory;
  readonly config: Pick<Config, 'maxBodyBytes' | 'maxEnvelopeBytes' | 'bodyTimeoutSeconds' | 'url'>;
  readonly logger: FastifyBaseLogger;
  readonly failures: Failures;
  readonly addBlobBytes: AddBlobBytes;
  readonly addQuotaUse: AddQuotaUse;
  /** Where several nodes receive: rate limits hold for all of them together. */
  readonly takeShares?: TakeShares | undefined;
  /** Where several nodes receive: what an address may make of requests holds for all of them together. */
  readonly openVisitors?: OpenVisitors | undefined;
  /** Samples repeated errors while a project sends far more than usual. */
  readonly storm?: StormGuard | undefined;
  /** Forwards what comes for projects with a mirror. */
  readonly mirrors?: Mirrors | undefined;
}

/** What the endpoints share. */
export interface Ingest extends IngestDeps {
  readonly pools: BodyPools;
  /** How many large bodies are decompressed at once. */
  readonly inflating: Gate;
  readonly limiter: RateLimiter;
  readonly blobQuota: BlobQuota;
  readonly quotas: Quotas;
  /** Of the internal project. */
  readonly visitors: Visitors;
  readonly outcomes: OutcomeCounter;
  readonly stats: IngestStats;
}

/** A request as far as its body and its headers go. */
export type ReceivedBody = Readable & Pick<IncomingMessage, 'headers' | 'complete' | 'method'>;

/** One request on its way; the fields that change are filled in as they become known. */
export interface Exchange {
  /** envelope, store, security, tunnel or otlp_…: the route's name. */
  readonly endpoint: string;
  readonly request: ReceivedBody;
  /** Of the client, as far as trusted proxies tell. */
  readonly remoteAddress: string;
  /** As it stands in the path; undefined where the path has none. */
  readonly pathProject: string | undefined;
  /** Query string without `?`, still encoded. */
  readonly query: string;
  readonly held: HeldBytes;
  /** For the report, should it fail. */
  readonly facts: () => FailedRequest;
  /** The key, whether or not it may send. */
  key: IngestKey | undefined;
  /** `name/version` of the SDK, where it says so. */
  client: string | undefined;
  /** Counted already among the requests of its address. */
  isAdmitted: boolean;
  /** Items found so far; when the request is refused, each of them is counted. */
  items: readonly ScannedItem[];
}
