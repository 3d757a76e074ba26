/** What a folder teaches: numbers, their shapes, and words beside many of them. */
import { describe, expect, it } from 'vitest'
import { memoryOf } from '../../../../../src-main/station/cases/visits/memory.ts'
import type { FolderMemory } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { settingsSchema } from '../../../../../src-shared/settings.ts'
import type { Submission } from '../../../../../src-shared/submission.ts'
import { verdictOn } from '../../../../../src-shared/verdict.ts'
import { newSubmission } from '../../../../tools/outbox-with.ts'
import { dicomFile } from '../../../../camera/write-dicom.ts'
import { type TestCases, watchingCases } from '../cases-with.ts'

const memory = ({ test: { outbox }, camera }: TestCases): FolderMemory =>
  memoryOf({ outbox, settings: () => settingsSchema.parse({}), folderPath: camera })

let drawn = 0

/** An image that states its patient, under this path. */
async function arrive(station: TestCases, path: string, patientId: string, patientName = ''): Promise<void> {
  drawn += 1
  await station.arrive(
    path,
    await dicomFile({
      patientId,
      ...(patientName !== '' && { patientName }),
      studyDate: '20261120',
      laterality: 'R',
      sopUid: `2.25.${drawn}`,
    }),
  )
}

function caseWith(station: TestCases, path: string): Submission {
  const found = station.open().find(({ images }) => images.some(({ fileName }) => fileName === path))
  if (!found) throw new Error(`there is one of ${path}`)
  return found
}

/** Approves it as a call does: a screen says what it has shown. */
function approve(station: TestCases, path: string, isSeen: boolean): void {
  const { id } = caseWith(station, path)
  station.test.outbox.write(() => {
    station.test.outbox.moveSubmission(id, 'approved', {}, { at: 1, via: isSeen ? 'screen' : 'script' })
    station.cases.noteApproved(id, isSeen ? (station.cases.refresh(id)?.evidence ?? null) : null)
  })
}

describe('a folder', () => {
  it('learns the shape of numbers that are proven and sent, or approved by a person who saw them', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    await arrive(station, 'a/1_OD.dcm', 'H-00101')
    expect(memory(station).isShapeOfIds('A-99999')).toBe(false)
    await station.quiet()
    expect(caseWith(station, 'a/1_OD.dcm').state).toBe('waiting')
    expect(memory(station).isShapeOfIds('A-99999')).toBe(true)
    expect([memory(station).isPatient('h 00101'), memory(station).isPatient('H-00102')]).toEqual([
      true,
      false,
    ])
  })

  it.each([
    ['a screen', true],
    ['a script', false],
  ])('learns from an approval by %s: %s', async (_what, isSeen) => {
    const station = await watchingCases()
    await arrive(station, 'a/1_OD.dcm', 'H-00101')
    await station.quiet()
    approve(station, 'a/1_OD.dcm', isSeen)
    expect(memory(station).isShapeOfIds('A-99999')).toBe(isSeen)
    // Either way it is a patient's number.
    expect(memory(station).isPatient('H-00101')).toBe(true)
  })

  it('takes a word for its own under three numbers, unless some source states it as a name', async () => {
    const station = await watchingCases({ sendWithoutReview: true })
    for (const [at, name] of ['Aguilar', 'Benitez', 'Castro'].entries()) {
      expect(memory(station).isConstant('retinaria')).toBe(false)
      await arrive(station, `Retinaria Castro/H-0010${at}_OD.dcm`, `H-0010${at}`, `${name}^Ana`)
      await station.quiet()
      for (const one of station.open())
        if (one.state === 'review') approve(station, one.images[0]?.fileName ?? '', true)
      for (const one of station.open())
        if (one.state === 'incomplete') {
          // The folder names someone else: a person enters the number and approves.
          const { outbox } = station.test
          outbox.setContent(one.id, { fields: one.fields, sources: { ...one.sources }, reasons: [] }, 1)
          outbox.moveSubmission(one.id, 'gatheredForReview', {}, { at: 1 })
          approve(station, one.images[0]?.fileName ?? '', true)
        }
    }
    expect(memory(station).isConstant('retinaria')).toBe(true)
    expect(memory(station).isConstant('castro')).toBe(false)
  })

  it.each<readonly [string, readonly string[], string, boolean]>([
    ['a surname of three people', ['ortega ana', 'ortega luis', 'ortega eva'], 'ortega', false],
    ['a surname behind first names', ['ida meier', 'jan meier', 'uwe meier', 'jan meier'], 'meier', false],
    [
      'a surname beside two first names each',
      ['nagy ilona pal', 'nagy eva bela', 'nagy ida imre'],
      'nagy',
      false,
    ],
    [
      'a surname alone, shared by three of six',
      ['ortega', 'vega', 'ortega', 'luz', 'ortega', 'pardo'],
      'ortega',
      false,
    ],
    ['one of three wards', ['sur', 'norte', 'sur', 'este', 'sur'], 'sur', true],
    ['a ward', ['retinaria', 'retinaria', 'retinaria'], 'retinaria', true],
    ['a ward, with one word more in one visit', ['sur', 'sur repetida', 'sur', 'sur'], 'sur', true],
    ['two words of a place', ['torre alba', 'torre alba', 'torre alba'], 'alba', true],
  ])('%s is a constant only if people differ in nothing else', async (_what, visits, term, isConstant) => {
    const { test, camera } = await watchingCases()
    for (const [at, terms] of visits.entries())
      for (const one of terms.split(' ')) test.outbox.learnTerm(camera, one, `77102${at}`)
    expect(test.outbox.isConstant(camera, term)).toBe(isConstant)
    // Names that are confirmed later state the rare words as surnames; they are as many as before.
    for (const one of ['vega', 'luz', 'pardo']) test.outbox.learnNameTerm(camera, one)
    expect(test.outbox.isConstant(camera, term)).toBe(isConstant)
  })

  it.each([
    ['before', ['x', 'known']],
    ['after', ['known', 'x']],
  ])('doubts a second number that is the number of a patient, which came %s it', async (_what, order) => {
    const station = await watchingCases({ sendWithoutReview: true })
    for (const one of order) {
      if (one === 'known') await arrive(station, 'a/1_OD.dcm', '88123')
      else await arrive(station, 'H-00101/EX 88123_OD.dcm', 'H-00101')
      await station.quiet()
    }
    expect(caseWith(station, 'H-00101/EX 88123_OD.dcm')).toMatchObject({
      state: 'incomplete',
      verdict: { who: { kind: 'disputed' } },
    })
    expect(caseWith(station, 'a/1_OD.dcm').state).toBe('waiting')
  })
})

