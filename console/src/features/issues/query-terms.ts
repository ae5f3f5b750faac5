/**
 * Terms of a search query as pages need them: to tell whether one is there, to add one, to take one away. Small, because
 * the first page loads it; the whole language is read by the search box and by the server.
 */

/** Splits at spaces outside quotes, brackets and parentheses: `a:"b c" d:[e, f] (g OR h)` is three terms. */
export function splitTerms(query: string): string[] {
  const terms: string[] = [];
  let term = '';
  let quoted = false;
  let depth = 0;
  for (let at = 0; at < query.length; at += 1) {
    const char = query[at] ?? '';
    if (char === '\\') {
      term += char + (query[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '[' || char === '(')) depth += 1;
    else if (!quoted && (char === ']' || char === ')')) depth = Math.max(0, depth - 1);
    if (!quoted && depth === 0 && /\s/.test(char)) {
      if (term) terms.push(term);
      term = '';
    } else {
      term += char;
    }
  }
  if (term) terms.push(term);
  return terms;
}

/** Whether some term filters by this key, plainly, negated or within parentheses. */
export function hasTerm(query: string, key: string): boolean {
  return splitTerms(query).some((term) => {
    const inner = term.replace(/^[!(]+/, '');
    return inner.startsWith(`${key}:`) || (inner !== term && inner.includes(' ') && hasTerm(inner, key));
  });
}

/** The query as one thing beside others: alternatives are put in parentheses. */
export const asOne = (query: string): string => (hasOr(splitTerms(query)) ? `(${query})` : query);

const hasOr = (terms: readonly string[]): boolean => terms.some((term) => /^or$/i.test(term));

/** The query and one more term, which holds for all of it. */
export const withTerm = (query: string, term: string): string => `${asOne(query.trim())} ${term}`.trim();

/** Adds the term, or takes it away when it is there for all of the query. */
export function toggleTerm(query: string, wanted: string): string {
  const terms = splitTerms(query);
  if (!terms.includes(wanted) || hasOr(terms)) return withTerm(query, wanted);
  return terms.filter((each) => each !== wanted).join(' ');
}
