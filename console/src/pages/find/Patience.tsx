import * as m from '../../messages/find.ts';
import { countdown } from '../../features/find/words.ts';
import { Button } from '../../ui/Button.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Text } from '../../ui/Text.tsx';
import { useSecond } from './use-second.ts';

/** Tells for how long the search is repeated, and then offers to go on. */
export function Patience({ until, again }: { readonly until: number; readonly again: () => void }) {
  const left = until - useSecond();
  if (left > 0)
    return (
      <Text as="p">
        {m.retrying({
          countdown: (
            <>
              <span aria-hidden="true">{countdown(left)}</span>
              <span className="visually-hidden">{m.twoMinutes}</span>
            </>
          ),
        })}
      </Text>
    );
  return (
    <Inline>
      <Text>{m.searchedTwoMinutes}</Text>
      <Button size="small" onClick={again}>
        {m.searchAgain}
      </Button>
    </Inline>
  );
}
