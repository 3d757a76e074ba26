import { describe, expect, it } from 'vitest'
import { allConventions } from './all-conventions.ts'
import { drawClinic } from './clinic.ts'
import { examineClinic, type OpenFor } from './examine.ts'
import { isNameOf, isNumberOf } from './faults.ts'
import { examineHandsFree } from './hands-free.ts'
import { type Falsify, openIdealStation } from './ideal-station.ts'
import { demandsOf, isMet } from './report.ts'
import { runExamination } from './run.ts'
import { HARD, type Outcome, type VisitScore } from './score.ts'
import type { ExaminedCase, ExaminedReason } from './station.ts'
import type { Clinic, Person } from './world.ts'

const SEED = 20_261_124
const VISITS = 4_000

const unmet = async (openFor: OpenFor): Promise<string[]> => {
  const { scores, handsFree } = await runExamination({ seed: SEED, visits: VISITS, openFor })
  return demandsOf(scores, handsFree)
    .filter((demand) => !isMet(demand) && demand.convention === undefined)
    .map(({ name }) => name)
}

async function examineAll(clinics: readonly Clinic[], openFor: OpenFor): Promise<readonly VisitScore[]> {
  return (await Promise.all(clinics.map((clinic) => examineClinic(clinic, openFor(clinic))))).flat()
}

async function outcomesOf(clinics: readonly Clinic[], openFor: OpenFor): Promise<readonly Outcome[]> {
  return (await examineAll(clinics, openFor)).flatMap(({ outcomes }) => [...outcomes])
}

/** It asks a person about every single picture: nothing is sent wrong, and it is of no use. */
const openAsking = openIdealStation((examined) => ({
  ...examined,
  state: 'incomplete',
  reasons: [{ kind: 'everything', text: 'Whose image is it?', about: ['who', 'day', 'eye', 'belonging'] }],
}))

describe('the examiner', () => {
  it('demands nothing that a perfect station could not do', async () => {
    const { scores, handsFree } = await runExamination({
      seed: SEED,
      visits: VISITS,
      openFor: openIdealStation(),
    })
    expect(demandsOf(scores, handsFree).filter((demand) => !isMet(demand))).toEqual([])
  })

  it('demands of each plain convention that it is not asked about, and of each proven one that it leaves unseen', async () => {
    const { scores, handsFree } = await runExamination({ seed: SEED, visits: VISITS, openFor: openAsking })
    const demands = demandsOf(scores, handsFree).filter(({ convention }) => convention !== undefined)
    const plainOnes = allConventions.filter(({ kind }) => kind === 'plain')
    expect(new Set(demands.map(({ convention }) => convention)).size).toBe(plainOnes.length)
    expect(demands.filter(({ name, of }) => name === 'hands-free' && of > 0).filter(isMet)).toEqual([])
  })

  it('finds a station that asks about every picture safe and of no use', async () => {
    expect(await unmet(openAsking)).toEqual([
      'asked though any reader knows, plain',
      'hands-free without a profile, DICOM and bound records',
      'hands-free with the offered profile',
    ])
  })
})

const ASKS_EYE: ExaminedReason = { kind: 'eye', text: 'Which eye?', about: ['eye'] }
const ASKS_WHO: ExaminedReason = { kind: 'who', text: 'Whose images?', about: ['who'] }

const withEye = (examined: ExaminedCase): ExaminedCase => ({
  ...examined,
  pictures: examined.pictures.map((picture) => ({
    ...picture,
    eye: picture.eye === 'right' ? 'left' : 'right',
  })),
})
const withNumber = (examined: ExaminedCase): ExaminedCase => ({ ...examined, historyNumber: '55' })

/** Puts a picture of another visit into each case. */
const withStranger: Falsify = (examined, { pictures }) => {
  const { visit } = pictures.get(examined.pictures[0]!.bytes)!
  const stranger = [...pictures.values()].find((picture) => picture.visit === (visit + 1) % 6)!
  const { path, bytes, eye } = stranger
  return { ...examined, pictures: [...examined.pictures, { path, bytes, eye }] }
}

