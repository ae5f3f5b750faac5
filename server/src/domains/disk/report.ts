/** What takes how much of the disk, as it was measured. */

export const storeNames = [
  'events',
  'payloads',
  'attachments',
  'sourceMaps',
  'exports',
  'index',
  'log',
  'state',
  'restorePoints',
  'retained',
  'other',
] as const;
export type StoreName = (typeof storeNames)[number];

export interface StoreSize {
  readonly store: StoreName;
  readonly bytes: number;
  /** Of those, what was deleted and has yet to be given back, about. */
  readonly waitingBytes: number;
  /** In the data directory; else in a database elsewhere. */
  readonly isHere: boolean;
  /** The oldest of what goes with time, and when that goes; ms since the epoch. */
  readonly oldest?: { readonly at: number; readonly leavesAt: number };
}

export interface ProjectSize {
  readonly projectId: number;
  /** Its rows and events as a share of all, and its files; about. */
  readonly bytes: number;
}

export interface DiskReport {
  /** ms since the epoch. */
  readonly at: number;
  /** The largest first. */
  readonly stores: readonly StoreSize[];
  readonly projects: readonly ProjectSize[];
}

export const usedBytes = ({ stores }: DiskReport): number =>
  stores.reduce((sum, { isHere, bytes }) => (isHere ? sum + bytes : sum), 0);
