/** A project's grouping settings made ready for events: its rules are parsed once for each text. */
import { type FingerprintRule, parseFingerprintRules } from './rules/fingerprint-rules.ts';
import { parseStackTraceRules, type StackTraceRule } from './rules/stack-trace-rules.ts';
import { defaultGroupingSettings, type GroupingSettings } from './settings.ts';

export interface GroupingConfig {
  readonly version: string;
  readonly previousVersion: string | null;
  readonly olderVersions: readonly string[];
  readonly fingerprintRules: readonly FingerprintRule[];
  readonly stackTraceRules: readonly StackTraceRule[];
}

/** Lines that cannot be read are left out. Cheap to call for every event: what the last texts gave is remembered. */
export function compileGrouping(settings: GroupingSettings): GroupingConfig {
  const { version, previousVersion, olderVersions } = settings;
  const fingerprintRules = fingerprintRulesOf(settings.fingerprintRules);
  const stackTraceRules = stackTraceRulesOf(settings.stackTraceRules);
  return { version, previousVersion, olderVersions, fingerprintRules, stackTraceRules };
}

export const defaultGroupingConfig: GroupingConfig = {
  version: defaultGroupingSettings.version,
  previousVersion: null,
  olderVersions: [],
  fingerprintRules: [],
  stackTraceRules: [],
};

const maxRemembered = 200;

/** Remembers by text; what was made first makes room. */
function remembered<Rule>(parse: (text: string) => { rules: readonly Rule[] }): (text: string) => readonly Rule[] {
  const known = new Map<string, readonly Rule[]>();
  return (text) => {
    if (text === '') return [];
    let rules = known.get(text);
    if (rules === undefined) {
      ({ rules } = parse(text));
      const oldest = known.keys().next();
      if (known.size >= maxRemembered && !oldest.done) known.delete(oldest.value);
      known.set(text, rules);
    }
    return rules;
  };
}

const fingerprintRulesOf = remembered(parseFingerprintRules);
const stackTraceRulesOf = remembered(parseStackTraceRules);
