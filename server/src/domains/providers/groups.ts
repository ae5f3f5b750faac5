/** Groups of somebody, as claims have them. Pure. */

const most = 2000;
const longest = 300;

/** At the name itself, or else on the way that its dots describe, such as `realm_access.roles`. */
function valueAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[part];
  }
  return at;
}

/** Undefined where nothing is said of them. */
export function groupsIn(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  const value = valueAt(claims, name);
  const all = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(all)) return undefined;
  return all
    .slice(0, most)
    .filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= longest);
}
