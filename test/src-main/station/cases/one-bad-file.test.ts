/** One file cannot stop the others: what is thrown during its ingest is the outcome of that file. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openedHere } from '../../../../src-main/reader/foreign-files.ts'
import { openPatientList } from '../../../../src-main/station/cases/patient-list.ts'
import { readPatientList } from '../../../../src-main/station/readers/read-data.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { type TestCases, watchingCases } from './cases-with.ts'

vi.mock(import('../../../../src-main/reader/data/content.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    readContent: (bytes, form) => {
      if (Buffer.from(bytes).includes('poison')) throw new RangeError('a defect of the parser')
      return real.readContent(bytes, form)
    },
  }
})

let test: TestCases

it('a data file over which the parser throws is noted and set aside; the images beside it are taken', async () => {
  test = await watchingCases()
  await test.write('visit/case.json', 'poison')
  await test.write('visit/H-00017_20261120_OD_1.png')
  await test.see('visit/case.json', 'visit/H-00017_20261120_OD_1.png')
  expect(test.acknowledged).toContain('visit/case.json')
  expect(test.all().map((one) => one.images.length)).toEqual([1])
  expect(test.cases.folders.status()[0]?.notes).toMatchObject([
    {
      fileName: 'visit/case.json',
      kind: 'sidecarUnreadable',
      message: expect.stringMatching(/could not be read/),
    },
  ])
  expect(test.logger.lines).toMatchObject([{ level: 'error', facts: { error: 'RangeError' } }])
})

it('a file that the disk does not give is a warning with the code of the disk, and is noted', async () => {
  test = await watchingCases()
  mkdirSync(join(test.camera, 'visit', 'case.json'), { recursive: true })
  test.emit('visit/case.json')
  await vi.waitFor(() => expect(test.logger.lines).toHaveLength(1))
  expect(test.logger.lines).toEqual([
    { level: 'warn', message: 'a file could not be taken in', facts: { error: 'NotAFile', code: 'EFTYPE' } },
  ])
  expect(test.cases.folders.status()[0]?.notes).toMatchObject([
    { fileName: 'visit/case.json', kind: 'unreadable' },
  ])
})

it.skipIf(process.platform === 'win32')(
  'a link that a person chose is the image that it points to',
  async () => {
    test = await watchingCases()
    await test.write('image.png')
    const path = join(test.camera, 'link.png')
    symlinkSync(join(test.camera, 'image.png'), path)
    const fields = { history_number: 'H-00017', visit_date: '2026-11-20' }
    const added = { fields, images: [{ path, eye: 'right' as const }] }
    expect(await test.cases.addByHand(added)).toMatchObject({ ok: true })
    expect(test.all()[0]?.images).toMatchObject([{ fileName: 'link.png' }])
  },
)

it('a patient list over which the parser throws is shown as unreadable, and is not waited for', async () => {
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const path = join(temporaryFolder(), 'patients.csv')
  writeFileSync(path, 'NHC;Apellidos\n1;poison\n')
  const list = openPatientList({
    settings: () => ({ path, dateOrder: 'ymd', columns: {} }),
    clock,
    logger,
    readList: async (...list) => readPatientList(...list),
    foreign: openedHere,
  })
  await clock.settle()
  await clock.turn(5_000)
  expect(list.status()).toMatchObject({
    kind: 'unreadable',
    message: expect.stringMatching(/cannot be read/),
  })
  expect(logger.lines[0]).toEqual({
    level: 'error',
    message: 'reading the patient list failed',
    facts: { error: 'RangeError' },
  })
  await list.close()
})
