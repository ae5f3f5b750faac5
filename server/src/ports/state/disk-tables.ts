/** How full the disk of each node was. Times are ms since the epoch. */

export interface DiskSampleTable {
  node: string;
  at: number;
  /** By whomever; of the whole disk. */
  used_bytes: number;
  free_bytes: number;
}

export interface DiskReportTable {
  node: string;
  at: number;
  /** JSON; `domains/disk/report.ts` says of what. */
  report: string;
}

export interface DiskTables {
  disk_sample: DiskSampleTable;
  disk_report: DiskReportTable;
}
