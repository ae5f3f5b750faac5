/** Short notices at the foot of the page, with an optional way back. They live outside React, so that any code may raise one. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
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

export function toast(text: string, options: { kind?: Toast['kind']; action?: Toast['action'] } = {}): void {
  lastId += 1;
  const id = lastId;
  set(
    [...toasts, { id, text, kind: options.kind ?? 'done', ...(options.action && { action: options.action }) }].slice(
      -most,
    ),
  );
  setTimeout(() => dismissToast(id), options.kind === 'failed' || options.action ? lifeMs * 1.5 : lifeMs / 2);
}
