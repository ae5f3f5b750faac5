/** Durations and offsets as people read them. All values are µs. */
import { isolated } from '../messages/format.ts';
import { exactNumber, withUnit } from './numbers.ts';

const ms = 1000;
const second = 1000 * ms;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Three significant digits without noughts behind the point. */
const digits = (value: number): string =>
  exactNumber(
    value >= 99.95 ? Math.round(value) : value >= 9.995 ? Math.round(value * 10) / 10 : Math.round(value * 100) / 100,
  );

/** `340 µs`, `1.23 ms`, `340 ms`, `12.3 s`, `2 min 5 s`, `3 h 4 min`, `365 d`. */
export function duration(us: number): string {
  if (!Number.isFinite(us)) return '–';
  if (us < 0) return isolated(`−${duration(-us)}`);
  if (us < ms) return withUnit(Math.round(us), 'µs');
  if (us < 999.5 * ms) return withUnit(digits(us / ms), 'ms');
  if (us < 59.95 * second) return withUnit(digits(us / second), 's');
  if (us < hour - second / 2) return pair(Math.round(us / second), 60, 'min', 's');
  if (us < day - minute / 2) return pair(Math.round(us / minute), 60, 'h', 'min');
  return us < 10 * day ? pair(Math.round(us / hour), 24, 'd', 'h') : withUnit(Math.round(us / day), 'd');
}

function pair(units: number, per: number, large: string, small: string): string {
  const rest = units % per;
  const whole = withUnit(Math.floor(units / per), large);
  return rest ? isolated(`${whole} ${withUnit(rest, small)}`) : whole;
}
