/** What a project's stack trace rules do to a stack. */
import type { Exception, Frame, Stacktrace } from '../event.ts';
import { frameFamily } from '../family.ts';
import { because } from '../../../base/texts/grouping.ts';
import { shortName } from './names.ts';
import { type PathText, toPathText } from './rules/glob.ts';
import { isFlag, type Matcher } from './rules/matcher.ts';
import type { Action, StackTraceKey, StackTraceRule } from './rules/stack-trace-rules.ts';

interface Effect {
  readonly on: boolean;
  readonly rule: StackTraceRule;
}

export interface FrameEffects {
  app?: Effect;
  group?: Effect;
}

interface FrameLimit {
  readonly count: number;
  readonly rule: StackTraceRule;
}

export interface StackEffects {
  /** By place in the stack; undefined where no rule says anything. */
  readonly frames: readonly (FrameEffects | undefined)[];
  /** So many of those that count, towards the crash; 0 for all. */
  readonly max?: FrameLimit;
  /** With fewer the stack does not count. */
  readonly min?: FrameLimit;
}

/** What matchers ask of a frame. */
interface MatchedFrame {
  readonly frame: Frame;
  readonly values: Readonly<Partial<Record<StackTraceKey, string>>>;
  readonly path: PathText | undefined;
  readonly package: PathText | undefined;
  category: string | undefined;
}

/**
 * Applies all rules to all frames: first what they say of the project's own code, which is set on the frames, then, by
 * that, which frames count. The time is rules times frames; both are bounded.
 */
export function applyStackTraceRules(
  rules: readonly StackTraceRule[],
  { frames }: Stacktrace,
  platform: string,
  exception: Exception | undefined,
): StackEffects {
  const matched = frames.map((frame) => toMatched(frame, platform));
  const effects: (FrameEffects | undefined)[] = frames.map(() => undefined);
  const ofException = rules.filter(({ matchers }) => matchers.every((matcher) => exceptionMatches(matcher, exception)));
  const change = (place: number, kind: 'app' | 'group', effect: Effect): void => {
    (effects[place] ??= {})[kind] = effect;
    const frame = frames[place];
    if (kind === 'app' && frame) frame.in_app = effect.on;
  };
  const run = (wanted: (action: Action) => boolean, limit: (name: 'max' | 'min', value: FrameLimit) => void): void => {
    for (const rule of ofException) {
      const actions = rule.actions.filter(wanted);
      if (actions.length === 0) continue;
      for (let place = 0; place < matched.length; place++) {
        if (!allMatch(rule.matchers, matched, place)) continue;
        for (const action of actions) perform(action, rule, place, matched, change, limit);
      }
    }
  };
  const limits: { max?: FrameLimit; min?: FrameLimit } = {};
  const setLimit = (name: 'max' | 'min', value: FrameLimit): void => void (limits[name] = value);
  run(({ kind }) => kind === 'app' || kind === 'category', setLimit);
  run(({ kind }) => kind !== 'app' && kind !== 'category', setLimit);
  return { frames: effects, ...limits };
}

function perform(
  action: Action,
  rule: StackTraceRule,
  place: number,
  matched: readonly MatchedFrame[],
  change: (place: number, kind: 'app' | 'group', effect: Effect) => void,
  limit: (name: 'max' | 'min', value: FrameLimit) => void,
): void {
  switch (action.kind) {
    case 'category': {
      const frame = matched[place];
      if (frame) frame.category = action.value;
      return;
    }
    case 'max-frames':
      return limit('max', { count: action.count, rule });
    case 'min-frames':
      return limit('min', { count: action.count, rule });
    default: {
      const { kind, on, range } = action;
      if (range === 'self') change(place, kind, { on, rule });
      else if (range === 'up') {
        for (let other = matched.length - 1; other > place; other--) change(other, kind, { on, rule });
      } else for (let other = 0; other < place; other++) change(other, kind, { on, rule });
    }
  }
}

const exceptionKeys = new Set<string>(['type', 'value', 'mechanism'] satisfies StackTraceKey[]);

/** True for matchers that ask something else. */
function exceptionMatches({ key, test, negated }: Matcher<StackTraceKey>, exception: Exception | undefined): boolean {
  if (!exceptionKeys.has(key)) return true;
  const value = key === 'mechanism' ? exception?.mechanism?.type : key === 'type' ? exception?.type : exception?.value;
  return test(value || '<unknown>') !== negated;
}

function allMatch(
  matchers: readonly Matcher<StackTraceKey>[],
  frames: readonly MatchedFrame[],
  place: number,
): boolean {
  for (const matcher of matchers) if (!frameMatches(matcher, frames, place)) return false;
  return true;
}

function frameMatches(matcher: Matcher<StackTraceKey>, frames: readonly MatchedFrame[], place: number): boolean {
  const { key, neighbour, negated, test, testPath, flag } = matcher;
  if (exceptionKeys.has(key)) return true;
  // Frames stand from the entry to the crash.
  const asked = frames[neighbour === 'self' ? place : neighbour === 'caller' ? place - 1 : place + 1];
  if (!asked) return false;
  if (key === 'app') return isFlag(asked.frame.in_app, flag) !== negated;
  if (key === 'path' || key === 'package') return testPath(asked[key]) !== negated;
  const value = key === 'category' ? asked.category : asked.values[key as StackTraceKey];
  return test(value) !== negated;
}

function toMatched(frame: Frame, platform: string): MatchedFrame {
  const family = frameFamily(frame, platform);
  const path = frame.abs_path ?? frame.filename;
  const named = frame.function ?? frame.symbol;
  const name = named !== undefined && family === 'native' ? shortName(named, family) : named;
  return {
    frame,
    category: undefined,
    path: path === undefined ? undefined : toPathText(path),
    package: frame.package === undefined ? undefined : toPathText(frame.package),
    values: {
      module: frame.module,
      function: name || '<unknown>',
      family: family === 'javascript' || family === 'native' ? family : 'other',
    },
  };
}

/** How a rule is named to people. */
export function ruleName({ line, text }: { readonly line: number; readonly text: string }): string {
  const shown = text.length > 200 ? `${text.slice(0, 200).toWellFormed()}...` : text;
  return line === 0 ? because.builtInRule(shown) : because.projectRule(line, shown);
}
