import type { ProjectSettings } from '../../process/types.ts';

export interface Project {
  readonly id: number;
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  /** '' when not said. */
  readonly platform: string;
  /** `WEB` in `WEB-1`. */
  readonly shortIdPrefix: string;
  readonly settings: ProjectSettings;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Null while waiting for the first event. */
  readonly firstEventAt: number | null;
  /** When its first span was stored; null while there is none. */
  readonly firstSpanAt: number | null;
  /** Time of the newest event that an import brought; null while none did. Alerts count what is newer. */
  readonly importedUntil: number | null;
  /** Time of the newest error that a storm stored for others, too; null while there is none. */
  readonly sampledUntil: number | null;
  /** When an error was first stored for others beyond the limit of its issue; null while none was. */
  readonly limitedAt: number | null;
}

/** Items that are taken in a window, for each data category. */
export interface RateLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

export interface ProjectKey {
  readonly id: number;
  readonly projectId: number;
  /** 32 lower-case hex digits. */
  readonly publicKey: string;
  readonly label: string;
  readonly isActive: boolean;
  /** Null for no limit. */
  readonly rateLimit: RateLimit | null;
  /** Attachments, replays, profiles and other large payloads, decompressed; null for no limit. */
  readonly blobBytesPerDay: number | null;
  /** ms since the epoch. */
  readonly createdAt: number;
}
