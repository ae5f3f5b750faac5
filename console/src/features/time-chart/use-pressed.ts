import { type RefObject, useEffect, useState } from 'react';

/** True from a mouse button's going down on the element until it is let go, wherever that is. */
export function usePressed(box: RefObject<HTMLElement | null>): boolean {
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    const element = box.current;
    const press = (): void => setPressed(true);
    const release = (): void => setPressed(false);
    element?.addEventListener('mousedown', press);
    window.addEventListener('mouseup', release);
    window.addEventListener('blur', release);
    return () => {
      element?.removeEventListener('mousedown', press);
      window.removeEventListener('mouseup', release);
      window.removeEventListener('blur', release);
    };
  }, [box]);
  return pressed;
}
