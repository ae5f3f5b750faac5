/** Exports as the API shows them. */
import type { z } from 'zod';
import { type ExportJob, exportsKeptMs } from '../../domains/explore/index.ts';
import { ExportQuestion, type getExport } from './export-contract.ts';

type DataExport = z.output<typeof getExport.response>;

export function toDataExport(job: ExportJob, nowMs: number): DataExport {
  const { id, format, limit, total, rows, bytes, detail, createdAt, finishedAt, state } = job;
  const expires = finishedAt === null ? null : finishedAt + exportsKeptMs;
  const wanted = total === null ? 0 : Math.min(total, limit);
  return {
    id: String(id),
    format,
    question: ExportQuestion.parse(job.question),
    status: state === 'done' && expires !== null && expires <= nowMs ? 'expired' : state,
    progress: state === 'done' ? 1 : wanted ? Math.min(1, rows / wanted) : 0,
    rows,
    total,
    limit,
    truncated: total !== null && total > limit,
    bytes,
    fileName: fileNameOf(job),
    detail,
    dateCreated: new Date(createdAt).toISOString(),
    dateFinished: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    dateExpires: state === 'done' && expires !== null ? new Date(expires).toISOString() : null,
  };
}

/** `explore-errors-2026-02-03-12.csv`. */
export function fileNameOf({ id, format, question, createdAt }: ExportJob): string {
  const { dataset } = ExportQuestion.parse(question);
  return `explore-${dataset}-${new Date(createdAt).toISOString().slice(0, 10)}-${id}.${format}`;
}
