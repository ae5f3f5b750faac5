/** Base UI's toasts in our clothes: they wait while one points at them, F6 goes to them, Escape sends them away. */
import { Toast as Base } from '@base-ui/react/toast';
import { CloseIcon } from './icons.ts';
import { useEffect } from 'react';
import * as m from '../messages/ui.ts';
import { buttonClass, IconButton } from './Button.tsx';
import styles from './Toaster.module.css';
import { receiveToasts, type Toast } from './toasts.ts';

const lifeMs = 7000;
const most = 3;

export function ToastList() {
  return (
    <Base.Provider limit={most}>
      <Base.Portal>
        <Base.Viewport className={styles.toaster} aria-label={m.toasts}>
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const { toasts, add, close } = Base.useToastManager<Toast>();
  useEffect(() => {
    /** What a new one takes the place of: plain confirmations, and those of its group. */
    let brief: string[] = [];
    const groups = new Map<string, string>();
    return receiveToasts((toast) => {
      const { text, kind, action, group } = toast;
      const before = group === undefined ? undefined : groups.get(group);
      for (const id of before === undefined ? brief : [...brief, before]) close(id);
      const stays = kind === 'failed' || action !== undefined;
      const id = add({
        title: text,
        data: toast,
        timeout: stays ? lifeMs * 1.5 : lifeMs / 2,
        ...(action && {
          actionProps: {
            children: action.label,
            onClick: () => {
              close(id);
              action.run();
            },
          },
        }),
      });
      brief = stays ? [] : [id];
      if (group !== undefined && action) groups.set(group, id);
    });
  }, [add, close]);
  return toasts.map((toast) => (
    // No dialog: nothing waits for an answer, and keys go on to work.
    <Base.Root
      key={toast.id}
      toast={toast}
      role="group"
      aria-modal={undefined}
      className={styles.toast}
      data-toast={toast.data?.kind}
    >
      <Base.Title render={<span />} className={styles.text} />
      <Base.Action className={buttonClass('normal', 'small')} />
      <Base.Close
        aria-hidden={undefined}
        render={<IconButton size="small" label={m.dismiss} icon={<CloseIcon size={14} />} />}
      />
    </Base.Root>
  ));
}
