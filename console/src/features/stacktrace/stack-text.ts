/** The stacks of an event as text. */
import { reportOf, type StackOrder, writeStack } from '@culprit/stacktrace';
import type { Thrown } from './Exceptions.tsx';

/** As the runtime of the event's language prints them. */
export const stackText = (event: Thrown, order?: StackOrder): string => writeStack(reportOf(event), order);
