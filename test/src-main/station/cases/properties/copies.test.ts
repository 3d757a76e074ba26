/** The same bytes under two names: whichever came first, the same is known of them. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type CameraFile, picture, watchingCases } from '../cases-with.ts'
import { type CaseForm, whatBecame } from './what-became.ts'

const AT = Date.UTC(2026, 10, 20, 9)
const file = (path: string, bytes: Uint8Array): CameraFile => ({ path, bytes, at: AT })
const caseOf = (patient: string): Uint8Array =>
  Buffer.from(JSON.stringify({ history_number: patient, visit_date: '2026-11-20' }))

async function becomes(files: readonly CameraFile[]): Promise<readonly CaseForm[]> {
  const station = await watchingCases({}, files)
  for (const { path } of files) {
    await station.see(path)
    await station.quiet()
  }
  return whatBecame(station.test.outbox)
}

async function expectSameInBothOrders(files: readonly CameraFile[]): Promise<readonly CaseForm[]> {
  const inOrder = await becomes(files)
  expect(await becomes(files.toReversed())).toEqual(inOrder)
  return inOrder
}

describe('the same bytes under two names', () => {
  it('are one photograph with the DICOM file beside one of them, whichever name came first', async () => {
    const bytes = await picture()
    const dicom = await dicomFile({ patientId: 'H-00101', laterality: 'R', studyDate: '20261120' })
    const [only, ...others] = await expectSameInBothOrders([
      file('H-00101_20261120_OD_1.png', bytes),
      file('H-00101_20261120_OD_1.dcm', dicom),
      file('H-00101_20261120_OD_9.png', bytes),
    ])
    expect(others).toEqual([])
    expect(only?.images.filter(({ twinOf }) => twinOf === null)).toHaveLength(1)
  })

  it('in the folders of two data files that name two patients are asked about', async () => {
    const bytes = await picture()
    const cases = await expectSameInBothOrders([
      file('one/case.json', caseOf('H-00101')),
      file('other/case.json', caseOf('H-00102')),
      file('one/OD_1.png', bytes),
      file('other/OD_1.png', bytes),
    ])
    const [reasons, ...others] = cases.map((one) => one.reasons)
    expect(others).toEqual([])
    expect(reasons).toContain('identityConflict history_number ')
  })

  it('of which a table gives one to another patient are asked about, whether the table came first or last', async () => {
    const bytes = await picture()
    const table = 'history_number;visit_date;file;eye\r\nH-00102;2026-11-20;H-00101_20261120_OD_2.png;OD\r\n'
    const [only, ...others] = await expectSameInBothOrders([
      file('H-00101_20261120_OD_1.png', bytes),
      file('H-00101_20261120_OD_2.png', bytes),
      file('list.csv', Buffer.from(table)),
    ])
    expect(others).toEqual([])
    expect(only?.reasons).toContain('identityConflict history_number ')
  })
})

describe('two exports of one DICOM object', () => {
  it('that name two patients lie with the pictures of which both are said, whichever came first', async () => {
    const bytes = await picture()
    const [one, other] = await Promise.all(
      ['H-00101', 'H-00102'].map((patientId) =>
        dicomFile({ patientId, sopUid: '2.25.77', laterality: 'R', studyDate: '20261120' }),
      ),
    )
    if (!one || !other) throw new Error('two were made')
    await expectSameInBothOrders([
      file('H-00101_20261120/H-00101_OD_1.png', bytes),
      file('H-00101_20261120/H-00102_OD_1.png', bytes),
      file('H-00101_20261120/H-00101_OD_2.dcm', one),
      file('H-00101_20261120/H-00101_OD_3.dcm', other),
    ])
  })
})

describe('what speaks against a case that waits in the line', () => {
  it('takes it out of the line, also if it is only a second name of an image', async () => {
    const bytes = await picture()
    const path = 'H-00101_20261120/H-00101_20261120_OD_1.png'
    const copy = 'H-00102_20261120/H-00102_20261120_OS_1.png'
    const record = 'H-00101_20261120/case.json'
    const stated = { history_number: 'H-00101', visit_date: '2026-11-20' }
    const eyes = { images: { 'H-00101_20261120_OD_1.png': 'OD' } }
    const station = await watchingCases({ sendWithoutReview: true }, [
      file(path, bytes),
      file(copy, bytes),
      file(record, Buffer.from(JSON.stringify({ ...stated, ...eyes }))),
    ])
    await station.see(record, path)
    await station.quiet()
    expect(station.open().map(({ state }) => state)).toEqual(['waiting'])
    await station.see(copy)
    expect(station.open().map(({ state }) => state)).toEqual(['incomplete'])
  })
})
