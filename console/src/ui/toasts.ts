/** Short notices at the foot of the page, with an optional way back. They live outside React, so that any code may raise one. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  /** Only the newest of a group is shown. */
  readonly group?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const lifeMs = 7000;
const most = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): readonly Toast[] => toasts,
};

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function toast(text: string, options: Partial<Pick<Toast, 'kind' | 'action' | 'group'>> = {}): void {
  lastId += 1;
  const id = lastId;
  const { kind = 'done', action, group } = options;
  // A plain confirmation gives way to the next notice; what can be undone or went wrong stays its time.
  const kept = toasts.filter(
    (each) => each.kind === 'failed' || (each.action && (group === undefined || each.group !== group)),
  );
  set([...kept, { id, text, kind, ...(action && { action }), ...(group && { group }) }].slice(-most));
  setTimeout(() => dismissToast(id), kind === 'failed' || action ? lifeMs * 1.5 : lifeMs / 2);
}
