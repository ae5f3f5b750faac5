/** From the text of a configuration in Relay's language to rules that can be applied, or to what is wrong and where. */
import { scrubRuleProblems as said } from '../../../../base/texts/scrub-rules.ts';
import type { RuleProblem } from '../../group/rules/problem.ts';
import { type BuiltIn, builtIns } from './builtin.ts';
import { type JsonMember, type JsonMembers, type JsonNode, placeInText, readJsonText } from './json-text.ts';
import {
  type Application,
  type AppliedRule,
  anythingRule,
  formRule,
  identityRule,
  pairRule,
  patternRule,
  urlPasswordRule,
} from './matchers.ts';
import type { Method } from './methods.ts';
import { Problems } from './problems.ts';
import { type Outer, readRule, type WrittenRule } from './read-rule.ts';
import { readSelector } from './selector.ts';

export const ownRuleLimits = { characters: 65_536, rules: 200, applied: 500, name: 100 } as const;

export interface OwnRules {
  readonly applications: readonly Application[];
}

export interface ReadRules {
  /** Without what is wrong. */
  readonly rules: OwnRules;
  /** In the order of the text. */
  readonly problems: readonly RuleProblem[];
}

export interface RuleSource {
  /** Before the names of its rules in remarks. */
  readonly prefix: 'organization' | 'project';
  /** For hashes without a key of their own. */
  readonly hashKey: string;
}

const parts = ['rules', 'applications', 'vars'] as const;
const none: OwnRules = { applications: [] };

/** Never throws for what is written. `loadPatterns` comes before. An empty text has no rules. */
export function readOwnRules(text: string, source: RuleSource): ReadRules {
  if (text.trim() === '') return { rules: none, problems: [] };
  const problems = new Problems(text);
  if (text.length > ownRuleLimits.characters) {
    problems.add({ start: 0, end: 1 }, said.textTooLong(ownRuleLimits.characters));
    return { rules: none, problems: problems.all() };
  }
  const read = readJsonText(text);
  if ('fault' in read) {
    problems.add(read.fault, read.fault.message);
    return { rules: none, problems: problems.all() };
  }
  const applications = new Reader(text, problems, source).read(read.node);
  return { rules: { applications }, problems: problems.all() };
}

class Reader {
  readonly #text: string;
  readonly #problems: Problems;
  readonly #source: RuleSource;
  readonly #rules = new Map<string, WrittenRule>();
  #hashKey = '';
  #applied = 0;

  constructor(text: string, problems: Problems, source: RuleSource) {
    this.#text = text;
    this.#problems = problems;
    this.#source = source;
  }

  read(node: JsonNode): Application[] {
    if (node.kind !== 'object') {
      this.#problems.add(node, said.notObject);
      return [];
    }
    for (const { name } of node.members)
      if (!parts.some((part) => part === name.text)) this.#problems.add(name, said.unknownPart(name.text, parts));
    this.#readVars(this.#part(node, 'vars'));
    for (const member of this.#members(this.#part(node, 'rules'))) this.#readRule(member);
    const applications = this.#members(this.#part(node, 'applications'));
    return applications.flatMap((member) => this.#readApplication(member));
  }

  #part(node: JsonMembers, name: (typeof parts)[number]): JsonMembers | undefined {
    const value = node.members.find((member) => member.name.text === name)?.value;
    if (!value || value.kind === 'object') return value;
    if (value.kind !== 'plain' || value.value !== null) this.#problems.add(value, said.wantsObject(name));
    return undefined;
  }

  #members(node: JsonMembers | undefined): readonly JsonMember[] {
    const members = node?.members ?? [];
    const beyond = members[ownRuleLimits.rules];
    if (beyond) this.#problems.add(beyond.name, said.tooMany(ownRuleLimits.rules));
    return members.slice(0, ownRuleLimits.rules);
  }

