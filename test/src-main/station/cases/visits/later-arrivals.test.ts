/** What a person has said or passed is neither undone nor carried to another patient by what comes later. */
import { describe, expect, it } from 'vitest'
import { identityColumn } from '../../../../../src-main/station/json-columns.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { startAttempt } from '../../../../tools/outbox-with.ts'
import { picture, type TestCases, watchingCases } from '../cases-with.ts'
import type { Submission } from '../../../../../src-shared/submission.ts'

let station: TestCases

const dicomOf = (patientId: string, options: Parameters<typeof dicomFile>[0] = {}): Promise<Buffer> =>
  dicomFile({ patientId, studyDate: '20261120', laterality: 'R', ...options })

async function begin(sendWithoutReview = true): Promise<void> {
  station = await watchingCases({ sendWithoutReview })
}

function enter(id: string, fields: Submission['fields']): void {
  const before = station.test.outbox.submissionOf(id)
  if (!before) throw new Error('there is one')
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person' as const]))
  station.test.outbox.setContent(
    id,
    { fields: { ...before.fields, ...fields }, sources: { ...before.sources, ...sources }, reasons: [] },
    1,
  )
  // As the call does: the entry settles what is there now.
  const {
    settled: _,
    joinedAfterEntry: __,
    ...identity
  } = identityColumn.read(station.test.outbox.rowOf(id)?.identity ?? '')
  station.test.outbox.setIdentity(id, identity)
  if (before.state === 'incomplete') station.cases.settle(id, 'closing', { at: station.clock.now() })
  else station.cases.refresh(id)
}

it('a number that was entered for one case is not given to another whose image came beside it', async () => {
  await begin()
  await station.arrive('inbox/1_OD.dcm', await dicomOf('H-00202', { sopUid: '2.25.1' }))
  await station.arrive('scan/b_OS.png')
  const own = station.open().find((one) => one.images.some((image) => image.fileName === 'scan/b_OS.png'))
  enter(own?.id ?? '', { history_number: 'A1' })
  await station.arrive('scan/b_OS.dcm', await dicomOf('H-00202', { laterality: 'L', sopUid: '2.25.2' }))
  await station.quiet()
  const cases = station
    .open()
    .map(({ fields, state, images }) => `${fields.history_number} ${state} ${images.length}`)
  // What the person entered stays, and what came since contradicts it.
  expect(new Set(cases)).toEqual(new Set(['A1 incomplete 2', 'H-00202 waiting 1']))
})

it('an image whose only number may count images joins no case whose number was entered, and may be added to it', async () => {
  await begin()
  await station.arrive('1_OD.png')
  const [own] = station.open()
  enter(own?.id ?? '', { history_number: '700001' })
  await station.arrive('1_OS.png')
  await station.quiet()
  const [, other] = station.open()
  expect(station.open().map(({ images }) => images.length)).toEqual([1, 1])
  expect(station.cases.proofOf(other?.id ?? '')?.joinable).toMatchObject([{ historyNumber: '700001' }])
})

it('a number that was entered is asked about again by each new contradiction, and settled by each new entry', async () => {
  await begin()
  await station.arrive('scan/b_OS.png')
  const [own] = station.open()
  const asked = async (): Promise<unknown> => {
    await station.quiet()
    const [one] = station.open()
    return [one?.fields.history_number, one?.state, one?.reasons[0]?.kind]
  }
  enter(own?.id ?? '', { history_number: 'A1', visit_date: '2026-11-20' })
  await station.arrive('scan/b_OS.dcm', await dicomOf('H-00202', { laterality: 'L', sopUid: '2.25.2' }))
  expect(await asked()).toEqual(['A1', 'incomplete', 'identityConflict'])
  enter(own?.id ?? '', { history_number: 'A1' })
  expect((await asked()) as unknown[]).not.toContain('identityConflict')
})

