import type { ExploreSearch } from '../../features/explore/search.ts';
import { Saved } from './Saved.tsx';
import { Take } from './Take.tsx';

/** What is done with the question as a whole: it is saved, and its answer exported. */
export function QuestionTools({
  search,
  onExport,
}: {
  readonly search: ExploreSearch;
  readonly onExport: (id: string) => void;
}) {
  return (
    <>
      <Saved search={search} />
      <Take search={search} onExport={onExport} />
    </>
  );
}
