/** The house rules of docs/architecture.md, for imports of every kind, types included. */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-imports-no-part',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { pathNot: ['^src-shared/', 'node_modules/(zod|i18next)/'] },
    },
    {
      name: 'station-knows-no-host',
      severity: 'error',
      from: { path: '^src-main/(station|reader)/' },
      to: { path: ['^src-main/(electron|headless)/', '^src-renderer/', 'node_modules/electron/'] },
    },
    {
      name: 'parts-know-one-another-by-type',
      comment: 'Only the files beside the parts introduce them to one another; `lib` is for all of them.',
      severity: 'error',
      from: { path: '^src-main/station/([^/]+)/', pathNot: '^src-main/station/readers/' },
      to: {
        path: '^src-main/station/[^/]+/',
        pathNot: ['^src-main/station/$1/', '^src-main/station/lib/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'readers-know-meaning-and-no-case',
      comment:
        'A data file or list of cases is read to its end in one process: its syntax, then what it states.',
      severity: 'error',
      from: { path: '^src-main/station/readers/' },
      to: {
        path: '^src-main/station/[^/]+/',
        pathNot:
          '^src-main/station/(readers/|lib/|cases/(meaning/|records/|patient-list\\.ts$)|service/cases\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-door-to-the-reader',
      comment:
        'What opens a file of a camera is asked by messages; `readers` start its programs and compose the rest.',
      severity: 'error',
      from: { path: '^src-main/', pathNot: '^src-main/(reader|station/readers)/' },
      to: { path: '^src-main/reader/', pathNot: '^src-main/reader/(|dicom-|watch-)messages\\.ts$' },
    },
    {
      name: 'the-reader-knows-syntax-alone',
      comment: 'Bytes, cells, elements and pixels: no case, no rule of a clinic, no database.',
      severity: 'error',
      from: { path: '^src-main/reader/' },
      to: {
        path: ['^src-main/', 'node_modules/better-sqlite3/'],
        pathNot: '^src-main/(reader/|station/lib/|station/ports\\.ts$)',
      },
    },
    {
      name: 'lib-knows-no-part',
      comment: 'The ports are no part: a host lends them to all.',
      severity: 'error',
      from: { path: '^src-main/station/lib/' },
      to: { path: '^src-main/', pathNot: ['^src-main/station/lib/', '^src-main/station/ports.ts$'] },
    },
    {
      name: 'entries-act-on-import',
      comment: 'Importing one starts a host: what others need has a file of its own.',
      severity: 'error',
      from: {},
      to: { path: '^src-main/(electron|headless)/main\\.ts$' },
    },
    {
      name: 'one-host-one-electron',
      severity: 'error',
      from: { pathNot: ['^src-main/electron/', '^test/', '^tools/'] },
      to: { path: 'node_modules/electron/' },
    },
    {
      name: 'hosts-do-not-mix',
      severity: 'error',
      from: { path: '^src-main/(electron|headless)/' },
      to: { path: '^src-main/(electron|headless)/', pathNot: '^src-main/$1/' },
    },
    {
      name: 'hosts-know-no-screens',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { path: ['^src-renderer/', 'node_modules/(react|react-dom|zustand)/'] },
    },
    {
      name: 'preload-is-a-thin-bridge',
      comment: 'It runs in the sandbox: electron, and what is only a type.',
      severity: 'error',
      from: { path: '^src-main/electron/preload/' },
      to: {
        pathNot: ['^src-main/electron/preload/', 'node_modules/electron/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'renderer-knows-the-contract-only',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: ['^src-main/', 'node_modules/(undici|better-sqlite3|chokidar|electron|sharp|pino|ws)/'] },
    },
    {
      name: 'renderer-knows-no-node',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'properties-from-one-place',
      comment: 'Import fc from test/tools/property.ts: it sets the seed and the number of examples.',
      severity: 'error',
      from: { pathNot: '^test/tools/property\\.ts$' },
      to: { path: 'node_modules/fast-check/' },
    },
    {
      name: 'product-knows-no-test',
      severity: 'error',
      from: { path: '^src-' },
      to: { path: ['^test/', '^tools/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^out/', '^\\.types/'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
