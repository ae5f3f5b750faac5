/** Examples of rules and what may stand in one. */
import * as m from '../../messages/rules.ts';

export interface RuleGuide {
  readonly title: string;
  readonly examples: readonly { readonly says: string; readonly rule: string }[];
  /** What may stand in a rule, with what it means. */
  readonly syntax: readonly (readonly [syntax: string, meaning: string])[];
}

const { fingerprint, stackTrace } = m;

export const fingerprintGuide: RuleGuide = {
  title: m.fingerprintTitle,
  examples: [
    { says: fingerprint.kind, rule: 'error.type:ConnectionError -> connection-error' },
    { says: fingerprint.page, rule: 'error.value:"*timed out*" -> timeout, {{ transaction }}' },
    { says: fingerprint.tenant, rule: 'tags.tenant:* -> {{ default }}, {{ tags.tenant }}' },
    { says: fingerprint.place, rule: 'stack.function:readConfig -> read-config title="Configuration"' },
  ],
  syntax: [
    ['error.type error.value message', fingerprint.error],
    ['stack.function stack.module stack.abs_path', fingerprint.stack],
    ['level logger release tags.NAME', fingerprint.event],
    ['family sdk app', fingerprint.origin],
    ['* ? !', fingerprint.glob],
    ['{{ default }}', fingerprint.usual],
    ['{{ transaction }} {{ error.type }} {{ tags.NAME }}', fingerprint.values],
  ],
};

export const stackTraceGuide: RuleGuide = {
  title: m.stackTraceTitle,
  examples: [
    { says: stackTrace.folder, rule: 'family:javascript stack.abs_path:**/lib/** -app' },
    { says: stackTrace.wrapper, rule: 'stack.function:withRetry -group' },
    { says: stackTrace.handler, rule: 'stack.function:handleError ^-group' },
    { says: stackTrace.most, rule: 'error.type:RangeError max-frames=3' },
  ],
  syntax: [
    ['stack.abs_path stack.module stack.function', stackTrace.frame],
    ['app:yes app:no family', stackTrace.app],
    ['error.type error.value error.mechanism', stackTrace.error],
    ['[ … ] |   | [ … ]', stackTrace.caller],
    ['+app -app', stackTrace.inApp],
    ['+group -group', stackTrace.group],
    ['^ v', stackTrace.range],
    ['max-frames=N min-frames=N', stackTrace.limits],
  ],
};
