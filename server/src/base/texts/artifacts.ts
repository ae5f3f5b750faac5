/** What is wrong with uploads of a build: bundles, their files and their source maps. Stored with each upload. */
const again = 'Upload the bundle again';
const fewer = 'Upload fewer files at a time';
const smaller = 'Split the build into smaller files';

export const bundleProblems = {
  notBundle: 'this is not an artifact bundle: it does not start with SYSB. Upload with sentry-cli or a plugin',
  notZip: (reason: string) => `the bundle is not a supported zip file: ${reason}`,
  tooLarge: (bytes: number, max: number) => `the bundle has ${bytes} bytes; the limit is ${max}. ${fewer}`,
  tooManyFiles: (count: number, max: number) => `the bundle has ${count} files; the limit is ${max}. ${fewer}`,
  sameName: (file: string) => `the bundle has two files named ${file}`,
  badName: (file: string) => `a file name in the bundle is empty, too long or not allowed: ${file}`,
  damaged: (file: string) => `${file} is damaged. ${again}`,
  encrypted: (file: string) => `${file} is encrypted. Upload it without encryption`,
  method: (file: string, method: number) => `${file} is compressed with method ${method}. Use deflate or none`,
  fileTooLarge: (file: string, bytes: number, max: number) =>
    `${file} has ${bytes} bytes; the limit for a file is ${max}. ${smaller}`,
  beyondEnd: (file: string) => `${file} extends beyond the end of the bundle. Upload it again`,
  filesTooLarge: (max: number) => `the files of the bundle exceed ${max} bytes after decompression. ${fewer}`,
  zipBomb: (ratio: number) =>
    `the bundle decompresses to more than ${ratio} times its size and is rejected as a zip bomb`,
  otherPosition: (file: string) => `${file} is not at the position in the bundle's directory. ${again}`,
  otherSize: (file: string) => `${file} has another size than in the bundle's directory. ${again}`,
  notInflated: (file: string) => `${file} cannot be decompressed. ${again}`,
  partMissing: 'a part of the upload is missing. Upload again in a minute',
  otherChecksum: 'the chunks do not match the checksum of the file. Upload again in a minute',
  unreadable: 'the server could not read the bundle; see its log. Upload again in a minute',
} as const;

export const manifestProblems = {
  missing: 'the bundle has no manifest.json. Upload with sentry-cli or a plugin',
  tooLarge: (bytes: number, max: number) =>
    `manifest.json of the bundle has ${bytes} bytes; the limit is ${max}. ${fewer}`,
  notJson: 'manifest.json of the bundle is not JSON',
  noFiles: 'manifest.json of the bundle has no object "files"',
  unknownFile: (file: string) => `manifest.json lists ${file}, which is not in the bundle`,
  noEntry: (file: string) => `manifest.json has no entry for ${file}`,
  url: (file: string) => `the url of ${file} in manifest.json is not text`,
  headers: (file: string) => `the headers of ${file} in manifest.json are not an object`,
  debugId: (file: string, id: string) =>
    `${file} has the debug id ${id}, which is not a UUID. Inject debug ids with sentry-cli or a plugin`,
  urlTooLong: (file: string, max: number) => `the url of ${file} is longer than ${max} characters`,
} as const;

