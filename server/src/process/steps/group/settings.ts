/** How a project groups: the part of its settings. */

export interface GroupingSettings {
  /** Of the algorithm, one of `groupingVersions`. */
  readonly version: string;
  /** Whose issues are looked for where nothing is known under the new hashes; null for a project that was never upgraded. */
  readonly previousVersion: string | null;
  /** Those that the project had before that one, the newest first: an issue may have had no event since. */
  readonly olderVersions: readonly string[];
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
export const currentGroupingVersion = 'culprit:3';
/** The oldest first. */
export const groupingVersions: readonly string[] = ['culprit:1', 'culprit:2', 'culprit:3'];

export const defaultGroupingSettings: GroupingSettings = {
  version: currentGroupingVersion,
  previousVersion: null,
  olderVersions: [],
  upgradedAt: null,
  fingerprintRules: '',
  stackTraceRules: '',
};

/** What choosing a version makes of the settings, but for the time. */
export function withVersion<Settings extends GroupingSettings>(settings: Settings, version: string): Settings {
  if (version === settings.version) return settings;
  const { version: previousVersion, previousVersion: before, olderVersions } = settings;
  const older = before === null ? olderVersions : [before, ...olderVersions];
  const isOlder = (one: string): boolean => one !== version && one !== previousVersion;
  return { ...settings, version, previousVersion, olderVersions: [...new Set(older)].filter(isOlder) };
}
