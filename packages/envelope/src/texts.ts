/** What is wrong with an envelope or its credentials, for people. Constants of their own, so that a bundle holds only what it uses. */
export const envelopeHeader = 'the envelope header';
export const itemHeader = 'an item header';
export const notJson = (what: string): string => `${what} is not JSON on one line`;
export const notObject = (what: string): string => `${what} is not a JSON object`;
export const notItemHeader = 'an item header is not a JSON object on one line';
export const headerTooDeep = (max: number): string => `a header nests deeper than ${max}`;
export const headerTooLong = (max: number): string => `a header line is longer than ${max} bytes`;
export const empty = 'the envelope is empty; expected a line with a JSON object';
export const tooLarge = (max: number): string => `the envelope is larger than ${max} bytes`;
export const tooManyItems = (max: number): string => `the envelope has more than ${max} items`;
export const tooManyBlankLines = (max: number): string => `more than ${max} blank lines`;
export const noType = 'an item header has no "type"';
export const badLength = (type?: string): string =>
  `"length" of an item${type === undefined ? '' : ` of type ${type}`} is not a number of bytes`;
export const truncated = (declared: number | undefined, found: number | undefined): string =>
  `an item declares ${declared} bytes, but only ${found} follow`;
export const unterminated = (length: number | undefined): string =>
  `expected a newline after an item of ${length} bytes`;
export const atByte = (sentence: string, offset: number): string => `${sentence} (at byte ${offset})`;
export const notDsn = 'the dsn in the envelope header is not a DSN';
export const noKey = 'there is no sentry_key';
export const badKey = 'a key has 32 hexadecimal digits';
export const badVersion = 'sentry_version is not a number';
