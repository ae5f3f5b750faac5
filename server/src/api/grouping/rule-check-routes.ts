/** What somebody who writes rules asks. */
import {
  currentGroupingVersion,
  groupingVersions,
  parseFingerprintRules,
  parseStackTraceRules,
} from '../../process/steps/group/index.ts';
import { checkGroupingRules, listGroupingVersions } from './rule-check-contract.ts';
import { type Api, implement } from '../shared/implement.ts';

export function ruleCheckRoutes(api: Api): void {
  implement(api, checkGroupingRules, async ({ body }) => {
    const fingerprint = parseFingerprintRules(body.fingerprintingRules).problems;
    const stackTrace = parseStackTraceRules(body.groupingEnhancements).problems;
    return {
      problems: [
        ...fingerprint.map((problem) => ({ field: 'fingerprintingRules' as const, ...problem })),
        ...stackTrace.map((problem) => ({ field: 'groupingEnhancements' as const, ...problem })),
      ],
    };
  });

  implement(api, listGroupingVersions, async () =>
    groupingVersions.map((id, index) => ({
      id,
      base: groupingVersions[index - 1] ?? null,
      latest: id === currentGroupingVersion,
    })),
  );
}
