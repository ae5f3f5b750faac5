/** What the names in a rule stand for. */
import type { Channel } from '../../domains/notify/index.ts';
import type { Project } from '../../domains/projects/index.ts';

export interface RulePlace {
  readonly projects: readonly Project[];
  readonly channels: readonly Channel[];
}
