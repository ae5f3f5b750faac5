/** How a project groups, as it is stored and as it is changed. */
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import {
  defaultGroupingSettings,
  firstGroupingVersion,
  type GroupingSettings,
  groupingVersions,
  parseFingerprintRules,
  parseStackTraceRules,
  ruleLimits,
  type RuleProblem,
  withVersion,
} from '../../process/steps/group/index.ts';
import { invalid } from '../../base/texts/validation.ts';

const rulesText = z.string().max(ruleLimits.characters, invalid.atMost(ruleLimits.characters));
const version = z.string().refine((id) => groupingVersions.includes(id), invalid.oneOf(groupingVersions));

const schema = z.object({
  version,
  previousVersion: version.nullable().catch(null),
  olderVersions: z.array(version).catch([]),
  upgradedAt: z.number().nullable().catch(null),
  fingerprintRules: rulesText.catch(''),
  stackTraceRules: rulesText.catch(''),
} satisfies Record<keyof GroupingSettings, z.ZodType>);

/** What is stored; a project without a version was made before there were two. */
export function readGrouping(stored: unknown): GroupingSettings {
  const read = schema.safeParse(stored);
  return read.success ? read.data : { ...defaultGroupingSettings, version: firstGroupingVersion };
}

/** What is left out stays. */
export const groupingPatch = z.object({ version, fingerprintRules: rulesText, stackTraceRules: rulesText }).partial();

export type GroupingPatch = z.output<typeof groupingPatch>;

interface PlacedProblem extends RuleProblem {
  /** As the API calls it. */
  readonly field: 'fingerprintingRules' | 'groupingEnhancements' | 'raw' | 'rules';
}

/** Rules that cannot be read, with the place of each problem. */
export class RulesError extends CodedError {
  readonly problems: readonly PlacedProblem[];

  constructor(problems: readonly PlacedProblem[]) {
    const sentences = problems.map(
      ({ field, line, column, message }) => `${field}, line ${line}, column ${column}: ${message}`,
    );
    super('RULES_INVALID', [sentences.join('; ')]);
    this.problems = problems;
  }
}

/** Throws a `RulesError` for rules that cannot be read. `now` is ms since the epoch. */
export function patchGrouping(settings: GroupingSettings, patch: GroupingPatch, now: number): GroupingSettings {
  const { fingerprintRules = settings.fingerprintRules, stackTraceRules = settings.stackTraceRules } = patch;
  const problems: PlacedProblem[] = [];
  if (patch.fingerprintRules !== undefined) {
    const found = parseFingerprintRules(fingerprintRules).problems;
    problems.push(...found.map((problem) => ({ field: 'fingerprintingRules' as const, ...problem })));
  }
  if (patch.stackTraceRules !== undefined) {
    const found = parseStackTraceRules(stackTraceRules).problems;
    problems.push(...found.map((problem) => ({ field: 'groupingEnhancements' as const, ...problem })));
  }
  if (problems.length > 0) throw new RulesError(problems);
  const { version: chosen = settings.version } = patch;
  const upgrade = chosen === settings.version ? settings : { ...withVersion(settings, chosen), upgradedAt: now };
  return { ...upgrade, fingerprintRules, stackTraceRules };
}
