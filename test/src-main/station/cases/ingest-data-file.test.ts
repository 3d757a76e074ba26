import { describe, expect, it } from 'vitest'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from './cases-with.ts'

const CASE = { history_number: 'H-00017', first_name: 'Synthia', visit_date: '2026-11-20' }
const NEXT = { ...CASE, history_number: 'H-00018', first_name: 'Placeba' }

/** In their order; objects are data files, null is a picture. */
type Files = readonly (readonly [string, object | null])[]

/** A station that has taken these files. */
async function stationWith(...files: Files): Promise<TestCases> {
  const station = await watchingCases({ sendWithoutReview: true })
  for (const [path, content] of files)
    await station.write(path, content === null ? undefined : JSON.stringify(content))
  await station.see(...files.map(([path]) => path))
  return station
}

/** The same, once it is quiet: state, patient, and the first reason or the eyes. */
async function becomes(...files: Files): Promise<unknown[]> {
  const station = await stationWith(...files)
  await station.quiet()
  return summary(station)
}

const summary = (station: TestCases): unknown[] =>
  station
    .open()
    .map(({ state, fields, reasons, images }) => [
      state,
      fields.history_number,
      reasons[0]?.kind ?? images.map(({ eye }) => eye).join(),
    ])

/** Cases of files that are seen at once are made in any order. */
const sorted = (cases: readonly unknown[]): string[] => cases.map((one) => JSON.stringify(one)).toSorted()

