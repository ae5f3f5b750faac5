/** Whether rules can be read, while they are written. */
import { parseFingerprintRules, parseStackTraceRules } from '../../process/steps/group/index.ts';
import { checkGroupingRules } from '../contract/rule-check.ts';
import { type Api, implement } from '../implement.ts';

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
}
