/** Requests to find, export and erase what is stored of a person or an event; projects on hold. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Erasure = Schemas['Erasure'];
export type Certificate = Schemas['ErasureCertificate'];
export type ErasureRequest = Schemas['ErasureRequest'];
export type HeldProject = Schemas['HeldProject'];
export type Counts = NonNullable<Erasure['found']>;

const isUnderWay = ({ status }: Erasure): boolean => ['finding', 'exporting', 'removing'].includes(status);
/** Neither over nor about to be: it can still be cancelled. */
export const isCancellable = ({ status }: Erasure): boolean => ['finding', 'found', 'exporting'].includes(status);

const whileRunningMs = 1_000;
const at = (org: string, erasure: string) => ({ params: { path: { org, erasure } } });

export const erasuresQuery = (org: string) =>
  queryOptions({
    queryKey: ['erasures', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/erasures/', { params: { path: { org } }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? whileRunningMs : false),
  });

export const certificateQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['erasures', org, id, 'certificate'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/erasures/{erasure}/certificate/', { ...at(org, id), signal }),
  });

export const startErasure = (org: string, body: ErasureRequest): Promise<Erasure> =>
  api.post('/api/0/organizations/{org}/erasures/', { params: { path: { org } }, body });

export const exportErasure = (org: string, id: string): Promise<Erasure> =>
  api.post('/api/0/organizations/{org}/erasures/{erasure}/export/', at(org, id));

export const confirmErasure = (org: string, id: string, confirm: string): Promise<Erasure> =>
  api.post('/api/0/organizations/{org}/erasures/{erasure}/erase/', { ...at(org, id), body: { confirm } });

export const cancelErasure = (org: string, id: string): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/erasures/{erasure}/', at(org, id));

/** Where the browser gets them. */
const pathOf = (org: string, id: string): string =>
  `/api/0/organizations/${encodeURIComponent(org)}/erasures/${encodeURIComponent(id)}/`;
export const filePath = (org: string, id: string): string => `${pathOf(org, id)}file/`;
export const certificatePath = (org: string, id: string): string => `${pathOf(org, id)}certificate/`;

export const holdsQuery = (org: string) =>
  queryOptions({
    queryKey: ['holds', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/holds/', { params: { path: { org } }, signal }),
  });

const project = (org: string, slug: string) => ({ params: { path: { org, project: slug } } });

export const setHold = (org: string, slug: string, reason: string): Promise<unknown> =>
  api.put('/api/0/projects/{org}/{project}/hold/', { ...project(org, slug), body: { reason } });

export const releaseHold = (org: string, slug: string): Promise<unknown> =>
  api.delete('/api/0/projects/{org}/{project}/hold/', project(org, slug));
