import { getRouteApi } from '@tanstack/react-router';
import { asOne, splitTerms } from '../../features/issues/query-terms.ts';
import * as m from '../../messages/issue.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** Which of the events are shown; each term goes with a click. */
export function EventFilter({ filter }: { readonly filter: string }) {
  const navigate = route.useNavigate();
  const terms = splitTerms(asOne(filter));
  if (terms.length === 0) return null;
  const without = (term: string): string | undefined => terms.filter((each) => each !== term).join(' ') || undefined;
  return (
    <Chips label={m.filter}>
      {terms.map((term) => (
        <Chip
          key={term}
          removes
          aria-label={m.removeTerm({ term })}
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, q: without(term), event: undefined, cursor: undefined }),
            })
          }
        >
          <code>{term}</code>
        </Chip>
      ))}
    </Chips>
  );
}
