/** What decided about a hash, in words. */
const words: Readonly<Record<string, string>> = {
  exception: 'its exception',
  'chained-exception': 'its exception and the causes of it',
  stacktrace: 'its stack trace',
  threads: 'the stack of its thread',
  message: 'its message',
  fingerprint: 'a fingerprint',
  checksum: 'a checksum that the client sent',
  template: 'the template where it broke',
  csp: 'the violated policy',
  twin: 'the failure of the server that it shows',
  performance: 'the performance problem and its place',
  fallback: 'nothing: it has no error, no stack and no message',
};

/** Reads on from “grouped by”. What is not in the table is its own word. */
export function basisWords(basis: string): string {
  return Object.hasOwn(words, basis) ? (words[basis] ?? basis) : basis;
}
