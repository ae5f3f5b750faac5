/** A loader for webpack: TypeScript without its types, every character where it was. */
import { stripTypeScriptTypes } from 'node:module';

export default function stripTypesLoader(source: string): string {
  return stripTypeScriptTypes(source);
}
