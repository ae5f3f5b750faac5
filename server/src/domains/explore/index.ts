export { compareSelection } from './compare.ts';
export { defaultPeriod, createExporter, type Exporter } from './export/exporter.ts';
export {
  addExport,
  type ExportJob,
  type ExportOwner,
  exportKey,
  findExport,
  keptMs as exportsKeptMs,
  listExports,
} from './export/jobs.ts';
export { headOf as exportHead, lineOf as exportLine } from './export/csv.ts';
export { type ReadRow, rowReader, type RowSource } from './export/row-pages.ts';
export { checkRows, isRowExport } from './export/rows.ts';
export { limitOf as exportLimitOf } from './export/write.ts';
export { type Buckets, bucketsOf, parseInterval } from './buckets.ts';
export { latestNamed } from './latest.ts';
export { QuestionError, type QuestionProblem } from './question-error.ts';
export { readComparison, readSeries, readTable, type SeriesQuestion, type SeriesTexts } from './read-question.ts';
export { readSeriesOf, type Series, type SeriesGroup } from './series.ts';
export { countRows, readTableRows, type RowCount } from './table.ts';
export { planRows } from './estimate/plan.ts';
export { type Sample, type SamplingLimits, samplingLimits, shareOf, stretchSql } from './estimate/sample.ts';
export type { CellInterval, Sampling } from './estimate/types.ts';
export type { IssueProject } from './issue-terms.ts';
export type { Cell, Column, ExploreDataSet, ExploreScope, Row, TableQuestion } from './types.ts';
export { windowInterval } from './window-interval.ts';
export {
  readSlidingWindows,
  readWindows,
  type WindowOptions,
  type WindowQuestion,
  type WindowValue,
} from './windows.ts';
