/** What builds upload: chunks, artifact bundles, and how source maps are doing. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, projectParams, repeatable } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const sha1 = z.string().regex(/^[0-9a-f]{40}$/i, invalid.sha1);
const tag = 'Source maps';

export const getChunkUpload = endpoint({
  method: 'GET',
  url: '/organizations/:org/chunk-upload/',
  id: 'getChunkUpload',
  tag,
  summary: 'Get upload settings: address, chunk size and compression',
  access: 'project:releases',
  params: orgParams,
  response: z
    .object({
      url: z.string().describe('Absolute address to post chunks to.'),
      chunkSize: z.int().describe('Maximum bytes of a chunk before compression.'),
      chunksPerRequest: z.int(),
      maxRequestSize: z.int().describe('Maximum bytes of a request.'),
      maxFileSize: z.int().describe('Maximum bytes of all chunks of a bundle.'),
      concurrency: z.int(),
      hashAlgorithm: z.literal('sha1'),
      compression: z.array(z.string()),
      accept: z.array(z.string()).describe('Supported kinds of uploads.'),
    })
    .meta({ id: 'ChunkUpload' }),
});

export const postChunks = endpoint({
  method: 'POST',
  url: '/organizations/:org/chunk-upload/',
  id: 'postChunks',
  tag,
  summary: 'Upload chunks',
  description:
    'multipart/form-data with one part per chunk: name `file`, or `file_gzip` if compressed. The file name is the SHA-1 of the uncompressed chunk.',
  access: 'project:releases',
  upload: true,
  params: orgParams,
  status: 200,
});

const assembleState = z.enum(['ok', 'not_found', 'created', 'assembling', 'error']);

const Assembled = z
  .object({
    state: assembleState.describe(
      'not_found: chunks are missing. created, assembling: complete, in progress. ok or error: finished.',
    ),
    missingChunks: z.array(z.string()),
    detail: z.string().optional().describe('What failed and what to do, as text.'),
  })
  .meta({ id: 'Assembled' });

export const assembleBundle = endpoint({
  method: 'POST',
  url: '/organizations/:org/artifactbundle/assemble/',
  id: 'assembleBundle',
  tag,
  summary: 'Assemble uploaded chunks into a bundle, or list missing chunks',
  access: 'project:releases',
  params: orgParams,
  body: z
    .object({
      checksum: sha1.describe('SHA-1 of the whole bundle.'),
      chunks: z.array(sha1).min(1, invalid.noChunk).max(8192),
      projects: z.array(z.string().max(200)).max(100).describe('Slugs.'),
      version: z.string().max(250).nullish().describe('Release of the files.'),
      dist: z.string().max(64).nullish(),
    })
    .meta({ id: 'AssembleBundleRequest' }),
  response: Assembled,
});

export const DebugFile = z
  .object({
    id: z.string(),
    uuid: z.string().describe('Same as debugId.'),
    debugId: z.string(),
    objectName: z.string().describe('Name of the upload.'),
    cpuName: z.string(),
    symbolType: z.enum(['proguard', 'sourcebundle', 'unknown']),
    size: z.int().describe('Bytes.'),
    sha1: z.string(),
    state: z.enum(['created', 'assembling', 'ok', 'error']),
    detail: z.string().nullable().describe('Why it is not usable, and what to do.'),
    entries: z.int().describe('Classes of a mapping, files of a source bundle.'),
    framesResolved: z.int(),
    dateCreated: dateTime('First upload.'),
    dateModified: dateTime('Last upload.'),
    dateLastUsed: dateTime('When a frame was last resolved with it.').nullable(),
    data: z.object({ type: z.string().optional(), features: z.array(z.string()) }),
  })
  .meta({ id: 'DebugFile' });

export const assembleDebugFiles = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/files/difs/assemble/',
  id: 'assembleDebugFiles',
  tag,
  summary: 'Assemble uploaded chunks into debug files, or list missing chunks',
  description: 'ProGuard mappings (named /proguard/UUID.txt) and source bundles. Native debug files are rejected.',
  access: 'project:releases',
  params: projectParams,
  body: z.record(
    sha1,
    z.object({
      name: z.string().max(1_000),
      debug_id: z.string().max(100).nullish(),
      chunks: z.array(sha1).max(8192),
    }),
  ),
  response: z.record(z.string(), Assembled.extend({ dif: DebugFile.nullable() }).meta({ id: 'AssembledDebugFile' })),
});

export const listDebugFiles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/files/dsyms/',
  id: 'listDebugFiles',
  tag,
  summary: 'List debug files of a project, last uploaded first',
  description: 'With `id`, the bytes of that file as a download, which needs the scope project:releases.',
  access: 'project:read',
  params: projectParams,
  query: z.object({
    ...pageQuery,
    query: z.string().max(250).optional().describe('A debug ID or a part of a name.'),
    id: z.string().max(20).optional().describe('The file to download.'),
  }),
  response: z.array(DebugFile),
});

export const findMissingDebugFiles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/files/dsyms/unknown/',
  id: 'findMissingDebugFiles',
  tag,
  summary: 'Find out which debug files are not uploaded yet',
  access: 'project:releases',
  params: projectParams,
  query: z.object({ checksums: repeatable('SHA-1 of each file, at most 1,000.') }),
  response: z.object({ missing: z.array(z.string()) }).meta({ id: 'MissingDebugFiles' }),
});

export const uploadDebugFiles = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/files/dsyms/',
  id: 'uploadDebugFiles',
  tag,
  summary: 'Upload ProGuard mappings in a zip',
  description: 'multipart/form-data with one part named `file`: a zip with proguard/UUID.txt.',
  access: 'project:releases',
  upload: true,
  params: projectParams,
  status: 200,
  response: z.array(DebugFile),
});

export const deleteDebugFile = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/files/dsyms/',
  id: 'deleteDebugFile',
  tag,
  summary: 'Remove a debug file from a project; one without projects is deleted',
  access: 'project:releases',
  params: projectParams,
  query: z.object({ id: z.string().max(20) }),
  status: 204,
});

export const associateMapping = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/files/proguard-artifact-releases/',
  id: 'associateMapping',
  tag,
  summary: 'Name the release of a ProGuard mapping, for sentry-cli 2; events name the mapping themselves',
  access: 'project:releases',
  params: projectParams,
  body: z.object({ release_name: z.string().min(1).max(250), proguard_uuid: z.string().max(64) }),
  status: 201,
  response: z.object({ release_name: z.string(), proguard_uuid: z.string() }),
});

export const Bundle = z
  .object({
    bundleId: z.string(),
    associations: z
      .array(z.object({ release: z.string(), dist: z.string().nullable() }))
      .describe('Release of the upload; empty if it has debug IDs only.'),
    checksum: z.string().describe('SHA-1.'),
    state: z.enum(['created', 'assembling', 'ok', 'error']),
    detail: z.string().nullable().describe('Why it was rejected, and what to do.'),
    date: dateTime('First upload.'),
    dateModified: dateTime('Last upload.'),
    dateIndexed: dateTime().nullable(),
    dateLastUsed: dateTime('When a frame was last resolved with it.').nullable(),
    sizeBytes: z.int(),
    fileCount: z.int().describe('Number of files in it.'),
    projects: z.array(z.string()).describe('Slugs.'),
    scripts: z.int().describe('Scripts in it, or maps without one.'),
    mapped: z.int().describe('Scripts with a usable map.'),
    broken: z.int().describe('Scripts whose map is missing or not usable.'),
    framesResolved: z.int(),
  })
  .meta({ id: 'ArtifactBundle' });

export const Artifact = z
  .object({
    id: z.string(),
    bundleId: z.string(),
    name: z.string().describe('URL of the script; ~ matches any scheme and host.'),
    debugId: z.string().nullable(),
    dist: z.string().nullable(),
    mapUrl: z.string().nullable(),
    scriptSize: z.int().describe('Bytes.'),
    mapSize: z.int().describe('Bytes.'),
    sources: z.int().describe('Source files in the map.'),
    mapped: z.boolean().describe('Whether its map is usable.'),
    problem: z.string().nullable().describe('Why its map is not usable, and what to do.'),
    framesResolved: z.int(),
    dateLastUsed: dateTime().nullable(),
  })
  .meta({ id: 'Artifact' });

export const listBundles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/files/artifact-bundles/',
  id: 'listArtifactBundles',
  tag,
  summary: 'List artifact bundles of a project, last uploaded first',
  access: 'project:read',
  params: projectParams,
  query: z.object({
    ...pageQuery,
    query: z.string().max(250).optional().describe('A debug ID, a part of a URL, a release or a bundle ID.'),
    release: z.string().max(250).optional().describe('Uploads for this release only.'),
  }),
  response: z.array(Bundle),
});

export const deleteBundle = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/files/artifact-bundles/',
  id: 'deleteArtifactBundle',
  tag,
  summary: 'Remove a bundle from a project; a bundle without projects is deleted',
  access: 'project:releases',
  params: projectParams,
  query: z.object({ bundleId: z.string().max(20) }),
  status: 204,
});

export const getBundleFiles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/artifact-bundles/:bundle/files/',
  id: 'getArtifactBundleFiles',
  tag,
  summary: 'Get a bundle with its scripts and maps, most used first',
  access: 'project:read',
  params: projectParams.extend({ bundle: z.string().max(20) }),
  query: z.object(pageQuery),
  response: Bundle.extend({ files: z.array(Artifact) }).meta({ id: 'ArtifactBundleFiles' }),
});

export const listReleaseFiles = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/:version/files/',
  id: 'listReleaseFiles',
  tag,
  summary: 'List scripts and maps of a release with the frames they resolved, most used first',
  access: 'project:read',
  params: orgParams.extend({ version: z.string().max(250) }),
  query: z.object(pageQuery),
  response: z.array(Artifact),
});

export const listProjectReleaseFiles = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/releases/:version/files/',
  id: 'listProjectReleaseFiles',
  tag,
  summary: 'List scripts and maps of a release in a project with the frames they resolved, most used first',
  access: 'project:read',
  params: projectParams.extend({ version: z.string().max(250) }),
  query: z.object(pageQuery),
  response: z.array(Artifact),
});

export const getSourceMaps = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/source-maps/',
  id: 'getSourceMaps',
  tag,
  summary: 'Check whether a project has usable source maps',
  access: 'project:read',
  params: projectParams,
  response: z
    .object({
      state: z
        .enum(['none', 'indexing', 'ok', 'problems', 'error'])
        .describe(
          'none: no upload. indexing: the last upload is in progress. problems: some of its maps are not usable. error: it was rejected.',
        ),
      detail: z.string().nullable().describe('What is wrong with the last upload, and what to do.'),
      bundles: z.int(),
      indexing: z.int().describe('Bundles in progress.'),
      scripts: z.int(),
      mapped: z.int().describe('Scripts with a usable map.'),
      broken: z.int().describe('Scripts whose map is missing or not usable.'),
      framesResolved: z.int(),
      lastUpload: dateTime().nullable(),
      lastUsed: dateTime('When a frame was last resolved.').nullable(),
      lastBundle: Bundle.nullable(),
    })
    .meta({ id: 'SourceMaps' }),
});
