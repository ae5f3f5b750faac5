/** An option of completion, and its sources. */
import type { CompletionOption } from '../../ui/completion.ts';

export interface Option extends Required<CompletionOption> {
  /** Takes the place of what is completed; of a `query`, of everything. */
  readonly text: string;
  /** `more`: a value follows. `term`: the term is finished. `query`: a whole search, to be run. */
  readonly gives: 'more' | 'term' | 'query';
}

export interface OptionSources {
  readonly fields: readonly {
    readonly key: string;
    readonly kind: string;
    readonly type: string;
    readonly totalValues: number | null;
  }[];
  readonly values: readonly { readonly value: string; readonly count: number; readonly sampled: boolean }[];
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
  readonly recent: readonly string[];
  readonly saved: readonly { readonly id: string; readonly name: string; readonly query: string }[];
  /** `Last 14 days` */
  readonly rangeWords: string;
  readonly now: Date;
}
