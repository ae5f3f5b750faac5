/** What waits to be written to the log on one machine, and what a group of it is as one transaction. */
import type { LogRecord, Position } from './log.ts';
import type { Acknowledged, BatchRange, Change, Head } from './lmdb-store.ts';
import type { RecordSeal } from './seal.ts';

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A record that is sealed when it is written. */
interface Clear {
  readonly position: Position;
  readonly parts: readonly Uint8Array[];
  /** Once sealed. */
  readonly bytes: number;
}

export type Operation = Settle &
  (
    | ({ readonly kind: 'append' } & Clear)
    | { readonly kind: 'lease'; readonly range: BatchRange }
    | { readonly kind: 'acknowledge'; readonly range: Acknowledged }
    | ({ readonly kind: 'restore'; readonly from: Position } & Clear)
    | { readonly kind: 'forget'; readonly from: Position }
  );

export type OperationWork = Operation extends infer Each
  ? Each extends Operation
    ? Omit<Each, keyof Settle>
    : never
  : never;

/** A transaction takes no more than this, so that memory and the time to commit stay bounded. */
const transactionBytes = 64 * 2 ** 20;

/** Takes the next group out of what waits: at least one, where there is one. */
export function takeGroup(waiting: Operation[]): Operation[] {
  let bytes = 0;
  let count = 0;
  for (const operation of waiting) {
    if ('parts' in operation) bytes += operation.bytes;
    if (count > 0 && bytes > transactionBytes) break;
    count++;
  }
  return waiting.splice(0, count);
}

/** What a group of operations does, as one transaction; records are sealed into memory that `take` gives. */
export function changeOf(
  group: readonly Operation[],
  head: Head,
  { seal, take }: { readonly seal: RecordSeal; readonly take: (length: number) => Uint8Array },
): Change {
  const append: LogRecord[] = [];
  const lease: BatchRange[] = [];
  const acknowledge: Acknowledged[] = [];
  const forget: Position[] = [];
  let { next, records, bytes } = head;
  for (const operation of group) {
    if ('from' in operation) forget.push(operation.from);
    if ('parts' in operation) {
      const { position, parts } = operation;
      append.push({ position, value: seal.seal(position, parts, take) });
      next = position + 1;
      records++;
      bytes += operation.bytes;
    } else if (operation.kind === 'lease') {
      lease.push(operation.range);
    } else if (operation.kind === 'acknowledge') {
      acknowledge.push(operation.range);
      records -= operation.range.records;
      bytes -= operation.range.bytes;
    }
  }
  return { head: { next, records, bytes }, append, lease, acknowledge, forget };
}

export function settle(group: readonly Operation[]): void {
  for (const { resolve } of group) resolve();
}
