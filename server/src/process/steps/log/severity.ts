/** How bad it is: OpenTelemetry's numbers, and the words that loggers have for them. */

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Four numbers each, from 1 on. */
const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

const words: ReadonlyMap<string, LogLevel> = new Map<string, LogLevel>([
  ...levels.map((level) => [level, level] as const),
  ['verbose', 'trace'],
  ['information', 'info'],
  ['informational', 'info'],
  ['notice', 'info'],
  ['success', 'info'],
  ['log', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['severe', 'error'],
  ['critical', 'fatal'],
  ['crit', 'fatal'],
  ['alert', 'fatal'],
  ['panic', 'fatal'],
  ['emergency', 'fatal'],
  ['emerg', 'fatal'],
]);

export interface Severity {
  readonly level: LogLevel;
  /** 1 to 24; 0 where neither number nor word says anything, and then the level is info. */
  readonly number: number;
}

/** The level of one of the 24 numbers; undefined for all else. */
export function levelOfNumber(number: unknown): LogLevel | undefined {
  return typeof number === 'number' && Number.isInteger(number) ? levels[Math.floor((number - 1) / 4)] : undefined;
}

/** The level that a word of any case means. */
export function levelOfWord(word: unknown): LogLevel | undefined {
  return typeof word === 'string' && word.length <= 20 ? words.get(word.trim().toLowerCase()) : undefined;
}

/** What both together say: the level where one is known, and a number that is of that level. */
export function severityOf(level: LogLevel | undefined, number: unknown): Severity {
  const known = level ?? levelOfNumber(number);
  if (known === undefined) return { level: 'info', number: 0 };
  const agrees = levelOfNumber(number) === known;
  return { level: known, number: agrees ? (number as number) : levels.indexOf(known) * 4 + 1 };
}
