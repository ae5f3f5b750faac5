/** Release, environment, dist: names that other parts put into URLs and look up by. */
import { cutText, textLimits } from '../limits.ts';
import { asText } from '../json.ts';
import type { Remarks } from '../remarks.ts';

/** At most 200 characters, no slash, back slash, line break or tab; not `.`, `..` or `latest`. */
export function parseRelease(value: unknown, remarks: Remarks): string | undefined {
  const release = asText(value)?.trim();
  if (!release) return undefined;
  const bad = release.length > 200 || /[/\\\r\n\t\f]/.test(release) || /^(?:\.{1,2}|latest)$/i.test(release);
  if (bad) remarks.error('invalid_data', 'release', release);
  return bad ? undefined : release;
}

/** At most 64 characters, no slash or line break; not `none`. */
export function parseEnvironment(value: unknown, remarks: Remarks): string | undefined {
  const environment = asText(value)?.trim();
  if (!environment) return undefined;
  const bad = environment.length > 64 || /[/\r\n\f]/.test(environment) || environment === 'none';
  if (bad) remarks.error('invalid_data', 'environment', environment);
  return bad ? undefined : environment;
}

export function parseDist(value: unknown, remarks: Remarks): string | undefined {
  const dist = asText(value)?.trim();
  if (!dist) return undefined;
  const bad = dist.length > 64 || /[\r\n\t]/.test(dist);
  if (bad) remarks.error('invalid_data', 'dist', dist);
  return bad ? undefined : dist;
}

/** It may be long still: what is secret in it is told by its beginning. */
export function parseLogger(value: unknown): string | undefined {
  const logger = asText(value)?.trim();
  return !logger || /[\r\n]/.test(logger) ? undefined : logger;
}

/** Java's dotted logger names keep their last parts, which tell most. */
export function shortLogger(logger: string): string {
  if (logger.length <= textLimits.symbol.max) return logger;
  let short = logger.slice(-1024).toWellFormed();
  while (short.length > textLimits.symbol.max - 1 && short.includes('.')) short = short.slice(short.indexOf('.') + 1);
  return short.length <= textLimits.symbol.max - 1 ? `*${short}` : cutText(logger, textLimits.symbol);
}
