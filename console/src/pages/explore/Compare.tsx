import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  comparedRows,
  comparisonSentence,
  type ComparedRow,
  type Comparison,
} from '../../features/explore/comparison.ts';
import type { DataSet } from '../../features/explore/data-sets.ts';
import type { Question } from '../../features/explore/question.ts';
import { compareQuery } from '../../features/explore/queries.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore-compare.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './Compare.module.css';
import * as empty from './empty-comparison.ts';
import { TimePartForm } from './TimePartForm.tsx';
import { ValueButton } from './ValueButton.tsx';

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
  const { dataSet } = question;
  if (!isChosen)
    return (
      <Empty of={empty.nothingSelected}>
        <TimePartForm onPart={onPart} />
      </Empty>
    );
  return (
    <QueryView
      query={answer}
      loading={m.comparing}
      failed={m.compareFailed}
      rows={6}
      height={72}
      cancel={() => void queries.cancelQueries({ queryKey: asked.queryKey })}
    >
      {(found) => <Differences found={found} dataSet={dataSet} />}
    </QueryView>
  );
}

function Differences({ found, dataSet }: { readonly found: Comparison; readonly dataSet: DataSet }) {
  const { selection, rest, attributes } = found;
  const { rows, same } = comparedRows(attributes);
  return (
    <section aria-label={m.differences} className={styles.compare}>
      <Text as="p">{comparisonSentence(found, dataSet)}</Text>
      {rows.length === 0 ? (
        selection === 0 ? (
          <Empty of={empty.emptySelection} values={{ dataSet }} />
        ) : (
          <Empty of={rest === 0 ? empty.allSelected : empty.sameValues} />
        )
      ) : (
        <>
          <p className={styles.sides} aria-hidden="true">
            <span data-side="here">{m.inSelection}</span> <span data-side="rest">{m.inRest}</span>
          </p>
          <ul className={styles.attributes}>
            {rows.map((row) => (
              <li key={row.key}>
                <AttributeTable row={row} />
              </li>
            ))}
          </ul>
          {same > 0 && <Text as="p">{m.alikeCount({ count: same })}</Text>}
        </>
      )}
    </section>
  );
}

export function AttributeTable({ row: { key, values, more } }: { readonly row: ComparedRow }) {
  return (
    <>
      <table className={styles.attribute}>
        <caption translate="no">{key}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{m.value}</th>
            <th scope="col">{m.inSelection}</th>
            <th scope="col">{m.inRest}</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ value, text, here, rest, hereText, restText }) => (
            <tr key={value}>
              <th scope="row">
                <ValueButton field={key} value={value} text={text} />
              </th>
              <td data-side="here">
                {here > 0 && <i aria-hidden="true" style={{ inlineSize: `${here * 100}%` }} />}
                <span>{hereText}</span>
              </td>
              <td data-side="rest">
                {rest > 0 && <i aria-hidden="true" style={{ inlineSize: `${rest * 100}%` }} />}
                <span>{restText}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Text as="p" tone="faint" small>
          {m.moreValues({ count: more })}
        </Text>
      )}
    </>
  );
}
