/** Short notices at the foot of the page, with an optional way back. Any code may raise one, inside React or not. */
export interface Toast {
  readonly text: string;
  readonly kind: 'done' | 'failed';
  /** Only the newest of a group is shown. */
  readonly group?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

type Receiver = (toast: Toast) => void;

let receiver: Receiver | undefined;
let waiting: Toast[] = [];
let wake: (() => void) | undefined;

export function toast(text: string, options: Partial<Pick<Toast, 'kind' | 'action' | 'group'>> = {}): void {
  const { kind = 'done', action, group } = options;
  const one: Toast = { text, kind, ...(action && { action }), ...(group && { group }) };
  if (receiver) receiver(one);
  else waiting.push(one);
  wake?.();
}

/** Who shows them; those that came before are handed over. */
export function receiveToasts(show: Receiver): () => void {
  receiver = show;
  const late = waiting;
  waiting = [];
  for (const each of late) show(each);
  return () => {
    if (receiver === show) receiver = undefined;
  };
}

/** Told of each toast, so that what shows them is loaded with the first. */
export function watchToasts(listener: () => void): () => void {
  wake = listener;
  if (waiting.length > 0) listener();
  return () => {
    wake = undefined;
  };
}
