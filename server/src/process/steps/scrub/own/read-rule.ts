/** One rule of a configuration: its type, what the type needs, and its redaction. */
import { scrubRuleProblems as said } from '../../../../base/texts/scrub-rules.ts';
import type { FormName } from './forms.ts';
import { forms } from './forms.ts';
import { countries } from './identity.ts';
import { type JsonMembers, type JsonNode, type JsonText, placeInText } from './json-text.ts';
import { defaultReplacement, type Method, methodNames } from './methods.ts';
import { type Pattern, readPattern } from './patterns.ts';
import type { Problems, Stretch } from './problems.ts';

interface Redacting {
  /** Undefined where none is said. */
  readonly method?: Method | undefined;
}

export type PatternRule = Redacting & {
  readonly kind: 'pattern';
  readonly pattern: Pattern;
  readonly groups: readonly number[];
};

export type WrittenRule =
  | (Redacting & { readonly kind: 'anything' })
  | (Redacting & { readonly kind: 'form'; readonly form: FormName })
  | PatternRule
  | (Redacting & { readonly kind: 'identity'; readonly countries: readonly string[] })
  | (Redacting & { readonly kind: 'pair'; readonly pattern: Pattern })
  /** An alias is one with a single rule. */
  | (Redacting & { readonly kind: 'multiple'; readonly rules: readonly NamedRule[]; readonly hideInner: boolean });

interface NamedRule {
  readonly text: string;
  readonly at: Stretch;
}

/** What those that lead to a rule say about it. */
export interface Outer extends Redacting {
  /** Where the name stands that is resolved. */
  readonly at: Stretch;
  readonly path: readonly string[];
  /** Stands in remarks instead of its own. */
  readonly name?: string | undefined;
}

const types = ['anything', 'pattern', 'redact_pair', 'multiple', 'alias', 'identity_number', ...Object.keys(forms)];
const needs: Readonly<Record<string, readonly string[]>> = {
  pattern: ['pattern', 'replaceGroups'],
  redact_pair: ['keyPattern'],
  multiple: ['rules', 'hideInner'],
  alias: ['rule', 'hideInner'],
  identity_number: ['countries'],
};
const maxText = 1_000;

/** Undefined where something is wrong that has been said. */
export function readRule(node: JsonNode, problems: Problems, text: string): WrittenRule | undefined {
  if (node.kind !== 'object') {
    problems.add(node, said.wantsObject('rule'));
    return undefined;
  }
  return new RuleReader(node, problems, text).read();
}

class RuleReader {
  readonly #node: JsonMembers;
  readonly #problems: Problems;
  readonly #text: string;

  constructor(node: JsonMembers, problems: Problems, text: string) {
    this.#node = node;
    this.#problems = problems;
    this.#text = text;
  }

  read(): WrittenRule | undefined {
    const type = this.#value('type');
    if (type?.kind !== 'text') {
      this.#problems.add(type ?? { start: this.#node.start, end: this.#node.start + 1 }, said.noType);
      return undefined;
    }
    // As older configurations write it.
    const kind = type.text === 'redactPair' ? 'redact_pair' : type.text;
    if (!types.includes(kind)) {
      this.#problems.add(type, said.unknownType(type.text, types));
      return undefined;
    }
    const known = ['type', 'redaction', ...(needs[kind] ?? [])];
    for (const { name } of this.#node.members)
      if (!known.includes(camel(name.text))) this.#problems.add(name, said.unknownPart(name.text, known));
    const method = this.#method();
    switch (kind) {
      case 'anything':
        return { kind, method };
      case 'pattern':
        return this.#pattern(method);
      case 'redact_pair': {
        const pattern = this.#expression('keyPattern', kind);
        return pattern && { kind: 'pair', pattern, method };
      }
      case 'multiple':
      case 'alias':
        return this.#several(kind, method);
      case 'identity_number':
        return this.#identity(method);
      default:
        return { kind: 'form', form: kind as FormName, method };
    }
  }

  #value(name: string): JsonNode | undefined {
    const value = this.#node.members.find((member) => camel(member.name.text) === name)?.value;
    return value?.kind === 'plain' && value.value === null ? undefined : value;
  }

