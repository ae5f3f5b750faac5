/** The surface of the API as its endpoints are now, and that of the last version, which is kept in git. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../server/src/api/openapi.ts';
import { type Document, fromText, type Surface, surfaceOf } from './surface.ts';

export const lastFile = join(import.meta.dirname, '../../docs/api-surface.txt');

export async function currentSurface(): Promise<Surface> {
  const document: unknown = await openApiDocument();
  return surfaceOf(document as Document);
}

export const lastSurface = (): Surface => fromText(readFileSync(lastFile, 'utf8'));
