/** What is wrong in a text of rules: of grouping, of ownership and in CODEOWNERS files. The editor shows it at its place. */
export const ruleProblems = {
  textTooLong: (max: number) => `the rules are longer than ${max} characters`,
  tooManyRules: (max: number) => `more than ${max} rules`,
  tooManyEntries: (max: number) => `more than ${max} entries`,
  tooManyAlternatives: 'too many alternatives in braces',
  tooLong: (max: number) => `longer than ${max} characters`,
  openQuotes: 'the quotes are not closed',
  callerEnd: 'expected | after the matcher of the caller',
  calleeStart: 'expected [ before the matcher of the callee',
  neighbourEnd: 'expected a space and ] after the matcher',
  matcher: 'expected a matcher such as type:Error',
  frameMatcher: 'expected a matcher such as function:handle',
  matcherName: 'expected the name of a matcher',
  colon: 'expected : after the name of the matcher',
  value: 'expected a value after :',
  flag: 'expected yes or no',
  notOfFrame: (key: string) => `${key} does not apply to a single frame`,
  unknownMatcher: (name: string, known: readonly string[]) => `unknown matcher ${name}; expected ${known.join(', ')}`,
  unknownAttribute: (name: string) => `unknown attribute ${name}; expected title`,
  unknownVersion: (version: string, known: readonly string[]) =>
    `unknown version ${version}; the versions are ${known.join(', ')}`,
  arrow: 'expected another matcher, or -> and the fingerprint',
  fingerprint: 'expected a fingerprint after ->',
  entry: 'expected an entry of the fingerprint; put braces in quotes',
  action: 'expected an action such as -app',
  knownAction:
    'expected an action: +app, -app, +group, -group (with ^ or v before), max-frames=, min-frames=, category=',
  category: 'expected the name of a category after =',
  number: (name: string) => `expected a number after ${name}=`,
} as const;

export const ownershipProblems = {
  noOwner: 'expected an owner: an email address, or # and the slug of a team',
  noPattern: 'the pattern is missing',
  notCodeOwner: (name: string) => `${name} is not an owner; expected @name, @organisation/team or an address`,
  notOwner: (name: string) => `${name} is not an owner; use an email address, or # and the slug of a team`,
  tooManyOwners: (max: number) => `more than ${max} owners`,
  unknownPerson: (name: string) => `${name} is not a member of this organisation. Invite them first`,
  unknownTeam: (name: string) => `team ${name} not found. Create it under Settings, Teams`,
} as const;
