/** How much an issue matters: as somebody has said, else as its level says. */
import type { Priority } from '../../ports/state/schema.ts';

export const priorities: readonly Priority[] = ['high', 'medium', 'low'];

export const levelsOf: Readonly<Record<Priority, readonly string[]>> = {
  high: ['fatal', 'error'],
  medium: ['warning'],
  low: ['info', 'debug'],
};

export const priorityOf = ({ priority, level }: { priority: Priority | null; level: string }): Priority =>
  priority ?? priorities.find((one) => levelsOf[one].includes(level)) ?? 'medium';
