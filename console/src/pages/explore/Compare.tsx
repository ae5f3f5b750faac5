import { useQuery, useQueryClient } from '@tanstack/react-query';
import { comparedRows, comparisonSentence } from '../../features/explore/comparison.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import type { Question } from '../../features/explore/question.ts';
import { compareQuery } from '../../features/explore/queries.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './Compare.module.css';
import { TimePartForm } from './TimePartForm.tsx';
import { ValueButton } from './ValueButton.tsx';
import { plural, pluralForm } from '../../ui/numbers.ts';

interface Props {
  readonly search: ExploreSearch;
  readonly question: Question;
  readonly onPart: (startMs: number, endMs: number) => void;
}

/** What the chosen part has that the rest has not, by attribute. */
export function Compare({ search, question, onPart }: Props) {
  const org = useOrg();
  const isChosen = search.selection !== undefined || search.subset !== undefined;
  const queries = useQueryClient();
  const asked = compareQuery(org, search);
  const answer = useQuery(asked);
  const { noun } = dataSets[question.dataSet];
  if (!isChosen)
    return (
      <EmptyState title="Choose what to compare">
        <p>
          Draw over a part of a chart, or click a value and choose <em>Compare with the rest</em>. Here stands what is
          different in that part.
        </p>
        <TimePartForm onPart={onPart} />
      </EmptyState>
    );
  if (answer.isPending) return <Skeleton rows={6} height={72} label="Comparing" />;
  if (answer.isError && !answer.data)
    return <ErrorState error={answer.error} retry={() => void answer.refetch()} what="This could not be compared" />;
  const { selection, rest, attributes } = answer.data;
  const { rows, same } = comparedRows(attributes);
  return (
    <section aria-label="What differs" aria-busy={answer.isFetching} className={styles.compare}>
      <BusyBar busy={answer.isFetching} cancel={() => void queries.cancelQueries({ queryKey: asked.queryKey })} />
      <p className={styles.sentence}>{comparisonSentence(answer.data, noun)}</p>
      {rows.length === 0 ? (
        <EmptyState title={selection === 0 ? `No ${noun} is selected` : 'Nothing differs'}>
          <p>
            {selection === 0
              ? 'Choose another part of the time.'
              : rest === 0
                ? 'Everything is selected, so there is nothing to compare it with.'
                : 'What is selected has the same values as the rest, as often.'}
          </p>
        </EmptyState>
      ) : (
        <>
          <p className={styles.legend} aria-hidden="true">
            <span data-side="here">selected</span> <span data-side="rest">the rest</span>
          </p>
          <ul className={styles.attributes}>
            {rows.map(({ key, values, more }) => (
              <li key={key}>
                <table className={styles.attribute}>
                  <caption>{key}</caption>
                  <thead className="visually-hidden">
                    <tr>
                      <th scope="col">Value</th>
                      <th scope="col">Of the selected</th>
                      <th scope="col">Of the rest</th>
                    </tr>
                  </thead>
                  <tbody>
                    {values.map(({ value, text, here, rest: others, hereText, restText }) => (
                      <tr key={value}>
                        <th scope="row">
                          <ValueButton field={key} value={value} text={text} />
                        </th>
                        <td data-side="here">
                          {here > 0 && <i aria-hidden="true" style={{ inlineSize: `${here * 100}%` }} />}
                          <span>{hereText}</span>
                        </td>
                        <td data-side="rest">
                          {others > 0 && <i aria-hidden="true" style={{ inlineSize: `${others * 100}%` }} />}
                          <span>{restText}</span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                {more > 0 && <p className={styles.more}>and {more} more</p>}
              </li>
            ))}
          </ul>
          {same > 0 && (
            <p className={styles.sentence}>
              {plural(same, 'further attribute')} {pluralForm(same, 'has', 'have')} about the same values in both.
            </p>
          )}
        </>
      )}
    </section>
  );
}
