/**
 * Grouping: which issue an event belongs to. Versions stand side by side; each keeps its code and its golden hashes, so
 * that issues made by an older one are still found.
 */
import type { Event } from '../event.ts';
import { defaultGroupingConfig, type GroupingConfig } from './config.ts';
import * as v1 from './v1/index.ts';
import type { GroupedEvent } from './v1/index.ts';

export { compileGrouping, defaultGroupingConfig, type GroupingConfig } from './config.ts';
export { type FingerprintRule, parseFingerprintRules } from './rules/fingerprint-rules.ts';
export { type ParsedRules, ruleLimits, type RuleProblem } from './rules/problem.ts';
export { parseStackTraceRules, type StackTraceRule } from './rules/stack-trace-rules.ts';
export {
  currentGroupingVersion,
  defaultGroupingSettings,
  firstGroupingVersion,
  type GroupingSettings,
  groupingVersions,
} from './settings.ts';

const versions: ReadonlyMap<string, (event: Event) => GroupedEvent> = new Map([[v1.version, v1.group]]);

/**
 * Groups a normalised event by the version and the rules of its project; by the current version where that one is
 * unknown. The event may be a stored one.
 */
export function groupEvent(event: Event, config: GroupingConfig = defaultGroupingConfig): GroupedEvent {
  return (versions.get(config.version) ?? v1.group)(event);
}

/** The hashes that the event had by the version before; none for a project that was never upgraded. */
export function previousHashes(event: Event, config: GroupingConfig): readonly string[] {
  if (config.previousVersion === null || config.previousVersion === config.version) return [];
  return groupEvent(event, { ...config, version: config.previousVersion, previousVersion: null }).grouping.hashes;
}
