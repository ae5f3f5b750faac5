/** Tables of incoming webhooks. Times are ms since the epoch. */
import type { Generated } from 'kysely';

export interface IncomingWebhookTable {
  id: Generated<number>;
  organization_id: string;
  /** The end of its address, which nobody can guess. */
  address: string;
  name: string;
  provider: 'github' | 'gitlab' | 'vercel' | 'netlify';
  /** Sealed; '' until the one that the provider made is entered. */
  secret: string;
  /** The one before it, sealed, is accepted as well until then; '' for none. */
  former_secret: Generated<string>;
  former_until: Generated<number>;
  /** JSON array: see `domains/incoming/types.ts`. */
  mappings: string;
  /** 1 or 0. */
  enabled: number;
  /** When something with a wrong signature came last, and what was wrong; null and '' once one is right. */
  refused_at: number | null;
  refusal: Generated<string>;
  created_at: number;
}

interface IncomingDeliveryTable {
  id: Generated<number>;
  webhook_id: number;
  /** As the provider calls it. */
  delivery: string;
  /** SHA-256 of the body in hex: a copy under another id is known by it. */
  digest: string;
  event: string;
  result: 'taken' | 'ignored' | 'refused';
  /** In a sentence. */
  detail: string;
  received_at: number;
}

/** Commits in the order of their pushes, of which releases are made. */
interface IncomingCommitTable {
  id: Generated<number>;
  webhook_id: number;
  repository: string;
  sha: string;
  /** JSON: a `ReportedCommit`. */
  data: string;
}

export interface IncomingTables {
  incoming_webhook: IncomingWebhookTable;
  incoming_delivery: IncomingDeliveryTable;
  incoming_commit: IncomingCommitTable;
}
