/** Records that came together: one clock, and an order among those of one moment. */
import type { LogRow } from '../../../base/tables/logs.ts';
import { clockShift } from '../span/clock.ts';
import type { SpanContext, SpanRemark } from '../span/input.ts';
import type { ItemContext } from '../../types.ts';
import { finishLog, type LogInput, type LogTimes } from './finish.ts';

/** As of spans. */
const maxAgeUs = 30 * 86_400_000_000;
const maxFutureUs = 60_000_000;

/** `sequence` is what the sender says, then the place among the records: both fit into 32 bits. */
const places = 1_000_000;
const maxSequence = 4_000;

/** The rows of records in the order in which they were sent. */
export function finishRecords(
  records: readonly LogInput[],
  context: SpanContext & Pick<ItemContext, 'sentAt'>,
): LogRow[] {
  const { shiftUs, remark } = clockShift(
    records.map(({ atUs }) => atUs).filter((us) => us !== undefined),
    context,
  );
  const shifted: readonly SpanRemark[] = remark ? [{ ...remark, field: 'timestamp' }] : [];
  return records.map((record, place) => {
    const times = timesOf(record, { shiftUs, receivedUs: context.receivedAt * 1000 });
    const sequence = Math.min(record.sequence, maxSequence) * places + Math.min(place, places - 1);
    return finishLog(record, { ...times, sequence, remarks: [...shifted, ...times.remarks] }, context);
  });
}

function timesOf(
  { atUs, observedUs }: LogInput,
  { shiftUs, receivedUs }: { readonly shiftUs: number; readonly receivedUs: number },
): Omit<LogTimes, 'sequence'> {
  const remarks: SpanRemark[] = [];
  const whole = Math.round((atUs ?? Number.NaN) + shiftUs);
  let time = Number.isSafeInteger(whole) ? whole : receivedUs;
  if (atUs === undefined) remarks.push({ field: 'timestamp', what: 'missing' });
  if (time > receivedUs + maxFutureUs) {
    remarks.push({ field: 'timestamp', what: 'future_timestamp', was: time });
    time = receivedUs;
  } else if (time < receivedUs - maxAgeUs) {
    remarks.push({ field: 'timestamp', what: 'past_timestamp', was: time });
    time = receivedUs - maxAgeUs;
  }
  const observed = Math.round((observedUs ?? Number.NaN) + shiftUs);
  const sensible = observed >= receivedUs - maxAgeUs && observed <= receivedUs + maxFutureUs;
  return { atUs: time, observedUs: sensible ? observed : time, remarks };
}
