/**
 * Grouping: which issue an event belongs to. Versions stand side by side; each keeps its code and its golden hashes, so
 * that issues made by an older one are still found.
 */
import type { Event, Exception, Stacktrace, Thread } from '../event.ts';
import { platformFamily } from '../family.ts';
import type { Algorithm } from './algorithm.ts';
import { defaultGroupingConfig, type GroupingConfig } from './config.ts';
import { groupBy, type GroupedEvent } from './group.ts';
import { currentGroupingVersion } from './settings.ts';
import { v1 } from './v1/index.ts';
import { v2 } from './v2/index.ts';
import { v3 } from './v3/index.ts';

export { compileGrouping, defaultGroupingConfig, type GroupingConfig } from './config.ts';
export type { GroupedEvent } from './group.ts';
export { type FingerprintRule, parseFingerprintRules } from './rules/fingerprint-rules.ts';
export { type ParsedRules, ruleLimits, type RuleProblem } from './rules/problem.ts';
export { parseStackTraceRules, type StackTraceRule } from './rules/stack-trace-rules.ts';
export {
  currentGroupingVersion,
  defaultGroupingSettings,
  firstGroupingVersion,
  type GroupingSettings,
  groupingVersions,
  withVersion,
} from './settings.ts';

const algorithms: ReadonlyMap<string, Algorithm> = new Map(
  [v1, v2, v3].map((algorithm) => [algorithm.version, algorithm]),
);

/** By the current version where that one is unknown. */
export function algorithmOf(version: string): Algorithm {
  return algorithms.get(version) ?? algorithms.get(currentGroupingVersion) ?? v3;
}

/**
 * Groups a normalised event by the version and the rules of its project, and sets `in_app` on its frames. The event may
 * be a stored one, that was grouped before.
 */
export function groupEvent(event: Event, config: GroupingConfig = defaultGroupingConfig): GroupedEvent {
  return groupBy(event, algorithmOf(config.version), config, () => previousHashes(event, config));
}

/** Whether a stack of the platform is judged by its frames alone: no rule asks what is around them. */
export function framesAloneDecide({ version, stackTraceRules }: GroupingConfig, platform?: string): boolean {
  if (stackTraceRules.length > 0) return false;
  return platform === undefined || algorithmOf(version).baseRules(platformFamily(platform)).length === 0;
}

/** The hashes that the event had by the versions before, the newest first; none for a project that was never upgraded. The event stays as it is. */
export function previousHashes(event: Event, config: GroupingConfig): readonly string[] {
  if (config.previousVersion === null || config.previousVersion === config.version) return [];
  const versions = [config.previousVersion, ...config.olderVersions];
  const hashesBy = (version: string): readonly string[] =>
    groupBy(withOwnFrames(event), algorithmOf(version), config).grouping.hashes;
  return versions.length === 1 ? hashesBy(config.previousVersion) : [...new Set(versions.flatMap(hashesBy))];
}

/** The event with frames that may be marked anew. */
function withOwnFrames(event: Event): Event {
  return {
    ...event,
    ...(event.exception && { exception: { values: event.exception.values.map(withOwnStack<Exception>) } }),
    ...(event.threads && { threads: { values: event.threads.values.map(withOwnStack<Thread>) } }),
    ...withOwnStack({ stacktrace: event.stacktrace }),
  };
}

function withOwnStack<T extends { stacktrace?: Stacktrace | undefined }>(holder: T): T {
  const { stacktrace } = holder;
  if (!stacktrace) return holder;
  return { ...holder, stacktrace: { ...stacktrace, frames: stacktrace.frames.map((frame) => ({ ...frame })) } };
}
