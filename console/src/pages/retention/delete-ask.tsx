import { type ReactNode, useState } from 'react';
import * as m from '../../messages/retention.ts';
import { Confirm } from '../../ui/Confirm.tsx';

type Answer = (isWanted: boolean) => void;

/** Whoever saves waits for the answer; `answer` is there while somebody is asked. */
export function useDeleteAsk(): { readonly ask: () => Promise<boolean>; readonly answer: Answer | undefined } {
  const [waiting, setWaiting] = useState<{ readonly answer: Answer }>();
  return {
    ask: () => new Promise((resolve) => setWaiting({ answer: resolve })),
    answer:
      waiting &&
      ((isWanted) => {
        waiting.answer(isWanted);
        setWaiting(undefined);
      }),
  };
}

/** Asks before stored data is deleted. `children` say how much that is. */
export function DeleteAsk({ answer, children }: { readonly answer: Answer; readonly children: ReactNode }) {
  return (
    <Confirm title={m.deleteAsk} action={m.saveAndDelete} onConfirm={() => answer(true)} onClose={() => answer(false)}>
      {children}
      <p>{m.cannotBeUndone}</p>
    </Confirm>
  );
}