it.each([
  ['another day', '2026-11-20', 'disputed'],
  ['the same day', '2026-11-19', 'proven'],
])('a day that was entered, beside a source that came since and states %s', async (_what, later, kind) => {
  await begin()
  await station.arrive('scan/b_OS.png')
  const [own] = station.open()
  enter(own?.id ?? '', { history_number: 'H-00101', visit_date: '2026-11-19' })
  const record = { history_number: 'H-00101', visit_date: later, images: { 'b_OS.png': 'OS' } }
  await station.arrive('scan/case.json', JSON.stringify(record))
  await station.quiet()
  const [asked] = station.open()
  expect(asked).toMatchObject({
    fields: { visit_date: '2026-11-19' },
    state: kind === 'proven' ? 'waiting' : 'incomplete',
    verdict: { day: { kind, by: kind === 'proven' ? ['person'] : ['person', 'sidecar'] } },
  })
  enter(own?.id ?? '', { visit_date: '2026-11-19' })
  expect(station.open()[0]?.verdict.day).toMatchObject({ kind: 'proven', by: ['person'] })
})

it.each([
  ['another person', { last_name: 'Placeba', first_name: 'Otto', gender: 0 }, 'disputed'],
  ['a part of the name', { last_name: 'Synthia' }, 'proven'],
])('a name that was entered, beside a source under its number that states %s', async (_what, name, kind) => {
  await begin()
  await station.arrive('scan/b_OS.png')
  const [own] = station.open()
  enter(own?.id ?? '', { history_number: 'H-00101', last_name: 'Synthia', first_name: 'Ana' })
  const record = {
    history_number: 'H-00101',
    visit_date: '2026-11-20',
    ...name,
    images: { 'b_OS.png': 'OS' },
  }
  await station.arrive('scan/case.json', JSON.stringify(record))
  await station.quiet()
  const [asked] = station.open()
  expect(asked).toMatchObject({
    fields: { last_name: 'Synthia' },
    state: kind === 'proven' ? 'waiting' : 'incomplete',
    verdict: { who: { kind } },
  })
  enter(own?.id ?? '', { history_number: 'H-00101' })
  expect(station.open()[0]?.verdict.who).toMatchObject({ kind: 'proven', by: ['person'] })
})

it('an eye and a reason to leave out that were options to a DICOM file hold for the picture beside it', async () => {
  await begin()
  await station.arrive('a_1.dcm', await dicomOf('H-00101'))
  const [dicom] = station.open()[0]?.images ?? []
  station.test.outbox.setEye(dicom?.id ?? '', { eye: 'left', source: 'person', statements: null })
  station.test.outbox.setExcluded(dicom?.id ?? '', 'of another patient')
  await station.arrive('a_1.png')
  const shown = station.open()[0]?.images.find((image) => image.twinOf === null)
  expect(shown).toMatchObject({ eye: 'left', eyeSource: 'person', excludedBecause: 'of another patient' })
})

it('an image that is exported again in the place of its file for another patient is asked about', async () => {
  await begin()
  await station.arrive('x/1_OD.dcm', await dicomOf('H-00101', { sopUid: '2.25.7' }))
  await station.arrive('x/1_OD.dcm', await dicomOf('H-00102', { sopUid: '2.25.7' }))
  await station.quiet()
  expect(station.open().map((one) => [one.state, one.reasons[0]?.kind])).toEqual([
    ['incomplete', 'identityConflict'],
  ])
})

it('a DICOM file that comes when its picture is on its way is late, whomever it names', async () => {
  await begin()
  await station.arrive('H-00101_20261120/H-00101_OD.png')
  await station.quiet()
  const [first] = station.open()
  station.test.outbox.moveSubmission(first?.id ?? '', 'approved', {}, { at: 1 })
  startAttempt(station.test, first?.id ?? '')
  await station.arrive('H-00101_20261120/H-00101_OD.dcm', await dicomOf('CAM-7'))
  await station.quiet()
  const late = station.open().at(-1)
  expect(late?.state).toBe('incomplete')
  expect(late?.reasons.map((reason) => reason.kind)).toContain('lateImage')
})

it('a case that was passed and loses an image does not go as it was', async () => {
  await begin(false)
  const bytes = await picture()
  await station.arrive('H-00101_20261120/a_OD.png')
  await station.arrive('H-00101_20261120/a_OS.png', bytes)
  await station.quiet()
  const [one] = station.open()
  station.test.outbox.moveSubmission(one?.id ?? '', 'approved', {}, { at: 1 })
  await station.arrive('H-00102_20261120/b_OS.png', bytes)
  await station.quiet()
  expect(station.open().map((each) => each.state)).not.toContain('waiting')
})

