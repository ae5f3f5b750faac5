/** What is wrong in scrubbing rules, and what to do. The editor shows it at its place. */
export const jsonTextProblems = {
  ends: 'the text ends too early: a value, } or ] is missing',
  more: 'expected nothing after the closing brace',
  deep: 'nested too deeply',
  singleQuotes: 'write texts in double quotes',
  noValue: 'expected a value: a text in double quotes, {, [, a number, true or false',
  openText: 'the quotes are not closed on this line',
  escape: 'unknown escape: write \\\\ for a backslash, as in "\\\\d+"',
  noName: 'expected a name in double quotes, or } without a comma before it',
  noColon: 'expected : after the name',
  noComma: 'expected a comma, or the closing bracket',
  twice: (name: string) => `"${name}" is here twice. Keep one of them`,
} as const;

export const selectorProblems = {
  ends: 'the selector ends too early: expected a name, a type such as $string, * or **',
  missing: 'expected a name, a type such as $string, * or ** before this',
  unexpected: (char: string) => `${char} is unexpected here. Put names with such characters in single quotes`,
  closes: 'there is no ( for this )',
  opens: 'there is no ) for this (',
  openQuote: "the single quote is not closed. Write '' for a quote within quotes",
  quote: 'put names that begin with a digit in single quotes',
  notTwice: '! after ! needs parentheses: !(!name)',
  nested: 'parentheses are nested too deeply',
  deepTwice: '** can be in a path once',
  anyAlone: '* alone is no path. Use ** for everything, or name.* for everything directly in name',
  long: 'the path is too long',
  unknownType: (name: string) =>
    `unknown type ${name}. Types: $string, $number, $array, $object, $exception, $frame, $request, $user, $message, $breadcrumb, $span, $log, $attachments`,
} as const;

export const patternProblems = {
  empty: 'the expression is empty',
  tooLong: (max: number) => `the expression is longer than ${max} characters. Split it into several rules`,
  tooLarge: 'the expression repeats too much. Use smaller numbers in braces',
  repeat: 'the expression repeats too much: numbers in braces go up to 1,000, nested ones together',
  around:
    'looking ahead or behind is not available. Put what stays outside a group, and name the group in "replaceGroups"',
  reference: 'references such as \\1 are not available',
  invalid: (reason: string) => `the expression is invalid: ${reason}`,
} as const;

const names = (known: readonly string[]): string => known.map((name) => `"${name}"`).join(', ');

export const scrubRuleProblems = {
  textTooLong: (max: number) => `the rules are longer than ${max.toLocaleString('en')} characters`,
  notObject: 'expected an object with "rules" and "applications"',
  unknownPart: (name: string, known: readonly string[]) => `unknown name "${name}". Known here: ${names(known)}`,
  wantsObject: (name: string) => `"${name}" is an object: { … }`,
  wantsText: (name: string) => `"${name}" is a text in double quotes`,
  wantsFlag: (name: string) => `"${name}" is true or false`,
  wantsNames: (name: string) => `"${name}" is a list of names of rules: ["@ip", "my_rule"]`,
  wantsGroups: 'expected a list of the numbers of groups: [1]; 0 is the whole match',
  noGroup: (group: number, count: number) => `there is no group ${group}: the expression has ${count}`,
  missing: (name: string, type: string) => `a rule of type "${type}" needs "${name}"`,
  wantsCountries: (known: readonly string[]) => `"countries" is a list of ${known.map((one) => `"${one}"`).join(', ')}`,
  noType: 'a rule needs a "type"',
  unknownType: (name: string, known: readonly string[]) => `unknown type "${name}". Types: ${known.join(', ')}`,
  unknownMethod: (name: string, known: readonly string[]) => `unknown method "${name}". Methods: ${known.join(', ')}`,
  noMethod: 'a redaction needs a "method"',
  unknownRule: (name: string, near: string | undefined) =>
    near === undefined
      ? `no rule is named "${name}". Add it to "rules"`
      : `no rule is named "${name}". Did you mean "${near}"?`,
  circle: (name: string) => `"${name}" leads back to itself`,
  ownName: 'names that begin with @ are those of built-in rules. Use another name',
  tooMany: (max: number) => `more than ${max} rules or applications`,
  tooLong: (max: number) => `longer than ${max} characters`,
} as const;
