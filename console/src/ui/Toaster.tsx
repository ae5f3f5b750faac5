import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Button, IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import { dismissToast, toastStore } from './toasts.ts';
import styles from './Toaster.module.css';

export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  return (
    <output className={styles.toaster}>
      {toasts.map((toast) => (
        <div key={toast.id} className={cx(styles.toast, toast.kind === 'failed' && styles.failed)}>
          <span className={styles.text}>{toast.text}</span>
          {toast.action && (
            <Button
              size="small"
              onClick={() => {
                toast.action?.run();
                dismissToast(toast.id);
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton size="small" label="Dismiss" icon={<X size={14} />} onClick={() => dismissToast(toast.id)} />
        </div>
      ))}
    </output>
  );
}
