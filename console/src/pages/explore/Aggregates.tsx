import { AddIcon, RemoveIcon } from '../../ui/icons.ts';
import {
  aggregateChoices,
  nextAxis,
  withAttribute,
  withFunction,
  type Attribute,
} from '../../features/explore/choices.ts';
import type { DataSet } from '../../features/explore/data-sets.ts';
import { readCall } from '../../features/explore/lists.ts';
import { maxAxes } from '../../features/explore/question.ts';
import * as m from '../../messages/explore.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import styles from './Question.module.css';

interface Props {
  readonly dataSet: DataSet;
  readonly axes: readonly string[];
  readonly attributes: readonly Attribute[];
  readonly onAxes: (axes: readonly string[]) => void;
}

/** What is counted or measured: up to four aggregates, each a chart and a column. */
export function Aggregates({ dataSet, axes, attributes, onAxes }: Props) {
  const replace = (index: number, axis: string): void => {
    const next = axes.map((each, at) => (at === index ? axis : each));
    onAxes([...new Set(next)]);
  };
  return (
    <fieldset className={styles.part}>
      <legend>{m.show}</legend>
      <ul className={styles.entries}>
        {axes.map((axis, index) => (
          <li key={axis} className={styles.entry}>
            <Aggregate
              axis={axis}
              number={index + 1}
              dataSet={dataSet}
              attributes={attributes}
              onAxis={(next) => replace(index, next)}
            />
            {axes.length > 1 && (
              <IconButton
                size="small"
                label={m.remove({ name: axis })}
                icon={<RemoveIcon size={12} />}
                onClick={() => onAxes(axes.filter((each) => each !== axis))}
              />
            )}
          </li>
        ))}
      </ul>
      {axes.length < maxAxes && (
        <Button
          size="small"
          variant="ghost"
          icon={<AddIcon size={14} />}
          aria-label={m.addAggregate}
          onClick={() => onAxes([...axes, nextAxis(dataSet, axes)])}
        >
          {m.add}
        </Button>
      )}
    </fieldset>
  );
}

function Aggregate({
  axis,
  number,
  dataSet,
  attributes,
  onAxis,
}: {
  readonly axis: string;
  readonly number: number;
  readonly dataSet: DataSet;
  readonly attributes: readonly Attribute[];
  readonly onAxis: (axis: string) => void;
}) {
  const choices = aggregateChoices(dataSet);
  const call = readCall(axis);
  const choice = choices.find(({ name }) => name === call?.name);
  const argument = call?.args[0] ?? '';
  const fitting = attributes.filter(({ isNumber }) => choice?.takes === 'key' || isNumber);
  return (
    <>
      <InlineSelect
        label={m.aggregate({ number: exactNumber(number) })}
        value={choice ? choice.name : axis}
        onChange={(event) => {
          const chosen = choices.find(({ name }) => name === event.target.value);
          if (chosen) onAxis(withFunction(axis, chosen, dataSet, attributes));
        }}
      >
        {!choice && (
          <option value={axis} translate="no">
            {axis}
          </option>
        )}
        {choices.map(({ name, description }) => (
          <option key={name} value={name} title={description} translate="no">
            {name}
          </option>
        ))}
      </InlineSelect>
      {choice && choice.takes !== 'nothing' && (
        <>
          <Text tone="faint" small>
            {m.of}
          </Text>
          <InlineSelect
            label={m.attributeOf({ number: exactNumber(number) })}
            value={argument}
            onChange={(event) => onAxis(withAttribute(axis, event.target.value))}
          >
            {!fitting.some(({ name }) => name === argument) && (
              <option value={argument}>{argument || m.chooseAttribute}</option>
            )}
            {fitting.map(({ name }) => (
              <option key={name} value={name} translate="no">
                {name}
              </option>
            ))}
          </InlineSelect>
        </>
      )}
    </>
  );
}
