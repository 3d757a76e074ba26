/** One file cannot stop the intake: what is thrown while it is taken in is the outcome of that file. */
import { mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { intakeWith, type TestIntake } from './intake-with.ts'

vi.mock(import('../../../../src-main/station/intake/data-files/data-files.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    readDataFile: (name, bytes, options) => {
      if (Buffer.from(bytes).includes('poison')) throw new RangeError('a defect of the parser')
      return real.readDataFile(name, bytes, options)
    },
  }
})

let scene: TestIntake
afterEach(() => scene.intake.close())

function settled(relativePath: string): WatchEvent {
  const { size, mtimeMs } = statSync(join(scene.camera, relativePath))
  const mark = { folderPath: scene.camera, relativePath, sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
  return { kind: 'settled', file: { ...mark, content: 'sidecar' } }
}

it('a data file over which the parser throws is noted and set aside; the images beside it are taken', async () => {
  scene = intakeWith()
  await scene.watch()
  await scene.write('visit/case.json', Buffer.from('poison'))
  await scene.write('visit/H-00017_20261120_OD_1.png')
  await scene.see('visit/case.json', 'visit/H-00017_20261120_OD_1.png')
  expect(scene.acknowledged).toContain('visit/case.json')
  expect(scene.all().map((one) => one.images.length)).toEqual([1])
  expect(scene.intake.status()[0]?.notes).toMatchObject([
    {
      fileName: 'visit/case.json',
      kind: 'sidecarUnreadable',
      message: expect.stringMatching(/failed to be read/),
    },
  ])
  expect(scene.logger.lines).toMatchObject([{ level: 'error', facts: { error: 'RangeError' } }])
})

it('a file that the disk does not give is a warning with the code of the disk, and is noted', async () => {
  scene = intakeWith()
  await scene.watch()
  mkdirSync(join(scene.camera, 'visit', 'case.json'), { recursive: true })
  scene.tell(settled('visit/case.json'))
  await vi.waitFor(() => expect(scene.logger.lines).toHaveLength(1))
  expect(scene.logger.lines).toEqual([
    { level: 'warn', message: 'a file could not be taken in', facts: { error: 'NotAFile', code: 'EFTYPE' } },
  ])
  expect(scene.intake.status()[0]?.notes).toMatchObject([{ fileName: 'visit/case.json', kind: 'unreadable' }])
})

it.skipIf(process.platform === 'win32')(
  'a link that a person chose is the image that it leads to',
  async () => {
    scene = intakeWith()
    await scene.watch()
    await scene.write('image.png')
    const path = join(scene.camera, 'link.png')
    symlinkSync(join(scene.camera, 'image.png'), path)
    const fields = { history_number: 'H-00017', visit_date: '2026-11-20' }
    const given = { fields, images: [{ path, eye: 'right' as const }] }
    expect(await scene.intake.addByHand(given)).toMatchObject({ ok: true })
    expect(scene.all()[0]?.images).toMatchObject([{ fileName: 'link.png' }])
  },
)
