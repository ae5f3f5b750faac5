/** What rules removed until now and would no longer: stored events do not get it back. */

/** Selectors with a rule that the new text does not apply, or has changed. Both texts can be read. */
export function loosenedBy(before: string, after: string): string[] {
  const kept = new Set(appliedIn(after).map(({ key }) => key));
  return [...new Set(appliedIn(before).flatMap(({ key, name }) => (kept.has(key) ? [] : [name])))];
}

interface Config {
  readonly rules?: Readonly<Record<string, unknown>> | null;
  readonly applications?: Readonly<Record<string, readonly string[]>> | null;
}

function appliedIn(text: string): { key: string; name: string }[] {
  if (text.trim() === '') return [];
  const { rules, applications } = JSON.parse(text) as Config;
  return Object.entries(applications ?? {}).flatMap(([selector, ids]) =>
    ids.map((id) => ({
      key: JSON.stringify([selector, id, meaning(id, rules ?? {}, [])]),
      name: `${selector}: ${id}`,
    })),
  );
}

/** With all that it leads to. */
function meaning(id: string, rules: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  if (path.includes(id) || !Object.hasOwn(rules, id)) return null;
  const rule = rules[id] as { readonly rule?: string; readonly rules?: readonly string[] };
  const inner = [...(rule.rules ?? []), ...(rule.rule === undefined ? [] : [rule.rule])];
  return [rule, inner.map((one) => meaning(one, rules, [...path, id]))];
}
