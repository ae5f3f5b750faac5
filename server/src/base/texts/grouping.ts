/** Why events are one issue: texts of the explanation, which is stored with each hash, and of suggested rules. */
import { listed, plural } from './intl.ts';

/** What may count, as the explanation calls it. */
export const names = {
  browserView: 'browser view',
  builtInRule: 'built-in rule',
  checksum: 'checksum',
  digest: 'digest',
  exception: 'exception',
  file: 'file',
  fingerprint: 'fingerprint',
  frame: 'frame',
  function: 'function',
  message: 'message',
  module: 'module',
  nothing: 'no error, stack or message',
  nsError: 'NSError',
  performanceIssue: 'performance issue',
  projectRule: 'rule of the project',
  sourceLine: 'source line',
  stack: 'stack',
  stackOfEvent: 'stack of the event',
  stackOfThread: 'stack of the thread',
  trace: 'trace',
  type: 'type',
  violation: { directive: 'directive', blocked: 'blocked', host: 'host', violation: 'violation' },
} as const;

/** Which frames a variant reads. */
export const variants = {
  app: 'own code',
  system: 'all code',
  none: 'type and message',
} as const;

/** Why a part does not count. */
export const unused = {
  addressOfPage: 'not used: the address of the page',
  contentHash: 'not used: a content hash',
  fewFrames: (count: number, rule: string) => `not used: fewer than ${count} frames count, by ${rule}`,
  generatedName: 'not used: a generated name',
  lambdaClass: 'not used: a generated lambda class',
  longLine: 'not used: the line is too long to be source code',
  lonePage: 'not used: one frame without a function in a web page',
  mappedName: 'not used: the source line is more specific than a mapped name',
  minifiedLine: 'not used: a line of minified code changes with every build',
  minifiedName: 'not used: a minified name changes with every build',
  moduleIsBetter: 'not used: the module is more specific',
  noFile: 'not used: no file',
  noFrame: 'not used: no frame counts',
  noFunctionOfPage: 'not used: a line of a page without a function',
  noName: 'not used: no real name',
  noOwnName: 'not used: no function name of the project’s own code is known (no source map)',
  notOwn: 'not used: not the project’s own code',
  marked: (how: string) => `not used: ${how}`,
  nsErrorIsBetter: 'not used: the NSError is more specific',
  pieceOfLine: 'not used: a piece of a longer line',
  sameError: 'not used: the same error as another one in the group',
  stackIsBetter: 'not used: the stack is more specific',
  syntheticType: 'not used: created by the SDK for its stack',
  tooManyFrames: (count: number, rule: string) => `not used: only ${count} frames count by ${rule}`,
  webAddress: 'not used: the frame points to a web address',
} as const;

/** Why a frame does not count. */
export const ignored = {
  browserCode: 'ignored: browser code',
  byRule: (rule: string) => `ignored by ${rule}`,
  compilerHelper: 'ignored: a compiler helper',
  eval: 'ignored: code run by eval',
  eventLoop: 'ignored: the event loop',
  monitoring: 'ignored: a monitoring library',
  recursion: 'ignored: the same frame again (recursion)',
} as const;

/** What made a part count, or what a rule did. */
export const because = {
  builtInRule: (text: string) => `a built-in rule: ${text}`,
  projectRule: (line: number, text: string) => `the rule on line ${line}: ${text}`,
  marked: (isOwn: boolean, rule: string) => `${isOwn ? 'own code' : 'not own code'} by ${rule}`,
  noChange: (rule: string) => `${rule} does not change the grouping`,
  errorText: 'a Go error has no place of its own, so its text tells errors apart',
  nothing: 'all events without error, stack and message are one issue',
  panicText: 'the type of all panics is the same, so the text tells them apart',
  capturedText: 'the stack only shows where the message was captured',
  sameProblem: 'the same problem in the same code',
  setByClient: 'set by the client',
  setByRule: (rule: string) => `set by ${rule}`,
  twin: 'the browser’s view of a server failure, which belongs to the server’s issue',
} as const;

/** Errors that Culprit groups by a rule of its own. */
export const builtInRules = {
  chunkLoad: 'a part of the application could not be loaded',
  hydration: 'the page from the server differs from what the browser renders',
  resizeObserver: 'a browser notice without effect',
  scriptError: 'an error in a script of another origin, hidden by the browser',
} as const;

/** The issue of browser views of server failures whose server event is unknown. */
export const waitingIssue = {
  title: 'Server failures without a server event',
  type: 'Server failures',
  value: 'no server event yet',
} as const;

/** Of a rule that is suggested for an issue. */
export const suggestions = {
  oneKind: 'The issue has only one kind of event, which stays together anyway',
  tooBroad: 'The common parts of the events also match other issues',
  tooDifferent: 'The events have too little in common for a rule',
  performance: 'performance issues are grouped by their measurement, not by fingerprint rules',
  shared: (parts: readonly string[], others: number) =>
    `All events share ${listed(parts, 'and')}${others === 0 ? '' : `; it also matches ${plural(others, 'other issue')}`}`,
  parts: {
    type: (name: string) => `the type ${name}`,
    message: (pattern: string) => `a message like ${pattern}`,
    function: (name: string) => `the function ${name}`,
    functionOfStacks: (name: string) => `the function ${name} in their stacks`,
    module: (name: string) => `the module ${name}`,
  },
} as const;

/** Of a preview of changed rules. */
export const previews = {
  notAdopted: 'Could not find the issues of new hashes; their events may create new issues',
  noStore: 'The events store is not responding or took too long. Try again, or select fewer days',
  failed: "The preview failed. The server's log has the reason",
  noted: 'A preview of grouping rules failed',
} as const;
