import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeDurably } from '../../../../src-main/station/lib/files.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

describe('a file that is written durably', () => {
  it('is there whole, for its owner only, in folders that are made for it', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'file')
    await writeDurably(path, 'first')
    await writeDurably(path, Buffer.from([0, 255]))
    expect(readFileSync(path)).toEqual(Buffer.from([0, 255]))
    expect(statSync(path).mode & 0o077).toBe(0)
    expect(readdirSync(join(path, '..'))).toEqual(['file'])
  })

  it('leaves nothing behind where it cannot be written', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'file', 'inside'), { recursive: true })
    await expect(writeDurably(join(folder, 'file'), 'x')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(folder)).toEqual(['file'])
  })
})
