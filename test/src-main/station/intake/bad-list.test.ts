import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openPatientList } from '../../../../src-main/station/intake/patient-list.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'

vi.mock(import('../../../../src-main/station/intake/data-files/tables.ts'), async (original) => ({
  ...(await original()),
  readTable: () => {
    throw new RangeError('a defect of the parser')
  },
}))

it('a list over which the parser throws is told as unreadable, and is not waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bad-list-'))
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const path = join(folder, 'patients.csv')
  await writeFile(path, 'NHC;Apellidos\n1;Peña\n')
  const keeper = openPatientList({
    settings: () => ({ path, dateOrder: 'ymd', columns: {} }),
    clock,
    logger,
  })
  await clock.settle()
  await clock.turn(5_000)
  expect(keeper.status()).toMatchObject({
    kind: 'unreadable',
    message: expect.stringMatching(/cannot be read/),
  })
  expect(logger.lines[0]).toEqual({
    level: 'error',
    message: 'reading the patient list failed',
    facts: { error: 'RangeError' },
  })
  await keeper.close()
  await rm(folder, { recursive: true })
})
