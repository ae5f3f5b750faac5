import * as m from '../../messages/charts.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import styles from './ChartFrame.module.css';

export interface TableColumn {
  readonly label: string;
  readonly isData?: boolean | undefined;
  readonly cell: (row: number) => string;
}

interface Props {
  readonly title: string;
  /** Columns of the chart, in the order of the rows. */
  readonly rows: readonly number[];
  /** The first says which row it is. */
  readonly columns: readonly TableColumn[];
}

/** What a chart shows, as a table. */
export function ChartTable({ title, rows, columns }: Props) {
  return (
    <ScrollRegion className={styles.numbers} label={m.table({ title })}>
      <table>
        <thead>
          <tr>
            {columns.map(({ label, isData }) => (
              <th key={label} scope="col" translate={isData ? 'no' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {columns.map(({ label, cell }) => (
                <td key={label}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
