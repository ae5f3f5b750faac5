import { useEffect, useState } from 'react';
import { lazily } from './lazily.tsx';
import { watchToasts } from './toasts.ts';

const ToastList = lazily(async () => (await import('./ToastList.tsx')).ToastList);

/** Where toasts are shown. Its code comes with the first one, or before it by `preloadToasts`. */
export function Toaster() {
  const [isUsed, setUsed] = useState(false);
  useEffect(() => watchToasts(() => setUsed(true)), []);
  return isUsed && <ToastList />;
}

export const preloadToasts = ToastList.preload;
