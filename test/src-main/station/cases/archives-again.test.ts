/** An archive that is written again under its name: its entries are known by their content, not by their time. */
import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { drawing } from '../../reader/draw-images.ts'
import { zipOf } from '../../reader/draw-zips.ts'
import { type TestCases, watchingCases } from './cases-with.ts'

const ANA = { history_number: 'H-00101', visit_date: '2026-11-20' }
const BEA = { history_number: 'H-00202', visit_date: '2026-11-20' }

/** Some programs write this time into every entry. */
const FIXED = { options: { mtime: new Date(1980, 0, 1), compress: false } }

const NAMED = { 'OD.tif': 'OD', 'OS.tif': 'OS' }

const record = (patient: object) => ({
  name: 'case.json',
  bytes: Buffer.from(JSON.stringify({ ...patient, images: NAMED })),
  ...FIXED,
})

/** Images of equal size. */
const image = async (name: string, width: number) => ({
  name,
  bytes: await drawing(width, 90).resize(64, 48, { fit: 'fill' }).tiff({ compression: 'none' }).toBuffer(),
  ...FIXED,
})

const cases = (station: TestCases): readonly string[] =>
  station
    .all()
    .map(
      ({ state, fields, images, verdict: { who } }) =>
        `${state} ${who.kind} ${fields.history_number ?? '-'}: ${images.map(({ fileName }) => fileName).join()}`,
    )

const notesOf = (station: TestCases) => station.cases.folders.status()[0]?.notes.map(({ kind }) => kind)

describe('an archive that is written again', () => {
  it('with an image of equal size and time: it is taken in', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    const dicom = async (patientId: string, sopUid: string) => ({
      name: '1.dcm',
      bytes: await dicomFile({ patientId, sopUid, studyDate: '20261120', laterality: 'R' }),
      ...FIXED,
    })
    const [ana, bea] = [await dicom('H-00101', '2.25.1'), await dicom('H-00202', '2.25.2')]
    expect(bea.bytes.length).toBe(ana.bytes.length)
    await station.arrive('e.zip', await zipOf([ana]))
    await station.quiet()
    await station.arrive('e.zip', await zipOf([bea]))
    await station.quiet()
    expect(cases(station)).toEqual([
      'waiting proven H-00101: e.zip/1.dcm',
      'waiting proven H-00202: e.zip/1.dcm',
    ])
  })

  it('with a record of equal size and time: that of before proves nothing any more', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    await station.arrive('e.zip', await zipOf([record(ANA), await image('OD.tif', 120)]))
    await station.quiet()
    await station.arrive('e.zip', await zipOf([record(BEA), await image('OS.tif', 121)]))
    await station.quiet()
    expect(cases(station)).not.toContainEqual(expect.stringMatching(/proven .*OS\.tif/))
  })

  it('with a cut image of equal size and time: it is a new question', async () => {
    const station = await watchingCases()
    const cut = async (width: number) => {
      const { bytes, ...rest } = await image('H-00101_20261120_OD.tif', width)
      return { ...rest, bytes: bytes.subarray(0, 2_000) }
    }
    const unusable = () =>
      station.test.outbox.unusableOfStems(station.camera, ['e.zip/h-00101_20261120_od']).map(({ id }) => id)
    await station.arrive('e.zip', await zipOf([await cut(120)]))
    const before = unusable()
    await station.arrive('e.zip', await zipOf([await cut(121)]))
    expect([before.length, unusable().length]).toEqual([1, 1])
    expect(unusable()).not.toEqual(before)
  })

  it('with a whole image in place of a damaged one of equal size and time: it is asked about', async () => {
    const station = await watchingCases()
    const whole = await image('H-00101_20261120_OD.tif', 120)
    const damaged = {
      ...whole,
      bytes: Buffer.concat([whole.bytes.subarray(0, 8), Buffer.alloc(whole.bytes.length - 8)]),
    }
    await station.arrive('e.zip', await zipOf([damaged]))
    await station.arrive('e.zip', await zipOf([whole]))
    await station.quiet()
    expect(station.open().flatMap(({ reasons }) => reasons.map(({ kind }) => kind))).toContain('newExport')
  })

  it('unchanged, or with one image more: what is known is not noted again', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    const [first, second] = [await image('OD.tif', 120), await image('OS.tif', 121)]
    await station.arrive('e.zip', await zipOf([record(ANA), first]))
    await station.see('e.zip')
    await station.restart()
    await station.see('e.zip')
    await station.arrive('e.zip', await zipOf([record(ANA), first, second]))
    await station.quiet()
    expect(cases(station)).toEqual(['waiting proven H-00101: e.zip/OD.tif,e.zip/OS.tif'])
    expect(notesOf(station)).toEqual([])
  })

  it('with another time and the same content: nothing is taken in again', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    const bytes = await zipOf([record(ANA), await image('OD.tif', 120)])
    await station.arrive('e.zip', bytes)
    await station.quiet()
    await station.write('e.zip', bytes, Date.now() + 60_000)
    await station.see('e.zip')
    expect(cases(station)).toEqual(['waiting proven H-00101: e.zip/OD.tif'])
    expect(notesOf(station)).toEqual([])
  })
})
