import type { ChangeEvent, KeyboardEvent, ReactNode, RefObject } from 'react';

/** Where one writes. */
export type WritingField = HTMLInputElement | HTMLTextAreaElement;

export interface CompletionOption {
  /** Unique in the list. */
  readonly id: string;
  readonly label: string;
  /** In words, next to the label. */
  readonly detail?: string;
  /** At the end of the line: a type, a count. */
  readonly note?: string;
  /** Its heading; options of one section stand together. */
  readonly section?: string;
}

/** What is done to the field that a list has to know: arrow keys walk it, and what is typed begins it anew. */
export interface CompletionKeys {
  readonly onKeyDown: (event: KeyboardEvent<WritingField>) => void;
  readonly onChange: (event: ChangeEvent<WritingField>) => void;
}

export interface CompletionProps<T extends CompletionOption> {
  /** Of the list; the field says that it controls it. */
  readonly id: string;
  /** Keeps the focus; which option is active is said of it. */
  readonly field: RefObject<WritingField | null>;
  /** Filled while the list is there; the field hands its keys on. */
  readonly keys: RefObject<CompletionKeys | null>;
  /** Below which it stands, by default the field. */
  readonly anchor?: RefObject<Element | null>;
  readonly label: string;
  /** Of the field. */
  readonly value: string;
  /** What is completed: for another one, the list begins anew. */
  readonly question: string;
  readonly options: readonly T[];
  /** Whether the first option is active until another one is. */
  readonly firstActive?: boolean;
  /** In the place of options; announced. */
  readonly empty?: ReactNode;
  /** Below the options: what the keys do. */
  readonly foot?: ReactNode;
  /** Its id; undefined for none. */
  readonly onActive: (id: string | undefined) => void;
  readonly onChoose: (option: T) => void;
}
