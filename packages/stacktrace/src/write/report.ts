/** What a text is written from. */
import type { StackException, StackFrame, StackLanguage } from '../types.ts';
import type { StackOrder } from './order.ts';

/** Languages whose form is written; those that are read are among them. */
export type WrittenLanguage = StackLanguage | 'dart' | 'native';

/** What is read of a text is enough; an event says more. */
export interface StackReport {
  readonly language: WrittenLanguage;
  /** First the one that was reported, then what it came from, in the order of their depth. */
  readonly exceptions: readonly StackException[];
  readonly thread?: string;
  /** Whether it ended the program, or the thread; undefined where that is unknown. */
  readonly unhandled?: boolean;
  /** Version of the language, as `17.0.15`; forms differ by it. */
  readonly version?: string;
}

/** How one language prints. */
export interface Writer {
  readonly report: (report: StackReport, order: StackOrder) => readonly string[];
  /** A call by itself, without indentation; may have a second line. */
  readonly frame: (frame: StackFrame, report?: Pick<StackReport, 'version'>) => string;
}

export const newestFirst = (exception: StackException | undefined): readonly StackFrame[] =>
  exception?.frames.toReversed() ?? [];

/** Blocks that were made newest first, as lines in the order that is asked for. */
export const ordered = (blocks: readonly string[], order: StackOrder): readonly string[] =>
  order === 'newest' ? blocks : blocks.toReversed();

/** What belongs to an exception, by kind. The first exception belongs to none. */
export function childrenOf(
  report: StackReport,
  index: number,
  ...relations: readonly NonNullable<StackException['relation']>[]
): readonly number[] {
  const found: number[] = [];
  for (const [at, each] of report.exceptions.entries()) {
    // A child stands after its parent: so no text is endless.
    if (at > index && (each.parent ?? at - 1) === index && relations.includes(each.relation ?? 'cause')) found.push(at);
  }
  return found;
}
