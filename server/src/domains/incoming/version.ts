/** Names of releases: `{commit}` is the SHA, `{tag}` the tag, `{version}` the tag without a leading v. */
import { incoming as texts } from '../../base/texts/incoming.ts';

const word = /\{[^{}]*\}/g;
const known = new Set(['{commit}', '{tag}', '{version}']);

/** What is wrong with a rule; undefined for nothing. */
export function ruleProblem(rule: string): string | undefined {
  const words = rule.match(word) ?? [];
  const strange = words.find((one) => !known.has(one));
  if (strange !== undefined) return texts.templateUnknown(strange);
  return words.length === 0 ? texts.templateNeeds : undefined;
}

/** Undefined where the rule needs what is not known. */
export function versionOf(
  rule: string,
  { commit, tag }: { readonly commit: string; readonly tag: string },
): string | undefined {
  if (rule.includes('{commit}') && commit === '') return undefined;
  if (needsTag(rule) && tag === '') return undefined;
  return rule.replace(word, (one) => {
    if (one === '{commit}') return commit;
    return one === '{tag}' ? tag : tag.replace(/^v(?=\d)/i, '');
  });
}

export const needsTag = (rule: string): boolean => /\{(?:tag|version)\}/.test(rule);
