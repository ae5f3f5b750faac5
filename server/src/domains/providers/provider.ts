/** A provider as everything here knows it. */
import type { Role } from '../accounts/index.ts';
import type { Kind, Settings } from './kinds.ts';

/** What members of a group there become here. */
export interface MappingRow {
  readonly value: string;
  readonly role: Role | null;
  readonly teamId: number | null;
}

/** Of addresses. Only a verified one lets anybody in. */
export interface Domain {
  readonly domain: string;
  readonly proof: string;
  readonly verifiedAt: number | null;
}

export interface Provider {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: Kind;
  readonly name: string;
  readonly domains: readonly Domain[];
  /** With their secrets as they are. */
  readonly settings: Settings;
  readonly enabled: boolean;
  /** Whether people of its domains become members when they first come. */
  readonly joins: boolean;
  readonly defaultRole: Role;
  readonly mapping: readonly MappingRow[];
  /** What last went wrong, in words; '' when the last sign-in worked. */
  readonly problem: string;
  readonly problemAt: number | null;
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** When, and whether whoever asks is believed that the organisation has the domains. */
export interface Moment {
  readonly now: number;
  readonly vouched: boolean;
}
