/** What storms sampled, so that the counts of lists say how sure they are without a look at the events. */

export interface SampledDayTable {
  project_id: number;
  /** Group hash; '' for all of the project. */
  hash: string;
  /** Days since the epoch, UTC, of the errors. */
  day: number;
  /** Sum of w (w - 1) over what is stored, each of which stands for w errors. */
  spread: number;
  /** Largest w. */
  largest: number;
  /** Sum of w - 1: those that are counted and not stored. Null where it is not known of all of the day. */
  errors: number | null;
}

export interface SampledTables {
  sampled_day: SampledDayTable;
}
