import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { casesWith, markIn, picture, STANDSTILL, type TestCases, watchingCases } from './cases-with.ts'

let station: TestCases
const OD = 'H-00017_20261120/H-00017_OD_1.png'

describe('a camera that writes its one file over, under one size and time', () => {
  const exported = (patientId: string): Promise<Buffer> =>
    dicomFile({ patientId, studyDate: '20261120', laterality: 'R', sopUid: `2.25.9${patientId}` })
  const numbers = (): unknown[] => station.all().map(({ fields }) => fields.history_number)

  it.each([
    ['was taken in', 'include'],
    ['was there before the first start', 'ignore'],
  ] as const)('gives the second patient a case, whether the first one %s', async (_, existing) => {
    station = casesWith({ existing })
    await station.write('EXPORT.DCM', await exported('10001'), STANDSTILL)
    await station.watch()
    if (existing === 'include') await station.see('EXPORT.DCM')
    const before = markIn(station.camera, 'EXPORT.DCM')
    await station.writeOver('EXPORT.DCM', await exported('20002'))
    expect(markIn(station.camera, 'EXPORT.DCM')).toMatchObject({
      sizeBytes: before.sizeBytes,
      mtimeMs: before.mtimeMs,
    })
    expect(numbers()).toEqual(existing === 'include' ? ['10001', '20002'] : ['20002'])
    // Known from now on, and nothing of it is left to be read.
    await station.see('EXPORT.DCM')
    await station.restart()
    expect(station.test.outbox.priorResult(markIn(station.camera, 'EXPORT.DCM'))).toBe('known')
    expect(station.all()).toHaveLength(existing === 'include' ? 2 : 1)
  })

  it('gives the image of another patient to no case that awaits a new export of the damaged one', async () => {
    station = await watchingCases()
    const whole = await picture()
    await station.write(
      OD,
      Buffer.from(whole).fill(0, whole.indexOf('IDAT') + 4, whole.indexOf('IDAT') + 12),
      STANDSTILL,
    )
    await station.see(OD)
    expect(station.all()).toMatchObject([{ unusableFiles: [{ decision: null }] }])
    await station.writeOver(OD, whole)
    // It may be the new export, or another patient's: a person says so.
    expect(station.all()[0]?.unusableFiles).toMatchObject([{ decision: null, replacedBy: {} }])
  })

  it('shows nothing if the file is its own again, and remembers its change time', async () => {
    station = await watchingCases()
    const bytes = await exported('10001')
    await station.write('EXPORT.DCM', bytes, STANDSTILL)
    await station.see('EXPORT.DCM')
    await station.writeOver('EXPORT.DCM', bytes)
    expect(station.all()).toMatchObject([{ images: [{}], fields: { history_number: '10001' } }])
    expect(station.cases.folders.status()[0]?.notes).toEqual([])
  })
})
