import type { ReactNode } from 'react';

export interface ComboboxOption {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Which of these are data, such as names, and no words of ours. */
  readonly data?: readonly ('label' | 'detail')[] | undefined;
  readonly icon?: ReactNode;
  /** At the end of the line, e.g. the key. */
  readonly end?: ReactNode;
  /** What holds now. */
  readonly current?: boolean | undefined;
}

export interface ComboboxSource<T extends ComboboxOption> {
  readonly label: string;
  readonly placeholder?: string;
  /** What can be chosen, in its order, once that is typed. */
  readonly optionsOf: (typed: string) => readonly T[];
  /** Below the options: what is still on its way, or what else may be typed. */
  readonly note?: ReactNode;
  /** In the place of the options where there is none. */
  readonly empty?: ReactNode;
}