describe('a sidecar', () => {
  const WITH_EYES = { ...CASE, images: { 'K0001.png': 'OD', 'K0002.png': 'OS' } }
  const SPELLED = { ...CASE, history_number: '4711' }
  const together = [['waiting', 'H-00017', 'right,left']]
  const named: Files = [
    ['case-7/K0001.png', null],
    ['case-7/K0002.png', null],
  ]
  const twoPatients: Files = [
    ['now/H-00017_OD_1.png', null],
    ['now/H-00018_OD_1.png', null],
  ]
  const asked = ['incomplete', undefined, 'identityConflict']
  // The names are of two patients: the record of the folder is of one of them, or of neither.
  const oneAsked = [['review', 'H-00017', 'readFromNames'], asked]
  const bothAsked = [asked, asked]

  it.each<readonly [string, Files, readonly unknown[]]>([
    ['first makes its folder one case', [['case-7/case.json', WITH_EYES], ...named], together],
    ['last makes its folder one case', [...named, ['case-7/case.json', WITH_EYES]], together],
    [
      'reaches the images that a folder below it only divides by eye',
      [
        ['visit/case.json', { ...CASE, images: { 'OD/K1.png': 'OD' } }],
        ['visit/OD/K1.png', null],
      ],
      [['waiting', 'H-00017', 'right']],
    ],
    [
      'first beside images of two patients asks of the other one',
      [['now/case.json', CASE], ...twoPatients],
      oneAsked,
    ],
    [
      'last beside images of two patients asks of the other one',
      [...twoPatients, ['now/case.json', CASE]],
      oneAsked,
    ],
    ['first, of a third patient, asks of both', [['now/case.json', SPELLED], ...twoPatients], bothAsked],
    ['last, of a third patient, asks of both', [...twoPatients, ['now/case.json', SPELLED]], bothAsked],
  ])('%s', async (_what, files, expected) => {
    expect(sorted(await becomes(...files))).toEqual(sorted(expected))
  })

  it('of another patient than the folder asks a person, with both', async () => {
    const station = await stationWith(
      ['H-00018_20261120/case.json', CASE],
      ['H-00018_20261120/OD_1.png', null],
    )
    await station.quiet()
    expect(station.all()).toMatchObject([
      {
        state: 'incomplete',
        reasons: [{ kind: 'identityConflict', message: expect.stringMatching(/H-00017.*H-00018/) }],
      },
    ])
  })

  it.each([
    ['in its folder', 'current/'],
    ['in a flat folder, of the images that it names', ''],
  ])('that is written again for the next patient proves nothing any more: %s', async (_what, folder) => {
    const station = await stationWith(
      [`${folder}case.json`, { ...CASE, images: { 'OD_1.png': 'OD' } }],
      [`${folder}OD_1.png`, null],
    )
    await station.quiet()
    expect(summary(station)).toEqual([['waiting', 'H-00017', 'right']])
    await station.write(`${folder}case.json`, JSON.stringify({ ...NEXT, images: { 'OS_2.png': 'OS' } }))
    await station.write(`${folder}OS_2.png`)
    await station.see(`${folder}case.json`, `${folder}OS_2.png`)
    await station.quiet()
    const cases = station.open()
    expect(cases.flatMap(({ images }) => images.map(({ fileName }) => fileName)).toSorted()).toEqual([
      `${folder}OD_1.png`,
      `${folder}OS_2.png`,
    ])
    for (const { state, fields, reasons } of cases) {
      expect.soft([state, fields.history_number]).toEqual(['incomplete', undefined])
      expect.soft(['identityConflict', 'twoPatients', 'howManyPatients']).toContain(reasons[0]?.kind)
    }
  })

  it.each([
    ['another number', CASE, NEXT],
    ['no number, and another name', { first_name: 'Ana' }, { first_name: 'Eva' }],
  ])('that was written over with %s proves nothing after a restart, either', async (_what, first, second) => {
    const station = await stationWith(['now/case.json', { ...CASE, ...first, images: { 'K1.png': 'OD' } }])
    await station.arrive('now/case.json', JSON.stringify({ ...second, images: { 'K2.png': 'OS' } }))
    await station.restart()
    await station.arrive('now/K2.png')
    await station.quiet()
    expect(station.open().map(({ state }) => state)).toEqual(['incomplete'])
  })

  it('that is written again with more of the name of its patient still proves', async () => {
    const images = { 'K1.png': 'OD' }
    const station = await stationWith(['case-7/case.json', { ...CASE, images }], ['case-7/K1.png', null])
    await station.arrive(
      'case-7/case.json',
      JSON.stringify({ ...CASE, first_name: 'Synthia Ana', last_name: 'Demoson', images }),
    )
    await station.quiet()
    expect(summary(station)).toEqual([['waiting', 'H-00017', 'right']])
    expect(station.open()[0]?.fields).toMatchObject({ first_name: 'Synthia Ana', last_name: 'Demoson' })
  })

  it.each<readonly [string, string, object, object]>([
    ['case.json', 'case-7/case.json', { images: { 'K1.png': 'OD' } }, { images: { 'K1.png': 'OS' } }],
    ['of the same stem', 'case-7/K1.json', { eye: 'OS' }, { eye: 'OD' }],
    [
      'of another folder',
      'data.json',
      { images: { 'case-7/K1.png': 'L' } },
      { images: { 'case-7/K1.png': 'R' } },
    ],
  ])('(%s) that is written again with the other eye is asked about', async (_form, path, one, other) => {
    const station = await stationWith([path, { ...CASE, ...one }], ['case-7/K1.png', null])
    await station.arrive(path, JSON.stringify({ ...CASE, ...other }))
    await station.quiet()
    expect(summary(station)).toEqual([['incomplete', 'H-00017', 'eyeConflict']])
    // The same again says nothing new.
    await station.arrive(path, JSON.stringify({ ...CASE, ...other }))
    await station.quiet()
    expect(summary(station)).toEqual([['incomplete', 'H-00017', 'eyeConflict']])
  })

  it.each<readonly [string, readonly string[]]>([
    ['before', ['case-7/case.json', 'case-7/K1.png', 'again']],
    ['after', ['case-7/case.json', 'again', 'case-7/K1.png']],
    ['before both', ['case-7/K1.png', 'case-7/case.json', 'again']],
  ])('that is written again with another day is asked about: image %s', async (_order, files) => {
    const station = await stationWith()
    for (const file of files) {
      const day = { visit_date: file === 'again' ? '2026-11-19' : '2026-11-20' }
      const isImage = file.endsWith('.png')
      const text = JSON.stringify({ ...CASE, ...day, images: { 'K1.png': 'OD' } })
      await station.arrive(file === 'again' ? 'case-7/case.json' : file, isImage ? undefined : text)
    }
    await station.quiet()
    const [one] = station.open()
    expect(one?.state).toBe('incomplete')
    expect(one?.reasons.map(({ kind }) => kind)).toContain('valueConflict')
  })

  it('that is written again for another patient doubts the DICOM image that it names', async () => {
    const station = await stationWith()
    const dicom = await dicomFile({ patientId: 'H-00017', laterality: 'R', studyDate: '20261120' })
    const named = { images: { 'K1.dcm': 'OD' } }
    await station.arrive('case-7/case.json', JSON.stringify({ ...CASE, ...named }))
    await station.arrive('case-7/K1.dcm', dicom)
    await station.arrive('case-7/case.json', JSON.stringify({ ...NEXT, ...named }))
    await station.quiet()
    expect(station.open()).toMatchObject([{ state: 'incomplete', reasons: [{ kind: 'twoPatients' }] }])
  })

  it('that names an image in any folder below by its path doubts it', async () => {
    const station = await stationWith()
    const dicom = await dicomFile({ patientId: 'H-00017', laterality: 'R', studyDate: '20261120' })
    await station.arrive('case-7/scan1/K1.dcm', dicom)
    await station.arrive('case-7/case.json', JSON.stringify({ ...NEXT, images: { 'scan1/K1.dcm': 'OS' } }))
    await station.quiet()
    expect(station.open()).toMatchObject([{ state: 'incomplete' }])
  })

  it('of a patient whose case was discarded is not bound to the next image of that name', async () => {
    const station = await stationWith(
      ['case-7/case.json', { ...CASE, images: { 'K1.png': 'OD' } }],
      ['case-7/K1.png', null],
    )
    await station.quiet()
    const id = station.open()[0]?.id ?? ''
    expect(station.open()[0]?.state).toBe('waiting')
    station.test.outbox.moveSubmission(id, 'discarded', {}, { at: 1 })
    await station.arrive('case-7/K1.png')
    await station.quiet()
    expect(summary(station)).toEqual([['incomplete', undefined, 'identityConflict']])
    // The name of its record may be another patient's.
    expect(station.open()[0]?.fields).not.toHaveProperty('first_name')
  })

  it('that states an eye for each of the two files of a photograph asks if they differ', async () => {
    const station = await stationWith()
    await station.arrive('H-00017/K1.png')
    await station.arrive(
      'H-00017/K1.dcm',
      await dicomFile({ patientId: 'H-00017', studyDate: '20261120', transferSyntax: 'jpegXl' }),
    )
    const rows = ['H-00017/K1.png;OD', 'H-00017/K1.dcm;OS'].map((row) => `H-00017;2026-11-20;${row}`)
    await station.arrive('list.csv', ['history_number;visit_date;file;eye', ...rows, ''].join('\n'))
    await station.quiet()
    const [first] = station.open()
    expect(first?.images).toHaveLength(2)
    expect(first?.reasons).toMatchObject([{ kind: 'eyeConflict' }])
  })

  it('of which one row is written again with the other eye asks about its image alone', async () => {
    const table = (eye: string): string =>
      `history_number;visit_date;file;eye\nH-00017;2026-11-20;K1.png;${eye}\nH-00018;2026-11-20;K2.png;OS\n`
    const station = await stationWith(['K1.png', null], ['K2.png', null])
    await station.arrive('list.csv', table('OD'))
    await station.arrive('list.csv', table('OS'))
    await station.quiet()
    expect(sorted(summary(station))).toEqual([
      JSON.stringify(['incomplete', 'H-00017', 'eyeConflict']),
      JSON.stringify(['waiting', 'H-00018', 'left']),
    ])
  })

  it('that names one file states nothing of two of this name', async () => {
    const images = { 'K1.png': 'OD' }
    const [one] = (await becomes(
      ['visit/case.json', { ...CASE, images }],
      ['visit/color/K1.png', null],
      ['visit/redfree/K1.png', null],
    )) as string[][]
    expect(one?.[0]).not.toBe('waiting')
  })

  it('that is written again while images still come asks whose those are', async () => {
    const station = await stationWith(['now/case.json', CASE], ['now/OD_1.png', null], ['now/OD_2.png', null])
    await station.arrive('now/case.json', JSON.stringify(NEXT))
    await station.quiet()
    expect(summary(station)).toEqual([asked])
  })

  it('with thousands of rows keeps no one waiting, and costs little when a row is added', async () => {
    const station = await stationWith()
    const rows = Array.from({ length: 3_000 }, (_, index) => `H-${10_000 + index};2026-11-20;40`)
    const table = (more: readonly string[]): string =>
      ['history_number;visit_date;age', ...rows, ...more, ''].join('\n')
    await station.arrive('list.csv', table([]))
    await station.write('list.csv', table(['H-99999;2026-11-20;61']))
    await station.write('H-99999_20261120_OD_1.png')
    await station.see('list.csv', 'H-99999_20261120_OD_1.png')
    expect(station.all().map((one) => one.fields.age)).toEqual([61])
  })

  it('never outweighs what a person has said', async () => {
    const station = await stationWith(['H-00017_20261120/OD_1.png', null])
    await station.quiet()
    const [one] = station.all()
    if (!one) throw new Error('there is one')
    station.test.outbox.setContent(
      one.id,
      { fields: { ...one.fields, age: 61 }, sources: { ...one.sources, age: 'person' }, reasons: [] },
      1,
    )
    await station.arrive('H-00017_20261120/case.json', JSON.stringify({ ...CASE, age: 16 }))
    expect(station.all()[0]?.fields).toMatchObject({ age: 61, first_name: 'Synthia' })
  })
})