describe('a fault', () => {
  it.each<[convention: string, fault: string, falsify: Falsify, outcome: Outcome]>([
    ['DICOM with silent names', 'a wrong eye', withEye, 'sent unseen: wrong eye'],
    ['DICOM with silent names', 'a wrong number', withNumber, 'sent unseen: wrong patient'],
    [
      'DICOM with silent names',
      'a wrong name',
      (examined) => ({ ...examined, lastName: 'Stranger' }),
      'sent unseen: wrong patient',
    ],
    [
      'DICOM with silent names',
      'a wrong birth date',
      (examined) => ({ ...examined, age: 126 }),
      'sent unseen: wrong patient',
    ],
    ['DICOM with silent names', 'two patients', withStranger, 'sent unseen: mixed patients'],
    [
      'DICOM with silent names',
      'a wrong day',
      (examined) => ({ ...examined, visitDate: '2020-01-01' }),
      'sent unseen: wrong day',
    ],
    [
      'flat number-day-eye',
      'names sent without a profile',
      (examined) => ({ ...examined, state: 'sentUnseen' }),
      'sent unseen: unproven',
    ],
    [
      'DICOM without an eye',
      'an eye that nothing states',
      (examined) => ({ ...examined, state: 'sentUnseen' }),
      'sent unseen: unproven',
    ],
    ['flat number-day-eye', 'a wrong eye to check', withEye, 'proposed: wrong eye'],
    ['flat number-day-eye', 'a wrong number to check', withNumber, 'proposed: wrong patient'],
    ['flat number-day-eye', 'two patients to check', withStranger, 'proposed: mixed patients'],
    [
      'flat number-day-eye',
      'a wrong number, and a question about the eye',
      (examined) => ({ ...withNumber(examined), state: 'incomplete', reasons: [ASKS_EYE] }),
      'proposed: wrong patient',
    ],
    [
      'flat number-day-eye',
      'a wrong number, and a question about it',
      (examined) => ({ ...withNumber(examined), state: 'incomplete', reasons: [ASKS_WHO] }),
      'asked, prefilled wrongly',
    ],
    [
      'flat number-day-eye',
      'a needless question',
      (examined) => ({ ...examined, state: 'incomplete', reasons: [ASKS_WHO] }),
      'asked though read',
    ],
    [
      'flat number-day-eye',
      'a picture in no case',
      (examined) => ({ ...examined, pictures: examined.pictures.slice(1) }),
      'lost',
    ],
  ])('in %s is noticed: %s', async (name, _fault, falsify, outcome) => {
    const convention = allConventions.find((convention) => convention.name === name)!
    const clinics = Array.from({ length: 6 }, (_, number) => drawClinic(convention, SEED, number))
    const sound = await examineAll(clinics, openIdealStation())
    expect(sound.some(({ outcomes }) => outcomes.has(outcome))).toBe(false)
    const scores = await examineAll(clinics, openIdealStation(falsify))
    expect(scores.some(({ outcomes }) => outcomes.has(outcome))).toBe(true)
  })

  it('after the confirmation of a profile is noticed', async () => {
    const convention = allConventions.find(({ handsFree }) => handsFree === 'with profile')!
    const falsify: Falsify = (examined) => (examined.state === 'sentUnseen' ? withEye(examined) : examined)
    const { visits, firstMeasured } = await examineHandsFree(convention, SEED, 0, openIdealStation(falsify))
    const wrong = visits.findIndex(({ outcomes }) => outcomes.has('sent unseen: wrong eye'))
    expect(firstMeasured).not.toBeNull()
    expect(wrong).toBeGreaterThanOrEqual(firstMeasured!)
  })
})

describe('a damaged picture', () => {
  const convention = allConventions.find(({ name }) => name === 'a damaged image')!
  const clinics = Array.from({ length: 12 }, (_, number) => drawClinic(convention, SEED, number))
  const isWrittenOver = ({ pictures }: Clinic): boolean => {
    const truths = [...pictures.values()]
    const damaged = new Set(truths.filter(({ isDamaged }) => isDamaged).map(({ path }) => path))
    return truths.some(({ path, isDamaged }) => !isDamaged && damaged.has(path))
  }
  /** Leaves damaged pictures out of every case, and says nothing of them. */
  const withoutDamaged: Falsify = (examined, { pictures }) => ({
    ...examined,
    pictures: examined.pictures.filter(({ bytes }) => !pictures.get(bytes)!.isDamaged),
  })

  it.each([
    ['that a sound one has replaced is not missing', true],
    ['that is mentioned nowhere is lost', false],
  ])('%s', async (_name, isReplaced) => {
    const chosen = clinics.filter((clinic) => isWrittenOver(clinic) === isReplaced)
    const outcomes = await outcomesOf(chosen, openIdealStation(withoutDamaged))
    expect(chosen.length).toBeGreaterThan(0)
    expect(outcomes.includes('lost')).toBe(!isReplaced)
  })
})

