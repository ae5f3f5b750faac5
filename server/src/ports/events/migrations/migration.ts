import type { Dialect } from './dialect.ts';

export interface Migration {
  /** Counts up; the order in which migrations run. */
  readonly id: number;
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
}
