/** What is done with projects, their keys, files and settings. For the test of the audit log. */
import { hash } from '../../../domains/issues/testing/stores.ts';
import { org } from '../../teams/testing.ts';
import { type Deeds, type Made, project } from './deeds.ts';

export async function projectsAndKeys({ api, does }: Deeds): Promise<void> {
  await does('createProject', 'POST', `${org}/projects/`, { name: 'Api' });
  await does('createTeamProject', 'POST', '/api/0/teams/acme/payments/projects/', { name: 'Worker' });
  await does('updateProject', 'PUT', `${project}/`, { name: 'Web 2', settings: { scrubData: false } });
  await does('updatePerformanceConfiguration', 'PUT', `${project}/performance-issues/configure/`, {
    n_plus_one_db_queries_detection_enabled: false,
  });
  const key = await does<Made>('createKey', 'POST', `${project}/keys/`, { name: 'Second' });
  await does('updateKey', 'PUT', `${project}/keys/${key.id}/`, { isActive: false });
  await does('deleteKey', 'DELETE', `${project}/keys/${key.id}/`);
  await does('addProjectAlias', 'POST', `${project}/aliases/`, { alias: '4507199254740993' });
  await does('deleteProjectAlias', 'DELETE', `${project}/aliases/4507199254740993/`);
  await does('setMirror', 'PUT', `${project}/mirror/`, { dsn: 'http://key@127.0.0.1:9/1' });
  await does('setMirror', 'PUT', `${project}/mirror/`, { enabled: false });
  await does('testMirror', 'POST', `${project}/mirror/test/`);
  await does('deleteMirror', 'DELETE', `${project}/mirror/`);
  await does('updateOwnership', 'PUT', `${project}/ownership/`, { raw: 'path:src/* #payments' });
  const file = await does<Made>('createCodeowners', 'POST', `${project}/codeowners/`, { raw: '* @acme/payments' });
  await does('updateCodeowners', 'PUT', `${project}/codeowners/${file.id}/`, { raw: '/src @acme/payments' });
  await does('deleteCodeowners', 'DELETE', `${project}/codeowners/${file.id}/`);
  const repository = await does<Made>('createRepository', 'POST', `${org}/repos/`, {
    name: 'acme/shop',
    url: 'https://github.com/acme/shop',
  });
  await does('updateRepository', 'PUT', `${org}/repos/${repository.id}/`, { defaultBranch: 'trunk' });
  const mapping = await does<Made>('createCodeMapping', 'POST', `${org}/code-mappings/`, {
    project: 'web',
    repoId: repository.id,
    stackRoot: '/app/src',
    sourceRoot: 'src',
  });
  await does('updateCodeMapping', 'PUT', `${org}/code-mappings/${mapping.id}/`, { sourceRoot: 'lib' });
  await does('deleteCodeMapping', 'DELETE', `${org}/code-mappings/${mapping.id}/`);
  const mappings = [{ stackRoot: '/app/src', sourceRoot: 'src' }];
  const many = { project: 'web', repository: 'acme/shop', mappings };
  await does('setCodeMappings', 'POST', `${org}/code-mappings/bulk/`, many);
  await does('setCodeMappings', 'POST', `${org}/code-mappings/bulk/`, many);
  await does('deleteRepository', 'DELETE', `${org}/repos/${repository.id}/`);
  await does('deleteProject', 'DELETE', '/api/0/projects/acme/api/');
  for (const [id, url] of [
    ['deleteRelease', `${org}/releases/a@1/`],
    ['deleteProjectRelease', `${project}/releases/b@1/`],
  ] as const) {
    const version = id === 'deleteRelease' ? 'a@1' : 'b@1';
    await api.send('POST', `${org}/releases/`, { version, projects: ['web'] });
    await does(id, 'DELETE', url);
  }
}

export async function uploads({ api, does }: Deeds): Promise<void> {
  const [row] = await api.state.db
    .insertInto('artifact_bundle')
    .values({
      organization_id: api.organizationId,
      checksum: hash('bundle') + '0'.repeat(8),
      release: 'a@1',
      dist: '',
      state: 'ok',
      detail: '',
      chunks: '[]',
      size_bytes: 1,
      file_count: 0,
      index_version: 9_999,
      created_at: Date.now(),
      uploaded_at: Date.now(),
      indexed_at: Date.now(),
      last_used_at: null,
    })
    .returning('id')
    .execute();
  const place = { bundle_id: row?.id ?? 0, project_id: api.projectId };
  await api.state.db.insertInto('artifact_bundle_project').values(place).execute();
  await does('deleteArtifactBundle', 'DELETE', `${project}/files/artifact-bundles/?bundleId=${row?.id}`);
  await api.state.db.updateTable('artifact_bundle').set({ kind: 'debug', name: 'a.zip' }).execute();
  await api.state.db.insertInto('artifact_bundle_project').values(place).execute();
  await does('deleteDebugFile', 'DELETE', `${project}/files/dsyms/?id=${row?.id}`);
}
