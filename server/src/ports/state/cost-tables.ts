/** What each project takes of the disk. Times are ms since the epoch. */

export interface ProjectCostTable {
  project_id: number;
  at: number;
  /** JSON; `domains/costs/report.ts` says of what. */
  report: string;
}

export interface CostTables {
  project_cost: ProjectCostTable;
}
