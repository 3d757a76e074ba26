import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { azureOptions, isSigned, updateFeed } from '../../tools/builder-options.ts'

const text = readFileSync(resolve(import.meta.dirname, '../../.github/workflows/release.yml'), 'utf8')

describe('the workflow of a release', () => {
  it('uses actions of GitHub alone, each by its major version', () => {
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(used.length).toBeGreaterThan(0)
    expect(
      used.filter(
        (action) =>
          !/^actions\/(?:checkout|setup-node|upload-artifact|download-artifact)@v\d+$/.test(action ?? ''),
      ),
    ).toEqual([])
  })

  it('may read the sources and nothing more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text).not.toMatch(/: write/)
  })

  it('packs on all three systems, after every test', () => {
    for (const system of ['windows', 'macos', 'ubuntu']) expect(text).toContain(`- os: ${system}`)
    expect(text).toContain('needs: check')
    expect(text).toContain('run: npm test')
    expect(text).toContain('run: npm run package')
  })

  it('names what packing reads: each name that is set means something there', () => {
    const named = [...text.matchAll(/^ {10}([A-Z_]+): \$\{\{/gm)].map(([, name]) => name ?? '')
    const environment = Object.fromEntries(named.map((name) => [name, 'https://set.example/']))
    expect(updateFeed(environment)).not.toBeNull()
    expect(azureOptions(environment)).not.toBeNull()
    expect(isSigned('win', environment) && isSigned('mac', environment)).toBe(true)
  })

  it('holds no secret of its own', () => {
    const secrets = [...text.matchAll(/(?:SECRET|PASSWORD|LINK|KEY\w*): (.+)/g)].map(([, value]) => value)
    expect(secrets.length).toBeGreaterThan(3)
    expect(secrets.filter((value) => !/\$\{\{ .*secrets\.\w+.* \}\}/.test(value ?? ''))).toEqual([])
  })
})
