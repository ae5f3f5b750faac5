import type { Dialect } from './dialect.ts';

export interface Migration {
  /** Counts up; the order in which migrations run. */
  readonly id: number;
  readonly name: string;
  /** Tables that it reads or writes anew, once each time that they stand here: by them `culprit upgrade` says how long it takes. */
  readonly reads?: readonly string[];
  statements(dialect: Dialect): readonly string[];
}
