/** A name that the folder has used for other bytes proves nothing, nor does a data file that has named two patients. */
import { describe, expect, it } from 'vitest'
import { startAttempt } from '../../../../tools/outbox-with.ts'
import { casesWith, picture, type TestCases, watchingCases } from '../cases-with.ts'

let station: TestCases

const ANA = { history_number: 'H-00101', visit_date: '2026-11-20' }
const BEA = { history_number: 'H-00202', visit_date: '2026-11-20' }
const IMAGE = 'scan/1.png'
const record = (content: object): Promise<void> => station.arrive('scan/case.json', JSON.stringify(content))
const naming = (patient: object): Promise<void> => record({ ...patient, images: { '1.png': 'OD' } })
const statesOf = (fileName: string): (string | undefined)[] =>
  station
    .all()
    .filter(({ images }) => images.some((image) => image.fileName === fileName))
    .map(({ state, verdict: { who } }) => `${who.kind} ${state}`)

describe('the record of a folder', () => {
  it('proves an image that it names', async () => {
    station = await watchingCases({ sendWithoutReview: true })
    await naming(ANA)
    await station.arrive(IMAGE)
    await station.quiet()
    expect(statesOf(IMAGE)).toEqual(['proven waiting'])
  })

  it('proves none whose name was that of a copy of an image that was sent', async () => {
    station = await watchingCases({ sendWithoutReview: true })
    const sent = await picture()
    await station.arrive('H-00101_20261120/H-00101_OD.png', sent)
    await station.quiet()
    const [first] = station.all()
    station.test.outbox.moveSubmission(first?.id ?? '', 'approved', {}, { at: 1 })
    startAttempt(station.test, first?.id ?? '')
    const before = station.test.outbox.rowOf(first?.id ?? '')
    await station.arrive(IMAGE, sent)
    expect(station.test.outbox.rowOf(first?.id ?? '')).toEqual(before)
    await naming(ANA)
    await station.arrive(IMAGE)
    await station.quiet()
    expect(statesOf(IMAGE)).toEqual(['unknown incomplete'])
  })

  it('proves an image that was exported again unchanged', async () => {
    station = await watchingCases({ sendWithoutReview: true })
    await naming(ANA)
    const bytes = await picture()
    await station.arrive(IMAGE, bytes)
    await station.arrive(IMAGE, bytes)
    await station.arrive(IMAGE, bytes)
    await station.quiet()
    expect(statesOf(IMAGE)).toEqual(['proven waiting'])
  })

  it.each([
    ['1.png', '1.png'],
    ['1.PNG', '1.png'],
    ['Fondo.png', 'FONDO.png'],
    ['\u00e9.png', 'e\u0301.png'],
    ['e\u0301.PNG', '\u00e9.png'],
    ['\u00c9.PNG', '\u00e9.png'],
    ['e\u0301.png', '\u00c9.png'],
  ])('proves none whose name was there before the first start: %j, then %j', async (before, name) => {
    station = casesWith({ sendWithoutReview: true }, { existingByDefault: 'ask' })
    await station.write(`scan/${before}`)
    await station.watch()
    await station.cases.folders.decideExisting(station.camera, { kind: 'ignore' })
    await record({ ...ANA, images: { [name]: 'OD' } })
    await station.arrive(`scan/${name}`)
    await station.quiet()
    expect(statesOf(`scan/${name}`)).toEqual(['unknown incomplete'])
  })

  it('proves one that was ignored and is only renamed in other capitals', async () => {
    station = casesWith({ sendWithoutReview: true }, { existingByDefault: 'ask' })
    const bytes = await picture()
    const at = station.clock.now()
    await station.write('scan/1.PNG', bytes, at)
    await station.watch()
    await naming(ANA)
    await station.write(IMAGE, bytes, at)
    await station.see(IMAGE)
    await station.quiet()
    expect(statesOf(IMAGE)).toEqual(['proven waiting'])
  })

  it('leaves no such image in the case of the patient whom it names', async () => {
    station = casesWith({ sendWithoutReview: true }, { existingByDefault: 'ask' })
    await station.write('scan/1.png')
    await station.watch()
    await station.cases.folders.decideExisting(station.camera, { kind: 'ignore' })
    const own = 'H-00101_20261120/H-00101_OS.png'
    await station.arrive(own)
    await naming(ANA)
    await station.arrive(IMAGE)
    expect(station.all().map(({ images }) => images.map(({ fileName }) => fileName))).toEqual([
      [own],
      [IMAGE],
    ])
  })
})

describe('a data file that has named two patients proves nothing', () => {
  it.each([
    ['one after the other', [ANA, BEA]],
    ['with an emptied one between', [ANA, { history_number: '' }, BEA]],
    [
      'with several emptied ones between',
      [ANA, {}, { history_number: '' }, { visit_date: '2026-11-20' }, BEA],
    ],
    ['the first again', [ANA, {}, BEA, {}, ANA]],
    [
      'that were persons without numbers',
      [
        { last_name: 'Synthia', first_name: 'Ana' },
        {},
        { last_name: 'Placeba', first_name: 'Otto', visit_date: '2026-11-20' },
        {},
        { ...BEA, last_name: 'Synthia', first_name: 'Ana' },
      ],
    ],
  ])('%s', async (_how, contents) => {
    station = await watchingCases({ sendWithoutReview: true })
    for (const content of contents) await naming(content)
    await station.arrive(IMAGE)
    await station.quiet()
    expect(statesOf(IMAGE)).not.toContain('proven waiting')
  })

  it('but one that was emptied and names the same patient again proves', async () => {
    station = await watchingCases({ sendWithoutReview: true })
    for (const content of [ANA, { history_number: '' }, {}, ANA]) await naming(content)
    await station.arrive(IMAGE)
    await station.quiet()
    expect(statesOf(IMAGE)).toEqual(['proven waiting'])
  })
})