/** Of the map of one script. */
export const mapProblems = {
  inlined:
    'its map is a data URL in the script, which is not supported. Configure the bundler to write separate source maps',
  noMap:
    'the upload has no source map for the script, and the script names none. Configure the bundler to write source maps',
  missing: (url: string) => `its source map ${url} is missing in the upload. Upload both together`,
  lookupMissing: 'its lookup file is missing. Upload the source map again',
  lookupDamaged: (reason: string) => `its lookup file is damaged (${reason}). Upload the source map again`,
  uploadTooLarge: (bytes: number, max: number) => `the map has ${bytes} bytes; the limit is ${max}. ${smaller}`,
  tooMuchMemory: (megabytes: number) => `reading the map needs more than ${megabytes} MB of memory. ${smaller}`,
  tooSlow: (seconds: number) => `reading the map took longer than ${seconds} seconds. ${smaller}`,
  tooLarge: 'the source map is too large',
  tooManyBytes: (bytes: number, max: number) => `the source map has ${bytes} bytes; the limit is ${max}`,
  empty: 'the source map is empty',
  notJson: (at: number) => `the source map is not valid JSON (byte ${at})`,
  notObject: 'the source map is not a JSON object',
  version: (version: string) => `the source map has version ${version}; only version 3 is supported`,
  noVersion: 'the source map has no version; expected 3',
  noMappings: 'the source map has no mappings',
  noSources: 'the source map has no list of sources',
  notText: (key: string) => `${key} is not text`,
  notList: (key: string) => `${key} is not a list`,
  valueNotText: (key: string) => `${key} contains a value that is not text`,
  tooMany: (max: number, what: 'sections' | 'sources' | 'names') => `the source map has more than ${max} ${what}`,
  tooDeep: (max: number) => `the source map nests sections more than ${max} levels deep`,
  sectionOrder: (section: number) => `section ${section} starts before section ${section - 1}`,
  sectionUrl: 'a section references its map by url. Upload a map with embedded sections',
  sectionMap: 'a section has no map',
  sectionStart: (key: string) => `a section has no start ${key}`,
  sectionTooFar: 'a section starts too far down',
  unordered: (line: number) => `line ${line} of the mappings has too many tokens that are not in order`,
  atCharacter: (at: number, problem: string) => `mappings, character ${at}: ${problem}`,
  character: 'an unexpected character',
  cutNumber: 'a truncated number',
  largeNumber: 'a number that is too large',
  shortToken: (numbers: number) => `a token with ${numbers} numbers`,
  longToken: 'a token with more than 5 numbers',
  position: (what: 'line' | 'column' | 'sourceLine' | 'sourceColumn', value: number) =>
    `${{ line: 'line', column: 'column', sourceLine: 'line of a source', sourceColumn: 'column of a source' }[what]} ${value}`,
  reference: (what: 'source' | 'name', index: number, count: number) => `${what} ${index} of ${count}`,
} as const;

const native =
  'native debug files (ELF, Mach-O, PDB, WebAssembly) are not supported: frames are shown as the SDK resolved them. For source lines, upload a bundle made by "sentry-cli debug-files bundle-sources"';

/** Of one debug file. */
export const debugFileProblems = {
  native,
  nativeWithSources:
    'not stored: native debug files are not used, and frames are shown as the SDK resolved them. The source bundle of this file is used',
  unknown: 'this is neither a ProGuard mapping nor a source bundle. Upload with sentry-cli or a plugin',
  noUuid: 'the ProGuard mapping has no UUID. Upload it with "sentry-cli proguard upload"',
  noDebugId: 'the source bundle has no debug ID. Bundle with "sentry-cli debug-files bundle-jvm --debug-id"',
  noSources: 'the source bundle contains no source files',
  tooManyClasses: 'the ProGuard mapping has too many classes',
  sourcesTooLarge: (max: number) => `the source files exceed ${max} bytes. Bundle fewer folders`,
  noMapping: 'the zip contains no proguard/UUID.txt. Upload it with "sentry-cli upload-proguard"',
} as const;

export const chunkProblems = {
  notNamed: 'its file name must be the SHA-1 of its content',
  tooLarge: (max: number) => `it is larger than ${max} bytes`,
  otherChecksum: (found: string) => `its content has the SHA-1 ${found}; it was damaged in transit`,
  notGzip: 'it is not compressed with gzip',
} as const;

export const uploads = {
  part: (name: string) => `A part must be named "file" or "file_gzip", not "${name}"`,
  unreadable: (reason: string) => `The upload is not multipart/form-data: ${reason}`,
  notMultipart: 'Chunks must be uploaded as multipart/form-data',
  noProject: 'no project. Pass --project, or set SENTRY_PROJECT',
  unknownProject: (name: string) => `the organisation has no project "${name}". Check --project or SENTRY_PROJECT`,
} as const;

/** Of the last upload of a project. */
export const lastUpload = {
  noScripts: 'The last upload contains no scripts or source maps',
  noMaps: 'No script of the last upload has a source map. Configure the bundler to write them',
  broken: (broken: number, scripts: number) =>
    `${broken} of ${scripts} scripts of the last upload have a missing or unusable source map`,
} as const;
