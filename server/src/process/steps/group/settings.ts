/** How a project groups: the part of its settings. */

export interface GroupingSettings {
  /** Of the algorithm, one of `groupingVersions`. */
  readonly version: string;
  /** Whose issues are looked for where nothing is known under the new hashes; null for a project that was never upgraded. */
  readonly previousVersion: string | null;
  /** ms since the epoch. */
  readonly upgradedAt: number | null;
  /** As written. */
  readonly fingerprintRules: string;
  /** As written. */
  readonly stackTraceRules: string;
}

/** Projects that were made before there were two versions. */
export const firstGroupingVersion = 'culprit:1';
/** New projects get the newest. */
export const currentGroupingVersion = 'culprit:2';
/** The oldest first. */
export const groupingVersions: readonly string[] = ['culprit:1', 'culprit:2'];

export const defaultGroupingSettings: GroupingSettings = {
  version: currentGroupingVersion,
  previousVersion: null,
  upgradedAt: null,
  fingerprintRules: '',
  stackTraceRules: '',
};
