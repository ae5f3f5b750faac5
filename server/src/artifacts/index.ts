export { findByDebugIds, findByUrls, noteUse, projectsWithArtifacts } from './find.ts';
export type { ScriptArtifact } from './find.ts';
