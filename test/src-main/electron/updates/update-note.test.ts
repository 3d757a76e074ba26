import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keepUpdateNote, readUpdateNote } from '../../../../src-main/electron/updates/update-note.ts'
import { recordingLogger } from '../recording-logger.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const NOTE = { version: '0.2.0', window: 'hidden', words: ['--data', '/cases'] } as const
const note = { ...NOTE, words: [...NOTE.words] }

describe('the note for the start after an update', () => {
  it('is written whole, found by that start, and removed', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'fundus-courier', 'update.json')
    const logger = recordingLogger()
    expect(await readUpdateNote(path, logger)).toBeNull()
    expect(await keepUpdateNote(path, note, logger)).toBe('noted')
    expect(await readUpdateNote(path, logger)).toEqual(NOTE)
    expect(await readdir(join(folder, 'fundus-courier'))).toEqual(['update.json'])
    expect(await keepUpdateNote(path, null, logger)).toBe('noted')
    expect(await keepUpdateNote(path, null, logger)).toBe('noted')
    expect(await readUpdateNote(path, logger)).toBeNull()
    expect(logger.lines).toEqual([])
  })

  it('that cannot be written is said to be none, and ends nothing', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'fundus-courier'), 'a file in the place of the folder')
    const logger = recordingLogger()
    expect(await keepUpdateNote(join(folder, 'fundus-courier', 'update.json'), note, logger)).toBe('not')
    expect(logger.lines).toMatchObject([{ level: 'warn' }])
  })

  it.each(['', '{"version":"0.2', '{"version":7}'])(
    'that reads %j stops no start, and is told',
    async (torn) => {
      const folder = await temporaryFolder()
      const path = join(folder, 'update.json')
      await mkdir(folder, { recursive: true })
      await writeFile(path, torn)
      const logger = recordingLogger()
      expect(await readUpdateNote(path, logger)).toBeNull()
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
    },
  )
})
