/** Stack trace rules of a project: `matcher … action …`, one a line, all are applied in their order. */
import { ruleProblems } from '../../../../base/texts/rules.ts';
import type { Line } from './line.ts';
import { type Matcher, type MatcherKeys, readMatchers } from './matcher.ts';
import type { ParsedRules } from './problem.ts';
import { readRules, type RuleSource } from './read-rules.ts';

export type StackTraceKey =
  | 'path'
  | 'module'
  | 'function'
  | 'package'
  | 'family'
  | 'app'
  | 'category'
  | 'type'
  | 'value'
  | 'mechanism';

export type Action =
  | {
      readonly kind: 'app' | 'group';
      readonly on: boolean;
      /** The frame itself, all towards the crash, or all towards the entry. */
      readonly range: 'self' | 'up' | 'down';
    }
  | { readonly kind: 'category'; readonly value: string }
  | { readonly kind: 'max-frames' | 'min-frames'; readonly count: number };

export interface StackTraceRule extends RuleSource {
  readonly matchers: readonly Matcher<StackTraceKey>[];
  readonly actions: readonly Action[];
}

const keys: MatcherKeys<StackTraceKey> = {
  names: {
    path: 'path',
    'stack.abs_path': 'path',
    module: 'module',
    'stack.module': 'module',
    function: 'function',
    'stack.function': 'function',
    package: 'package',
    'stack.package': 'package',
    family: 'family',
    app: 'app',
    category: 'category',
    type: 'type',
    'error.type': 'type',
    value: 'value',
    'error.value': 'value',
    mechanism: 'mechanism',
    'error.mechanism': 'mechanism',
  },
  comparisons: {
    path: 'path',
    module: 'glob',
    function: 'glob',
    package: 'path',
    family: 'list',
    app: 'flag',
    category: 'glob',
    type: 'glob',
    value: 'glob',
    mechanism: 'glob',
  },
  ofFrames: new Set<StackTraceKey>(['path', 'module', 'function', 'package', 'family', 'app', 'category']),
  tags: false,
};

/** Never throws. */
export function parseStackTraceRules(text: string): ParsedRules<StackTraceRule> {
  return readRules(text, readRule);
}

function readRule(line: Line, source: RuleSource): StackTraceRule {
  const matchers = readMatchers(line, keys);
  const actions: Action[] = [];
  for (line.skipSpaces(); !line.ended && line.text[line.at] !== '#'; line.skipSpaces()) actions.push(readAction(line));
  if (actions.length === 0) line.fail(ruleProblems.action);
  return { ...source, matchers, actions };
}

const flagAction = /([\^v])?([+-])(group|app)(?![^\s])/y;
const setting = /(max-frames|min-frames|category)[ \t]*=[ \t]*([a-zA-Z0-9_.-]*)/y;

function readAction(line: Line): Action {
  const start = line.at;
  const flag = line.match(flagAction);
  if (flag) {
    const range = flag[1] === undefined ? 'self' : flag[1] === '^' ? 'up' : 'down';
    return { kind: flag[3] === 'app' ? 'app' : 'group', on: flag[2] === '+', range };
  }
  const [, name, value = ''] = line.match(setting) ?? [];
  if (name === undefined) {
    line.fail(ruleProblems.knownAction);
  }
  if (name === 'category') {
    if (value === '') line.fail(ruleProblems.category, start);
    return { kind: 'category', value };
  }
  if (!/^\d{1,4}$/.test(value)) line.fail(ruleProblems.number(name), start);
  return { kind: name === 'max-frames' ? 'max-frames' : 'min-frames', count: Number(value) };
}