it('a case whose number a person has corrected says nothing of the number in its names', async () => {
  const station = await watchingCases()
  const visit = async (folder: string, stem: string): Promise<string> => {
    for (const eye of ['OD', 'OS']) await station.arrive(`${folder}/${stem}_${eye}.png`)
    await station.quiet()
    return caseWith(station, `${folder}/${stem}_OD.png`).id
  }
  await station.approve(await visit('a', 'Bianchi_292853_20261119'))
  const mistaken = await visit('b', 'Mendez_292853_20261120')
  const enter = (number: string): void => {
    const entered = { fields: { history_number: number }, sources: { history_number: 'person' as const } }
    station.test.outbox.setContent(mistaken, { ...entered, reasons: [] }, 1)
  }
  enter('255691')
  expect(memory(station).holderOf('292853')?.terms).toEqual(['bianchi'])
  expect(memory(station).isPatient('292853')).toBe(true)
  for (const spelling of ['29#28·53', 'H-292853']) {
    enter(spelling)
    expect(memory(station).holderOf('292853')?.terms).toEqual(['bianchi', 'mendez'])
  }
  const isCleared = { fields: {}, sources: { history_number: 'person' as const }, reasons: [] }
  station.test.outbox.setContent(mistaken, isCleared, 1)
  expect(memory(station).holderOf('292853')?.terms).toEqual(['bianchi', 'mendez'])
})

it('a case that leaves counts before all that are only asked about its number', async () => {
  const station = await watchingCases()
  const { outbox } = station.test
  for (const eye of ['OD', 'OS']) await station.arrive(`a/Bianchi_292853_20261119_${eye}.png`)
  await station.quiet()
  await station.approve(caseWith(station, 'a/Bianchi_292853_20261119_OD.png').id)
  const unread = verdictOn(null, [])
  const verdict = { ...unread, who: { ...unread.who, why: 'placeholder' as const } }
  for (let at = 0; at < 6; at += 1) {
    const id = outbox.createSubmission(newSubmission({ folderPath: station.camera, fields: {}, sources: {} }))
    outbox.setContent(id, { fields: {}, sources: {}, reasons: [], verdict }, 1)
    outbox.noteMentions(station.camera, id, ['292853'])
  }
  expect(memory(station).isPatient('292853')).toBe(true)
  expect(memory(station).holderOf('292853')?.terms).toEqual(['bianchi'])
})
