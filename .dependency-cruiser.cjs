/** The house rules of docs/architecture.md, for imports of every kind, types included. */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-knows-nobody',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { pathNot: ['^src-shared/', '^node_modules/zod/'] },
    },
    {
      name: 'station-knows-no-host',
      severity: 'error',
      from: { path: '^src-main/station/' },
      to: { path: ['^src-main/(electron|headless)/', '^src-renderer/', '^test/', '^node_modules/electron/'] },
    },
    {
      name: 'parts-know-one-another-by-type',
      comment: 'Only station.ts introduces the parts to one another.',
      severity: 'error',
      from: { path: '^src-main/station/([^/]+)/' },
      to: {
        path: '^src-main/station/[^/]+/',
        pathNot: '^src-main/station/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-host-one-electron',
      severity: 'error',
      from: { pathNot: ['^src-main/electron/', '^test/', '^tools/'] },
      to: { path: '^node_modules/electron/' },
    },
    {
      name: 'hosts-do-not-mix',
      severity: 'error',
      from: { path: '^src-main/(electron|headless)/' },
      to: { path: '^src-main/(electron|headless)/', pathNot: '^src-main/$1/' },
    },
    {
      name: 'renderer-knows-the-contract-only',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: ['^src-main/', '^test/', '^node_modules/(undici|better-sqlite3|chokidar|electron)/'] },
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
    exclude: { path: ['^out/', '^\\.types/', 'test/architecture/planted'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
