import { useEffect, useState } from 'react';
import { lazily } from './lazily.tsx';
import { watchToasts } from './toasts.ts';

const ToastList = lazily(async () => (await import('./ToastList.tsx')).ToastList);

/** Where toasts are shown. The list is drawn with the first one; its code is asked for before that. */
export function Toaster() {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => {
    ToastList.preload();
    return watchToasts(() => setUsed(true));
  }, []);
  return isUsed && <ToastList />;
}