  #needed(name: string, type: string): JsonText | undefined {
    const value = this.#value(name);
    if (value?.kind === 'text') return value;
    if (value) this.#problems.add(value, said.wantsText(name));
    else this.#problems.add({ start: this.#node.start, end: this.#node.start + 1 }, said.missing(name, type));
    return undefined;
  }

  #expression(name: string, type: string): Pattern | undefined {
    const node = this.#needed(name, type);
    const read = node && readPattern(node.text);
    if (!read || 'pattern' in read) return read?.pattern;
    const { start, end, message } = read.fault;
    const at = placeInText(this.#text, node, start);
    this.#problems.add({ start: at, end: Math.max(at + 1, placeInText(this.#text, node, end)) }, message);
    return undefined;
  }

  #pattern(method: Method | undefined): WrittenRule | undefined {
    const pattern = this.#expression('pattern', 'pattern');
    const sent = this.#value('replaceGroups');
    if (sent && sent.kind !== 'list') {
      this.#problems.add(sent, said.wantsGroups);
      return undefined;
    }
    const groups: number[] = [];
    for (const entry of sent?.entries ?? []) {
      const group = entry.kind === 'plain' ? entry.value : undefined;
      if (typeof group !== 'number' || !Number.isSafeInteger(group) || group < 0)
        this.#problems.add(entry, said.wantsGroups);
      else if (pattern && group > pattern.groups) this.#problems.add(entry, said.noGroup(group, pattern.groups));
      else groups.push(group);
    }
    return pattern && { kind: 'pattern', pattern, groups: sent ? groups.toSorted((a, b) => a - b) : [0], method };
  }

  #several(kind: 'multiple' | 'alias', method: Method | undefined): WrittenRule | undefined {
    const flag = this.#value('hideInner');
    const hideInner = flag?.kind === 'plain' && flag.value === true;
    if (flag && !(flag.kind === 'plain' && typeof flag.value === 'boolean'))
      this.#problems.add(flag, said.wantsFlag('hideInner'));
    if (kind === 'alias') {
      const rule = this.#needed('rule', kind);
      return rule && { kind: 'multiple', rules: [{ text: rule.text, at: rule }], hideInner, method };
    }
    const list = this.#value('rules');
    if (list?.kind !== 'list') {
      this.#problems.add(list ?? { start: this.#node.start, end: this.#node.start + 1 }, said.missing('rules', kind));
      return undefined;
    }
    const rules: NamedRule[] = [];
    for (const entry of list.entries) {
      if (entry.kind === 'text') rules.push({ text: entry.text, at: entry });
      else this.#problems.add(entry, said.wantsNames('rules'));
    }
    return { kind: 'multiple', rules, hideInner, method };
  }

  #identity(method: Method | undefined): WrittenRule | undefined {
    const list = this.#value('countries');
    if (list?.kind !== 'list' || list.entries.length === 0) {
      this.#problems.add(
        list ?? { start: this.#node.start, end: this.#node.start + 1 },
        said.wantsCountries(countries),
      );
      return undefined;
    }
    const known = list.entries.flatMap((entry) => {
      const country = entry.kind === 'text' ? entry.text.toLowerCase() : '';
      if (countries.includes(country)) return [country];
      this.#problems.add(entry, said.wantsCountries(countries));
      return [];
    });
    return { kind: 'identity', countries: known, method };
  }

  /** `{"method": "mask"}`, or the method alone. */
  #method(): Method | undefined {
    const node = this.#value('redaction');
    if (!node) return undefined;
    const members = node.kind === 'object' ? node.members : [];
    const at = node.kind === 'object' ? members.find(({ name }) => name.text === 'method')?.value : node;
    if (at?.kind !== 'text') {
      this.#problems.add(at ?? node, said.noMethod);
      return undefined;
    }
    const kind = at.text === 'default' ? 'remove' : at.text;
    const known = ['method', ...(kind === 'replace' ? ['text'] : kind === 'hash' ? ['key'] : [])];
    const given = new Map<string, string>();
    for (const { name, value } of members) {
      if (!known.includes(name.text)) this.#problems.add(name, said.unknownPart(name.text, known));
      else if (value.kind !== 'text') this.#problems.add(value, said.wantsText(name.text));
      else if (value.text.length > maxText) this.#problems.add(value, said.tooLong(maxText));
      else given.set(name.text, value.text);
    }
    switch (kind) {
      case 'remove':
      case 'mask':
        return { kind };
      case 'replace':
        return { kind, text: (given.get('text') ?? defaultReplacement).replaceAll('\0', '').toWellFormed() };
      case 'hash':
        return { kind, key: given.get('key') };
      default:
        this.#problems.add(at, said.unknownMethod(at.text, methodNames));
        return undefined;
    }
  }
}

/** `key_pattern` is `keyPattern`. */
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