describe('an eye that a person chose', () => {
  const PATH = 'H-00101_20261120/K1.png'
  /** A case whose eye the person chose as right, although this was there before. */
  async function chosen(before: readonly (readonly [string, string | Buffer])[] = []): Promise<string> {
    await begin(false)
    await station.arrive(PATH)
    for (const [path, bytes] of before) await station.arrive(path, bytes)
    await station.quiet()
    const [own] = station.open()
    choose(own, 'right')
    return own?.id ?? ''
  }
  function choose(own: Submission | undefined, eye: 'right' | 'left'): void {
    const [image] = own?.images ?? []
    station.test.outbox.setEye(image?.id ?? '', { eye, source: 'person', statements: null })
    station.cases.reread([own?.id ?? ''])
  }
  const asked = (): readonly (string | undefined)[] =>
    station.open()[0]?.reasons.map(({ kind }) => kind) ?? []
  const record = (eye: string): string =>
    JSON.stringify({ history_number: 'H-00101', visit_date: '2026-11-20', images: { 'K1.png': eye } })

  it('is asked about again by a source that came since and states the other one', async () => {
    await chosen()
    expect(asked()).not.toContain('eyeConflict')
    await station.arrive('H-00101_20261120/case.json', record('OS'))
    await station.quiet()
    const [own] = station.open()
    expect([own?.state, asked()]).toEqual(['incomplete', expect.arrayContaining(['eyeConflict'])])
    expect(own?.images[0]).toMatchObject({ eye: 'right', eyeSource: 'person' })
    expect(Object.values(own?.verdict.eyes ?? {})).toMatchObject([
      { kind: 'disputed', by: ['person', 'sidecar'] },
    ])
    choose(own, 'right')
    expect(asked()).not.toContain('eyeConflict')
  })

  it.each<readonly [string, readonly [string, string | Buffer][], readonly [string, string | Buffer]]>([
    [
      'the same once more',
      [['H-00101_20261120/case.json', record('OS')]],
      ['H-00101_20261120/K1.json', record('OS')],
    ],
    ['the chosen one', [], ['H-00101_20261120/case.json', record('OD')]],
  ])('holds beside a source that states %s', async (_what, before, later) => {
    await chosen(before)
    await station.arrive(...later)
    await station.quiet()
    expect(asked()).not.toContain('eyeConflict')
  })
})

describe('an image without an id never joins the case whose number a person entered', () => {
  const ofStudy = (laterality: 'R' | 'L', sopUid: string): Promise<Buffer> =>
    dicomFile({ laterality, sopUid, studyDate: '20261120', attributes: { '00100020': null } })

  it.each<
    readonly [string, readonly [string, () => Promise<Buffer>], readonly [string, () => Promise<Buffer>]]
  >([
    ['folder', ['Smith/1_OD.png', picture], ['Smith/2_OS.png', picture]],
    ['study', ['1_OD.dcm', () => ofStudy('R', '2.25.1')], ['2_OS.dcm', () => ofStudy('L', '2.25.2')]],
    ['burst', ['1_OD.png', picture], ['2_OS.png', picture]],
  ])('of its %s', async (_what, [first, firstBytes], [second, secondBytes]) => {
    await begin()
    await station.arrive(first, await firstBytes())
    const [own] = station.open()
    enter(own?.id ?? '', { history_number: '700001', visit_date: '2026-11-20' })
    await station.arrive(second, await secondBytes())
    await station.quiet()
    expect(station.open().map(({ images }) => images.map(({ fileName }) => fileName))).toEqual([
      [first],
      [second],
    ])
  })
})

it('an image that its record moves into a case that collects begins the quiet time again', async () => {
  const station = await watchingCases()
  const record = (name: string): string => JSON.stringify({ history_number: '501288', file: name })
  await station.arrive('a/11aa.png')
  await station.arrive('a/11aa.json', record('11aa.png'))
  await station.clock.turn(50_000)
  await station.arrive('a/22bb.png')
  await station.arrive('a/22bb.json', record('22bb.png'))
  await station.clock.turn(40_000)
  expect(station.open().map(({ state, images }) => [state, images.length])).toEqual([['collecting', 2]])
  await station.clock.turn(25_000)
  expect(station.open().map(({ state }) => state)).not.toContain('collecting')
})