describe('a contradiction after sending', () => {
  it('has to be raised for the case that was sent', async () => {
    const late = allConventions.filter(({ name }) => name.endsWith('later'))
    const clinics = late.map((convention) => drawClinic(convention, SEED, 0))
    const openSilent: OpenFor = (clinic) => ({ ...openIdealStation()(clinic), notes: () => [] })
    expect(late).toHaveLength(3)
    expect(await outcomesOf(clinics, openIdealStation())).not.toContain('contradiction not raised')
    expect(await outcomesOf(clinics, openSilent)).toContain('contradiction not raised')
  })
})

describe('a clinic with a confirmed profile', () => {
  it('has visits that the profile must not let go, and each is noticed', async () => {
    const learnt = allConventions.filter(({ handsFree }) => handsFree === 'with profile')
    // Whatever comes after the confirmation leaves unseen, as its names and headers say.
    const falsify: Falsify = (examined) => ({
      ...examined,
      visitDate: examined.visitDate ?? '2020-01-01',
      state: 'sentUnseen',
      reasons: [],
    })
    let count = 0
    const missed: number[] = []
    for (const [index, convention] of learnt.entries()) {
      const openFor: OpenFor = (clinic) => {
        let isConfirmed = false
        const station = openIdealStation((examined, clinic) =>
          isConfirmed ? falsify(examined, clinic) : examined,
        )(clinic)
        return {
          ...station,
          confirm: (key) => {
            isConfirmed = true
            void station.confirm(key)
          },
        }
      }
      const { visits, deviating } = await examineHandsFree(convention, SEED, index, openFor)
      count += deviating.size
      missed.push(
        ...[...deviating].filter(
          (visit) => ![...visits[visit]!.outcomes].some((outcome) => HARD.includes(outcome)),
        ),
      )
    }
    expect(count).toBeGreaterThan(learnt.length)
    expect(missed).toEqual([])
  })
})

describe('what a person approved', () => {
  it('is not the program’s, but what joins the case afterwards is', async () => {
    const convention = allConventions.find(({ name }) => name === 'inbox, patients minutes apart')!
    // Once approved, the case takes the next patient's images.
    const openFor: OpenFor = (clinic) => {
      const station = openIdealStation()(clinic)
      return {
        ...station,
        cases: () =>
          station
            .cases()
            .map((examined) => (examined.state === 'sentSeen' ? withStranger(examined, clinic) : examined)),
      }
    }
    const clinics = Array.from({ length: 12 }, (_, number) => drawClinic(convention, SEED, number))
    const attended = clinics.filter(({ attendance }) => attendance === 'approves')
    const outcomes = await outcomesOf(attended, openFor)
    expect(attended.length).toBeGreaterThan(0)
    expect(outcomes.filter((outcome) => HARD.includes(outcome))).toContain('sent unseen: mixed patients')
  })
})

const person = (id: string, last = 'López García', first = 'Ana María'): Person => ({
  id,
  aliases: ['9434765919'],
  last,
  first,
  birthDate: '1957-03-11',
  sex: 'F',
})

describe('two spellings', () => {
  it.each([
    ['943 476 5919', '943-476-5919', true],
    ['943 476 5919', '943', false],
    ['004512', '4512', false],
    ['HC-004512', 'hc004512', true],
    ['X-2210292-L', 'X-2210292', false],
  ])('of the number %s: %s is %s', (id, text, isSame) => {
    expect(isNumberOf({ ...person(id), aliases: [] }, text)).toBe(isSame)
  })

  it.each([
    ['LOPEZ GARCIA', 'ANA MARIA', true],
    ['Ana María', 'López García', true],
    ['López', 'A.', true],
    ['López'.normalize('NFD'), null, true],
    ['López', 'Elsa', false],
    ['Baker', null, false],
  ])('of a name: %s, %s', (last, first, isSame) => {
    expect(isNameOf(person('1'), last, first)).toBe(isSame)
  })
})
