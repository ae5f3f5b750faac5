/** What a change of a project's grouping means for the issues that it has. */
import {
  type GroupingSettings,
  groupingVersions,
  parseFingerprintRules,
  parseStackTraceRules,
  withVersion,
} from '../../process/steps/group/index.ts';
import type { Project } from '../projects/index.ts';
import type { Previews } from './previews.ts';

/** As the API names them; what is left out stays. */
export interface GroupingChange {
  readonly groupingConfig?: string | undefined;
  readonly fingerprintingRules?: string | undefined;
  readonly groupingEnhancements?: string | undefined;
}

/** Events that are grouped anew before rules are saved. */
const maxEvents = 2_000;
const daysMs = 7 * 86_400_000;

/** The settings as saving them would make them. */
export function changedGrouping(saved: GroupingSettings, body: GroupingChange): GroupingSettings {
  const version = body.groupingConfig ?? saved.version;
  const known = groupingVersions.includes(version) ? version : saved.version;
  return {
    ...withVersion(saved, known),
    fingerprintRules: body.fingerprintingRules ?? saved.fingerprintRules,
    stackTraceRules: body.groupingEnhancements ?? saved.stackTraceRules,
  };
}

/**
 * Before rules are saved, issues get the hashes that their events will have, so that the next ones are found there. An
 * upgrade of the version alone needs nothing: what the version before knows is asked where nobody knows the new hashes.
 */
export async function adoptIssues(
  previews: Previews | undefined,
  project: Project,
  body: GroupingChange,
): Promise<void> {
  const { grouping } = project.settings;
  const after = changedGrouping(grouping, body);
  const isSame =
    after.fingerprintRules === grouping.fingerprintRules && after.stackTraceRules === grouping.stackTraceRules;
  // Rules with problems are refused by who saves them.
  const isBroken =
    parseFingerprintRules(after.fingerprintRules).problems.length > 0 ||
    parseStackTraceRules(after.stackTraceRules).problems.length > 0;
  if (isSame || isBroken) return;
  const request = { projectId: project.id, sinceMs: Date.now() - daysMs, limit: maxEvents };
  await previews?.adopt({ ...request, before: grouping, after });
}
