import type { Attribute } from '../../features/explore/choices.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import { maxGroups, type Question } from '../../features/explore/question.ts';
import type { ExploreEvent } from '../../features/explore/reduce.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import * as m from '../../messages/explore.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Aggregates } from './Aggregates.tsx';
import { Columns } from './Columns.tsx';
import { DataSets } from './DataSets.tsx';
import styles from './Question.module.css';

const QuestionTools = lazily(async () => (await import('./QuestionTools.tsx')).QuestionTools);

interface Props {
  readonly search: ExploreSearch;
  readonly question: Question;
  readonly attributes: readonly Attribute[];
  /** What is wrong with the query. */
  readonly error: unknown;
  readonly happen: (event: ExploreEvent) => void;
  readonly onExport: (id: string) => void;
}

/** The question: of which rows, that match what, shown how, by what. */
export function QuestionBar({ search, question, attributes, error, happen, onExport }: Props) {
  const { dataSet, query, groups, axes } = question;
  return (
    <>
      <div className={styles.top}>
        <DataSets search={search} current={dataSet} />
        <div className={styles.query}>
          <SearchBox
            value={query}
            dataSet={dataSets[dataSet].keys}
            error={error}
            onSearch={(next) => happen({ type: 'searched', query: next })}
            label={m.search[dataSet]}
            placeholder={dataSet === 'errors' ? m.errorsExample : m.spansExample}
          />
        </div>
        <div className={styles.saved}>
          <QuestionTools search={search} onExport={onExport} />
        </div>
      </div>
      <div className={styles.shape}>
        <Aggregates
          dataSet={dataSet}
          axes={axes}
          attributes={attributes}
          onAxes={(next) => happen({ type: 'aggregated', axes: next })}
        />
        <Columns
          label={m.groupBy}
          addLabel={m.addAttribute}
          chosen={groups}
          attributes={attributes}
          first={dataSets[dataSet].groups}
          most={maxGroups}
          onChange={(next) => happen({ type: 'grouped', groups: next })}
        />
      </div>
    </>
  );
}