describe('a value that is sent unseen', () => {
  const OWN = { patientId: 'H-00017', examDate: '2026-11-20', eye: 'OD' }
  const proven: Files = [
    ['case-7/K0001.png', null],
    ['case-7/K0001.json', OWN],
  ]

  it.each<readonly [string, object, readonly unknown[]]>([
    ['states the number', { history_number: 'H-00017', od_iop: 16 }, ['waiting', 16, undefined]],
    ['names the image', { od_iop: 16, images: { 'K0001.png': 'OD' } }, ['waiting', 16, undefined]],
    ['states neither', { od_iop: 16 }, ['review', 16, 'checkProposal']],
  ])('is of a data file of the folder that %s', async (_what, record, expected) => {
    const station = await stationWith(...proven, ['case-7/case.json', record])
    await station.quiet()
    const [found] = station.open()
    const warning = found?.oddities.find(({ kind }) => kind === 'checkProposal')
    expect([found?.state, found?.fields.od_iop, warning?.kind]).toEqual(expected)
  })

  it('is no word of a DICOM file that may show another photograph', async () => {
    const station = await stationWith(...proven)
    const own = {
      patientId: 'H-00017',
      patientName: 'Demoson^Synthia',
      studyDate: '20261120',
      laterality: 'R',
    }
    await station.arrive('case-7/K0001.dcm', await dicomFile({ ...own, transferSyntax: 'jpegXl' }))
    await station.quiet()
    const [found] = station.open()
    expect([found?.state, found?.fields.last_name]).toEqual(['review', 'Demoson'])
  })
})
