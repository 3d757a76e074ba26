import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../src-main/electron/config-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function reading(content: string) {
  const path = join(await temporaryFolder(), 'config.json')
  await writeFile(path, content)
  return readConfigFile(path)
}

describe('a configuration file', () => {
  it('is read with its defaults, also with the mark that Notepad puts before it', async () => {
    const read = await reading('\uFEFF{"centerId":"101","folders":[{"path":"/camera"}]}')
    expect(read).toMatchObject({
      kind: 'read',
      config: { centerId: '101', folders: [{ path: '/camera', settleSeconds: 5 }], requireBothEyes: false },
    })
  })

  it.each([
    ['{"service":{"baseUrl":"http://a.example","clientId":"c","clientSecret":"hush"}}', 'service.baseUrl'],
    ['{"folders":[{}]}', 'folders.0.path'],
    ['["hush"]', 'the file'],
    ['{"clientSecret":"hush",', 'not JSON'],
  ])('says what is wrong without quoting it: %j', async (content, place) => {
    const read = await reading(content)
    expect(read).toMatchObject({ kind: 'unusable', message: expect.stringContaining(place) })
    expect(JSON.stringify(read)).not.toContain('hush')
  })

  it('says so where it is missing', async () => {
    expect(await readConfigFile(join(await temporaryFolder(), 'none.json'))).toEqual({
      kind: 'unusable',
      message: 'The configuration file cannot be used: it cannot be read (ENOENT).',
    })
  })
})
