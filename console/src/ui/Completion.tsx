import type { CompletionOption, CompletionProps } from './completion.ts';
import { lazily } from './lazily.tsx';

const Popup = lazily(async () => (await import('./CompletionPopup.tsx')).CompletionPopup);

/**
 * What may be written next, below the field in which it is written; it is drawn for as long as it is open. The field is the
 * page's own: it decides when the list opens and which keys take the active option.
 */
export function Completion<T extends CompletionOption>({ onChoose, ...props }: CompletionProps<T>) {
  return <Popup {...props} onChoose={(option) => onChoose(option as T)} />;
}

/** For when the field gets the focus: the list is there with the first key. */
export const preloadCompletion = Popup.preload;
