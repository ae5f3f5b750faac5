/** Times as clients give them. */
import { CodedError } from '../../base/errors.ts';
import { timeRange } from '../../base/texts/requests.ts';

const rfc3339 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,20}))?(Z|[+-]\d\d:?\d\d)?)?$/i;
/** What dates can be printed for everywhere. */
const latestMs = Date.UTC(9999, 11, 31);

/** ms since the epoch of RFC 3339 with any number of digits after the second, or of seconds since the epoch. Throws `INPUT_INVALID`. */
export function parseTimeInput(name: string, value: string | number): number {
  const ms = typeof value === 'number' ? Math.round(value * 1000) : parseText(value.trim());
  if (!(ms >= 0 && ms <= latestMs)) {
    throw new CodedError('INPUT_INVALID', [timeRange.timeOfField(name)]);
  }
  return ms;
}

function parseText(text: string): number {
  const match = rfc3339.exec(text);
  if (!match) return Number.NaN;
  const [, day = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  return Date.parse(
    `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`.replace(/T(\d\d:\d\d)\./, 'T$1:00.'),
  );
}
