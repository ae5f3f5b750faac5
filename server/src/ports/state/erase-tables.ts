/** Tables of erasing people and events, and of projects that are held. Times are ms since the epoch. */
import type { Generated } from 'kysely';
import type { ClaimColumns } from './job-tables.ts';

export type ErasureState = 'finding' | 'found' | 'exporting' | 'removing' | 'done' | 'failed' | 'cancelled' | 'expired';

/** One request to find, export or erase a person or an event. */
export interface ErasureTable extends ClaimColumns {
  id: Generated<number>;
  organization_id: string;
  /** Who asked; null once their account is gone. */
  user_id: string | null;
  state: ErasureState;
  /** Sealed JSON of `About`; '' once it is over. */
  about: string;
  /** What the requester calls it. */
  reference: string;
  /** Random hex digits, for the hashes of the certificate; keys of the engine's hashes are made of it. */
  salt: string;
  /** JSON of `Progress`. */
  progress: string;
  /** JSON of `Found`; '' until then. */
  found: string;
  /** JSON of `Certificate`; '' until it is done. */
  certificate: string;
  /** Of the file of the export; 0 while there is none. */
  file_bytes: number;
  detail: string;
  created_at: number;
  confirmed_at: number | null;
  finished_at: number | null;
}

/** A project of which nothing is deleted and nothing ages out. */
export interface ProjectHoldTable {
  project_id: number;
  reason: string;
  /** Who; null once their account is gone. */
  user_id: string | null;
  created_at: number;
}

export interface EraseTables {
  erasure: ErasureTable;
  project_hold: ProjectHoldTable;
}
