import type { z } from 'zod';
import type { Certificate, Erasure, Found } from '../../domains/erase/index.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import type * as contract from './contract.ts';

const countsOf = ({ kinds }: Found) => Object.entries(kinds).map(([kind, counts]) => ({ kind, ...counts }));

export const toErasure = (one: Erasure): z.output<typeof contract.getErasure.response> => ({
  id: String(one.id),
  reference: one.reference,
  status: one.state,
  step: one.progress?.step ?? '',
  progress: one.progress && one.progress.done > 0 ? one.progress.done : null,
  found: one.found ? countsOf(one.found) : null,
  fileBytes: one.fileBytes,
  detail: one.detail,
  dateCreated: iso(one.createdAt),
  dateConfirmed: isoOrNull(one.confirmedAt),
  dateFinished: isoOrNull(one.finishedAt),
  hasCertificate: one.certificate !== undefined,
});

export const toCertificate = (one: Certificate): z.output<typeof contract.getCertificate.response> => ({
  id: String(one.id),
  reference: one.reference,
  dateRequested: iso(one.requestedAt),
  dateConfirmed: iso(one.confirmedAt),
  dateFinished: iso(one.finishedAt),
  salt: one.salt,
  values: [...one.values],
  projects: [...one.projects],
  mentions: one.mentions,
  found: countsOf(one.found),
  removed: Object.entries(one.removed).map(([kind, count]) => ({ kind, count })),
  left: {
    deliveries: one.left.deliveries.map(({ lastAt, ...more }) => ({ ...more, dateLast: iso(lastAt) })),
    mirrors: one.left.mirrors.map(({ since, ...more }) => ({ ...more, dateSince: iso(since) })),
    auditStream: one.left.auditStream,
  },
  remains: [...one.remains],
  foundAfter: one.foundAfter,
});
