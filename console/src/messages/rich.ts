/** Sentences with elements in them. */
import { createElement, Fragment, type ReactNode } from 'react';

/** Parts of a sentence, in its order. */
export const rich = (...parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);

export const element = (tag: 'code' | 'em' | 'kbd' | 'strong', text: ReactNode): ReactNode =>
  createElement(tag, null, text);
