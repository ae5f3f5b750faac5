/**
 * What may be wrong with a query or a field, in English. `{name}` and the like are data. The console's catalogue is
 * made of these, too, so they use no more of ICU's syntax than that.
 */
export const reasons = {
  tooLong: 'The query is longer than {max} characters.',
  tooManyTerms: 'The query has more than {max} terms.',
  tooDeep: 'Parentheses are nested more than {max} levels deep.',
  notOpen: 'No parenthesis is open here. Put text with parentheses in quotes.',
  notClosed: 'This parenthesis is not closed. Put text with parentheses in quotes.',
  emptyParentheses: 'The parentheses are empty.',
  groupNegated: 'A group cannot be negated. Put ! before each of its keys.',
  lineBreak: 'A line break must be in quotes.',
  operatorAlone: '{operator} needs a term on both sides.',
  operatorNotAllowed: '{operator} is not allowed here.',
  aggregatesNotOred: 'Aggregates and other keys cannot be joined by OR.',
  textNotAllowed: 'Words without a key are not allowed here.',
  wildcardsNotAllowed: 'Wildcards are not allowed here.',
  wildcardsNotAllowedIn: 'Wildcards are not allowed in “{name}”.',
  negationNotAllowed: 'Negation is not allowed here.',
  negatedTwice: '“{name}” is negated twice. Remove ! or !=.',
  takesText: '“{name}” takes text, not {value}.',
  takesNumber: '“{name}” takes a number, such as 12 or >1k, not {value}.',
  takesRate: '“{name}” takes a number, such as >0.5, not {value}.',
  takesDuration: '“{name}” takes a duration, such as >300ms or <2s, not {value}.',
  takesSize: '“{name}” takes a size, such as >100kb, not {value}.',
  takesPercentage: '“{name}” takes a percentage, such as >5%, not {value}.',
  takesDate: '“{name}” takes a time, such as -24h, +7d or >2026-02-03, not {value}.',
  takesBoolean: '“{name}” takes true or false, not {value}.',
  takesVersion: '“{name}” takes a version, such as >1.2.3 or 1.2.*, not {value}.',
  oneValue: '“{name}” accepts one value. Join several with OR.',
  noSuchValue: '“{name}” has no value “{value}”. Use one of {values}.',
  noSuchValueNear: '“{name}” has no value “{value}”. Did you mean {near}?',
  needsValue: '“{name}:” needs a value. Write "" for the empty text.',
  emptyElement: 'The list of “{name}” has an empty element. Write "" for the empty text.',
  strayQuote: 'Quotes in the value of “{name}” must enclose it or be written \\".',
  hasOneKey: '“has” accepts one key.',
  hasNeedsKey: '“has” needs the name of a tag or field.',
  alwaysThere: 'Every issue has “{name}”.',
  keyNotAllowed: '“{name}” cannot be used here.',
  keyNotAllowedNear: '“{name}” cannot be used here. Did you mean {near}?',
  notSupported: 'Searching by “{name}” is not supported yet.',
  fieldOfIssues: '“{name}” is a field of issues, not of events and spans. Use tags[{name}] for a tag.',
  fieldOfSpans: '“{name}” is a field of spans. Use tags[{name}] for a tag.',
  notInDataSet: 'This data set has no field “{name}”.',
  notField: '“{text}” is not a field or function.',
  notNumber: '“{name}” is not a number.',
  aggregateOfIssues: '“{name}” is an aggregate, which issue searches do not support. Use timesSeen or userCount.',
  spansOnly: '{function}() works for spans only.',
  noFunction: 'No function is called {function}().',
  noFunctionNear: 'No function is called {function}(). Did you mean {near}()?',
  noArguments: '{function}() accepts no arguments.',
  oneArgument: '{function}() accepts one argument.',
  tooManyArguments: '{function}() accepts at most {max} arguments.',
  missingArguments: '{function}() needs {names}.',
  constantNotNumber: '“{name}” must be a number, not {value}.',
  percentileRange: 'The percentile must be from 0 to 1.',
  operatorUnknown: 'The operator must be one of {operators}.',
  operatorUnfit: '{operator} does not work with “{value}” here.',
  // What the server finds out.
  teamUnknown: '“{name}”: team {team} not found.',
  personUnknown: '“{name}”: {person} not found. Use an email address, a name, me or none.',
  keyNotDrawn: 'A key cannot be drawn over time. Use an aggregate such as count().',
  rowsOnly: 'The filter selects rows and cannot contain aggregates.',
  rangeOfNumbers: 'Only numbers such as span.duration can have a range.',
  issueFieldOnly: '“{name}” applies to issues, not to their events.',
  issueSearchOnly: '“{name}” applies to issues, not to their events. Search for issues instead.',
  groupSort: 'Groups can be sorted by their fields or an aggregate. Add “{name}” as a field.',
  rowSort: 'Rows have no aggregates. Add “{name}” as a field.',
  eventSort: 'Events cannot be sorted by “{name}”.',
} as const;

export type Reason = keyof typeof reasons;

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Because extends Reason> = Readonly<Record<Names<(typeof reasons)[Because]>, string>>;

/** A reason with the data that its text names. */
export interface Because {
  readonly reason: Reason;
  readonly values: Readonly<Record<string, string>>;
}

export const because = <Which extends Reason>(
  reason: Which,
  ...[values]: Names<(typeof reasons)[Which]> extends never ? [] : [Values<Which>]
): Because => ({ reason, values: values ?? {} });

/** In English, as answers of the API say it. */
export const reasonText = ({ reason, values }: Because): string =>
  reasons[reason].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