  #readVars(node: JsonMembers | undefined): void {
    for (const { name, value } of node?.members ?? []) {
      if (name.text !== 'hashKey') this.#problems.add(name, said.unknownPart(name.text, ['hashKey']));
      else if (value.kind === 'text') this.#hashKey = value.text;
      else if (value.kind !== 'plain' || value.value !== null) this.#problems.add(value, said.wantsText('hashKey'));
    }
  }

  #readRule({ name, value }: JsonMember): void {
    if (name.text.startsWith('@')) this.#problems.add(name, said.ownName);
    else if (name.text.length > ownRuleLimits.name) this.#problems.add(name, said.tooLong(ownRuleLimits.name));
    else {
      const rule = readRule(value, this.#problems, this.#text);
      if (rule) this.#rules.set(name.text, rule);
      // Known to be there, so that who applies it is not told that it is not.
      else this.#rules.set(name.text, { kind: 'multiple', rules: [], hideInner: false });
    }
  }

  #readApplication({ name, value }: JsonMember): Application[] {
    const read = readSelector(name.text);
    if ('fault' in read) {
      const { start, end, message } = read.fault;
      const at = placeInText(this.#text, name, start);
      this.#problems.add({ start: at, end: Math.max(at + 1, placeInText(this.#text, name, end)) }, message);
    }
    if (value.kind !== 'list') {
      this.#problems.add(value, said.wantsNames(name.text));
      return [];
    }
    const rules = new Map<string, AppliedRule>();
    for (const entry of value.entries) {
      if (entry.kind !== 'text') this.#problems.add(entry, said.wantsNames(name.text));
      else for (const rule of this.#resolve(entry.text, { at: entry, path: [] })) rules.set(rule.id, rule);
    }
    this.#applied += rules.size;
    if (this.#applied > ownRuleLimits.applied) {
      this.#problems.add(name, said.tooMany(ownRuleLimits.applied));
      return [];
    }
    return 'fault' in read || rules.size === 0 ? [] : [{ selector: read.selector, rules: [...rules.values()] }];
  }

  /** What a name stands for; names of several rules lead to each. */
  #resolve(id: string, outer: Outer): AppliedRule[] {
    if (outer.path.includes(id)) {
      this.#problems.add(outer.at, said.circle(id));
      return [];
    }
    const builtIn = builtIns.get(id);
    if (builtIn) return this.#builtIn(id, builtIn.rule, outer);
    const rule = this.#rules.get(id);
    if (!rule) {
      this.#problems.add(outer.at, said.unknownRule(id, this.#near(id)));
      return [];
    }
    const name = outer.name ?? `${this.#source.prefix}:${id}`;
    if (rule.kind === 'multiple') {
      const inner: Outer = {
        at: outer.at,
        path: [...outer.path, id],
        name: rule.hideInner ? name : outer.name,
        method: outer.method ?? rule.method,
      };
      return rule.rules.flatMap((one) =>
        this.#resolve(one.text, outer.path.length === 0 ? { ...inner, at: one.at } : inner),
      );
    }
    const method = this.#keyed(outer.method ?? rule.method ?? { kind: 'remove' });
    switch (rule.kind) {
      case 'anything':
        return [anythingRule(id, name, method)];
      case 'form':
        return [formRule(id, name, rule.form, method)];
      case 'identity':
        return [identityRule(id, name, rule.countries, method)];
      case 'pattern':
        return [patternRule(id, name, rule, method)];
      case 'pair':
        return [pairRule(id, name, rule.pattern, method)];
    }
  }

  #builtIn(id: string, rule: BuiltIn, outer: Outer): AppliedRule[] {
    if (rule.kind === 'multiple')
      return rule.rules.flatMap((one) => this.#resolve(one, { ...outer, path: [...outer.path, id] }));
    const name = outer.name ?? id;
    const method = this.#keyed(outer.method ?? rule.method);
    if (rule.kind === 'form') return [formRule(id, name, rule.form, method)];
    return [rule.kind === 'anything' ? anythingRule(id, name, method) : urlPasswordRule(id, name, method)];
  }

  #keyed(method: Method): Method {
    if (method.kind !== 'hash' || method.key !== undefined) return method;
    return { kind: 'hash', key: this.#hashKey || this.#source.hashKey };
  }

  #near(id: string): string | undefined {
    const word = id.replace(/^@/, '').toLowerCase();
    const known = [...this.#rules.keys(), ...builtIns.keys()];
    return (
      known.find((name) => name.replace(/^@/, '').toLowerCase() === word) ?? known.find((name) => isNear(name, id))
    );
  }
}

/** One letter more, less or other. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || b.length < 3) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
