import { useState } from 'react';

/** Whether the panel beside the list is open: kept while the tab lives, so that coming back finds it as it was. */
let wasOpen = false;

export interface Peek {
  readonly open: boolean;
  /** Id of the issue that is shown. */
  readonly id: string | undefined;
  readonly toggle: (id: string | undefined) => void;
  /** The focus has come to this one. */
  readonly follow: (id: string) => void;
  readonly close: () => void;
}

export function usePeek(): Peek {
  const [open, setOpen] = useState(wasOpen);
  const [id, setId] = useState<string | undefined>();
  const put = (next: boolean): void => {
    wasOpen = next;
    setOpen(next);
  };
  return {
    open,
    id,
    toggle: (next) => {
      setId(next);
      put(!open);
    },
    follow: (next) => {
      if (open) setId(next);
    },
    close: () => put(false),
  };
}
