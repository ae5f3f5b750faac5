import { useId } from 'react';
import { unitOf } from '../../features/alerts/chart.ts';
import { windows, type MetricDraft } from '../../features/alerts/draft.ts';
import { aggregatesOf, dataSetWords, span } from '../../features/alerts/words.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

/** What is measured, what it is held against, and where it gets bad. */
export function MetricFields({ draft, problems, onChange }: PartProps) {
  const { metric } = draft;
  const listId = useId();
  const set = (changes: Partial<MetricDraft>): void => onChange({ metric: { ...metric, ...changes } });
  const isAnomaly = metric.comparison === 'anomaly';
  const unit = unitOf(metric);
  return (
    <>
      <Section title="What is measured">
        <div className={styles.fields}>
          <SelectField
            label="Of"
            hint="Errors are events; spans are steps of requests."
            error={problems['dataset']}
            value={metric.dataset}
            onChange={(event) => {
              const dataset = event.target.value as MetricDraft['dataset'];
              set({ dataset, aggregate: aggregatesOf[dataset][0] ?? '' });
            }}
          >
            {Object.entries(dataSetWords).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </SelectField>
          {metric.dataset === 'sessions' ? (
            <SelectField
              label="Number"
              hint="Crash-free rates are percent."
              error={problems['aggregate']}
              value={metric.aggregate}
              onChange={(event) => set({ aggregate: event.target.value })}
            >
              {aggregatesOf.sessions.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </SelectField>
          ) : (
            <TextField
              label="Number"
              hint="As Explore writes it."
              error={problems['aggregate']}
              mono
              list={listId}
              value={metric.aggregate}
              maxLength={500}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set({ aggregate: event.target.value })}
            />
          )}
          <datalist id={listId}>
            {aggregatesOf[metric.dataset].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
          <SelectField
            label="Over"
            hint="The longer, the calmer and later."
            error={problems['window']}
            value={metric.minutes}
            onChange={(event) => set({ minutes: Number(event.target.value) })}
          >
            {[...new Set([...windows, metric.minutes])]
              .toSorted((a, b) => a - b)
              .map((each) => (
                <option key={each} value={each}>
                  {span(each)}
                </option>
              ))}
          </SelectField>
        </div>
      </Section>
      <Section title="When it is bad">
        <div className={styles.fields}>
          <SelectField
            label="Compared with"
            error={problems['comparison']}
            hint={
              isAnomaly
                ? 'The same hours of earlier weeks; it needs two of them.'
                : metric.comparison === 'change'
                  ? 'Thresholds are percent of what was before.'
                  : 'Thresholds are numbers as they are measured.'
            }
            value={metric.comparison}
            onChange={(event) => set({ comparison: event.target.value as MetricDraft['comparison'] })}
          >
            <option value="static">a threshold</option>
            <option value="change">what was before</option>
            <option value="anomaly">what is usual</option>
          </SelectField>
          {metric.comparison === 'change' && (
            <SelectField
              label="Before"
              hint="A week before knows weekends."
              value={metric.against}
              onChange={(event) => set({ against: event.target.value as MetricDraft['against'] })}
            >
              <option value="previous">the {span(metric.minutes)} before</option>
              <option value="day">a day before</option>
              <option value="week">a week before</option>
            </SelectField>
          )}
          {isAnomaly && (
            <SelectField
              label="Sensitivity"
              hint="High fires more often, and for less."
              value={metric.sensitivity}
              onChange={(event) => set({ sensitivity: event.target.value as MetricDraft['sensitivity'] })}
            >
              <option value="low">low</option>
              <option value="medium">medium</option>
              <option value="high">high</option>
            </SelectField>
          )}
          <SelectField
            label="Bad is"
            hint={metric.comparison === 'static' ? 'Of rates that should be high: below.' : 'Which way it moves.'}
            error={problems['direction']}
            value={metric.comparison === 'static' && metric.direction === 'both' ? 'above' : metric.direction}
            onChange={(event) => set({ direction: event.target.value as MetricDraft['direction'] })}
          >
            <option value="above">{metric.comparison === 'change' ? 'more' : 'above'}</option>
            <option value="below">{metric.comparison === 'change' ? 'less' : 'below'}</option>
            {metric.comparison !== 'static' && <option value="both">either</option>}
          </SelectField>
        </div>
        {!isAnomaly && (
          <div className={styles.fields}>
            {(
              [
                ['critical', 'Critical', 'Required.'],
                ['warning', 'Warning', 'Empty for none.'],
                ['resolve', 'Resolve', 'Empty: slightly inside the lowest threshold.'],
              ] as const
            ).map(([name, label, hint]) => (
              <TextField
                key={name}
                label={unit ? `${label} (${unit})` : label}
                hint={hint}
                error={problems[name]}
                inputMode="decimal"
                value={metric[name]}
                maxLength={20}
                autoComplete="off"
                onChange={(event) => set({ [name]: event.target.value })}
              />
            ))}
          </div>
        )}
        <div className={styles.fields}>
          <SelectField
            label="Without data"
            hint="When there is nothing to make a number of."
            value={metric.noData}
            onChange={(event) => set({ noData: event.target.value as MetricDraft['noData'] })}
          >
            <option value="ok">all is well</option>
            <option value="keep">it stays as it was</option>
            <option value="alert">it fires</option>
          </SelectField>
        </div>
      </Section>
    </>
  );
}
