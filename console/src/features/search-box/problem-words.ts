/** What is wrong with a query, in the words of the console. Pure. */
import { reasons } from '../../messages/search-problems.ts';

/** As the parser or the server found it. What a server of another version finds may have no words here: it brings its own. */
export interface Worded {
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly message?: string;
}

const isKnown = (reason: string): reason is keyof typeof reasons => Object.hasOwn(reasons, reason);

export function problemWords({ reason = '', values = {}, message = '' }: Worded): string {
  if (!isKnown(reason)) return message;
  const text: string | ((values: never) => string) = reasons[reason];
  return typeof text === 'string' ? text : text(values as never);
}
