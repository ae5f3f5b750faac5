import type { KeyQuota } from './quotas/index.ts';
import type { ProjectSettings } from '../process/types.ts';

/** What ingestion knows about a project key. */
export interface IngestKey {
  readonly keyId: number;
  readonly projectId: number;
  readonly organizationId: string;
  readonly isActive: boolean;
  /** Items per window, for each data category; null for no limit. */
  readonly rateLimit: { readonly count: number; readonly windowSeconds: number } | null;
  /** Attachments, replays, profiles and other large payloads, decompressed; null for no limit. */
  readonly blobBytesPerDay: number | null;
  /** Ids that the project had in other trackers, as text; nearly always none. */
  readonly aliases: readonly string[];
  readonly settings: ProjectSettings;
  /** That count what it sends: its own, those of its project and of its organisation; nearly always none. */
  readonly quotas: readonly KeyQuota[];
  /** Of the organisation, whose months are counted; IANA name. */
  readonly timeZone: string;
  /** Whether what comes is forwarded to another place as well. */
  readonly isMirrored: boolean;
}

/** Finds keys. Answers at once what it has cached, so that the usual request waits for nothing. */
export interface KeyDirectory {
  /** `publicKey` has 32 lower-case hex digits. Undefined when no project has it. */
  lookup(publicKey: string): IngestKey | undefined | Promise<IngestKey | undefined>;
}
