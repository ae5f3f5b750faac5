import { useId } from 'react';
import { unitOf } from '../../features/alerts/chart.ts';
import { windows, withOwn, type MetricDraft } from '../../features/alerts/draft.ts';
import { aggregatesOf, span } from '../../features/alerts/words.ts';
import * as m from '../../messages/alerts.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';

type Labels = Readonly<Record<string, string>>;

const optionsOf = (labels: Labels) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** What is measured, what it is compared with, and its thresholds. */
export function MetricFields({ draft, problems, onChange }: PartProps) {
  const { metric } = draft;
  const set = (changes: Partial<MetricDraft>): void => onChange({ metric: { ...metric, ...changes } });
  return (
    <>
      <Measured metric={metric} problems={problems} set={set} />
      <Thresholds metric={metric} problems={problems} set={set} />
    </>
  );
}

interface MetricProps extends Pick<PartProps, 'problems'> {
  readonly metric: MetricDraft;
  readonly set: (changes: Partial<MetricDraft>) => void;
}

function Measured({ metric, problems, set }: MetricProps) {
  const listId = useId();
  const offered = aggregatesOf[metric.dataset].map((name) => <option key={name}>{name}</option>);
  return (
    <Section title={m.metricTitle}>
      <FieldRow>
        <SelectField
          label={m.dataset}
          hint={m.datasetHint}
          error={problems['dataset']}
          value={metric.dataset}
          onChange={(event) => {
            const dataset = event.target.value as MetricDraft['dataset'];
            set({ dataset, aggregate: aggregatesOf[dataset][0] ?? '' });
          }}
        >
          {optionsOf(m.datasets)}
        </SelectField>
        {metric.dataset === 'sessions' ? (
          <SelectField
            label={m.aggregate}
            hint={m.sessionsHint}
            error={problems['aggregate']}
            value={metric.aggregate}
            translate="no"
            onChange={(event) => set({ aggregate: event.target.value })}
          >
            {offered}
          </SelectField>
        ) : (
          <TextField
            label={m.aggregate}
            hint={m.aggregateHint}
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
        <datalist id={listId} translate="no">
          {offered}
        </datalist>
        <SelectField
          label={m.over}
          hint={m.overHint}
          error={problems['window']}
          value={metric.minutes}
          onChange={(event) => set({ minutes: Number(event.target.value) })}
        >
          {withOwn(windows, metric.minutes).map((each) => (
            <option key={each} value={each}>
              {span(each)}
            </option>
          ))}
        </SelectField>
      </FieldRow>
    </Section>
  );
}

function Thresholds({ metric, problems, set }: MetricProps) {
  const { comparison } = metric;
  const unit = unitOf(metric);
  const { both, ...oneWay } = comparison === 'change' ? m.changes : m.directions;
  return (
    <Section title={m.thresholdTitle}>
      <FieldRow>
        <SelectField
          label={m.comparison}
          error={problems['comparison']}
          hint={m.comparisonHints[comparison]}
          value={comparison}
          onChange={(event) => set({ comparison: event.target.value as MetricDraft['comparison'] })}
        >
          {optionsOf(m.comparisons)}
        </SelectField>
        {comparison === 'change' && (
          <SelectField
            label={m.against}
            hint={m.againstHint}
            value={metric.against}
            onChange={(event) => set({ against: event.target.value as MetricDraft['against'] })}
          >
            <option value="previous">{m.againstPrevious({ window: span(metric.minutes) })}</option>
            {optionsOf(m.againsts)}
          </SelectField>
        )}
        {comparison === 'anomaly' && (
          <SelectField
            label={m.sensitivity}
            hint={m.sensitivityHint}
            value={metric.sensitivity}
            onChange={(event) => set({ sensitivity: event.target.value as MetricDraft['sensitivity'] })}
          >
            {optionsOf(m.sensitivities)}
          </SelectField>
        )}
        <SelectField
          label={m.direction}
          hint={comparison === 'static' ? m.directionHint : m.directionMoveHint}
          error={problems['direction']}
          value={comparison === 'static' && metric.direction === 'both' ? 'above' : metric.direction}
          onChange={(event) => set({ direction: event.target.value as MetricDraft['direction'] })}
        >
          {optionsOf(oneWay)}
          {comparison !== 'static' && <option value="both">{both}</option>}
        </SelectField>
      </FieldRow>
      {comparison !== 'anomaly' && (
        <FieldRow>
          {(['critical', 'warning', 'resolve'] as const).map((name) => (
            <TextField
              key={name}
              label={unit ? m.thresholdWithUnit({ threshold: m.thresholds[name], unit }) : m.thresholds[name]}
              hint={m.thresholdHints[name]}
              error={problems[name]}
              inputMode="decimal"
              value={metric[name]}
              maxLength={20}
              autoComplete="off"
              onChange={(event) => set({ [name]: event.target.value })}
            />
          ))}
        </FieldRow>
      )}
      <FieldRow>
        <SelectField
          label={m.noData}
          hint={m.noDataHint}
          value={metric.noData}
          onChange={(event) => set({ noData: event.target.value as MetricDraft['noData'] })}
        >
          {optionsOf(m.noDatas)}
        </SelectField>
      </FieldRow>
    </Section>
  );
}
