/** Terms of a search query as the console needs them: to take one away, and to add one. The server alone judges their meaning. */

/** Splits at spaces outside quotes, brackets and parentheses: `a:"b c" d:[e, f] g` is three terms. */
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

/** Whether some term filters by this key, plainly or negated. */
export function hasTerm(query: string, key: string): boolean {
  return splitTerms(query).some((term) => term.replace(/^!/, '').startsWith(`${key}:`));
}

/** `browser.name:"Mobile Safari"`, quoted only where it has to be. */
export function term(key: string, value: string): string {
  const name = /^[\w.-]+$/.test(key) ? key : `tags[${key.replaceAll(/[[\]]/g, '')}]`;
  if (value === '') return `!has:${name}`;
  const plain = /^[\p{L}\p{N}_@./+-][\p{L}\p{N}_@./+:-]*$/u.test(value);
  return `${name}:${plain ? value : `"${value.replaceAll(/["\\*]/g, String.raw`\$&`)}"`}`;
}

/** Adds the term, or takes it away when it is there. */
export function toggleTerm(query: string, wanted: string): string {
  const terms = splitTerms(query);
  return (terms.includes(wanted) ? terms.filter((each) => each !== wanted) : [...terms, wanted]).join(' ');
}
