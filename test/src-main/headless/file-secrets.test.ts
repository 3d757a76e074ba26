import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFileSecrets } from '../../../src-main/headless/ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

describe('secrets in a file', () => {
  it('are kept for the owner of the file only', async () => {
    const folder = temporaryFolder()
    const secrets = openFileSecrets(folder)
    expect(await secrets.read('clientSecret')).toBeNull()
    await secrets.write('clientSecret', 'very secret')
    expect(await openFileSecrets(folder).read('clientSecret')).toBe('very secret')
    expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0)
  })

  it.each(['', 'no JSON', '[]', '{"clientSecret":7}'])(
    'that cannot be read (%j) are absent, and can be entered again',
    async (content) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'secrets.json'), content)
      const secrets = openFileSecrets(folder)
      expect(await secrets.read('clientSecret')).toBeNull()
      await secrets.write('clientSecret', 'again')
      expect(await secrets.read('clientSecret')).toBe('again')
    },
  )
})
