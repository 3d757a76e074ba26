/**
 * A station that knows the truth and does with it what a perfect one could do with the files: it sends what is proven,
 * shows what is read, and asks about the rest. An examiner that finds fault with it is not fair; one that finds none
 * with its falsified copies is blind.
 */
import { ageOn } from './faults.ts'
import type { OpenFor } from './examine.ts'
import type { Corrections, ExaminedCase, ExaminedReason, ExaminedStation } from './station.ts'
import { type Clinic, type PictureTruth, QUIET_MS, type Visit } from './world.ts'

/** What is done to a case before it is shown, to see whether the examiner notices. */
export type Falsify = (examined: ExaminedCase, clinic: Clinic) => ExaminedCase

/** Approved visits after which a profile is offered. */
const OFFERED_AFTER = 10

type Open = { readonly key: string; readonly visit: Visit; readonly pictures: PictureTruth[]; lastMs: number }

export const openIdealStation = (falsify: Falsify = (examined) => examined): OpenFor => {
  return (clinic) => idealStation(clinic, falsify)
}

function idealStation(clinic: Clinic, falsify: Falsify): ExaminedStation {
  const open = new Map<number, Open>()
  const shown = new Map<string, ExaminedCase>()
  const photographs = new Set<string>()
  let opened = 0
  let approvals = 0
  let profile: 'none' | 'offered' | 'confirmed' = 'none'

  const show = (examined: ExaminedCase): void => void shown.set(examined.key, falsify(examined, clinic))
  const decide = ({ key, visit, pictures }: Open): void =>
    show(caseOf(key, visit, pictures, profile === 'confirmed'))
  const correct = (key: string, { eyes, ...fields }: Corrections): void => {
    const examined = shown.get(key)!
    const pictures = examined.pictures.map((picture) => ({
      ...picture,
      eye: eyes?.[picture.bytes] ?? picture.eye,
    }))
    shown.set(key, { ...examined, ...fields, pictures })
  }
  return {
    arrive: ({ atMs, content }) => {
      if (content.kind === 'data' || photographs.has(content.photograph)) return
      photographs.add(content.photograph)
      const truth = clinic.pictures.get(content.bytes)!
      const known = open.get(truth.visit)
      if (known === undefined) {
        opened += 1
        const visit = clinic.visits[truth.visit]!
        open.set(truth.visit, { key: `case ${opened}`, visit, pictures: [truth], lastMs: atMs })
      } else {
        known.pictures.push(truth)
        known.lastMs = atMs
      }
    },
    advance: (toMs) => {
      for (const [visit, waiting] of open)
        if (toMs - waiting.lastMs >= QUIET_MS) {
          open.delete(visit)
          decide(waiting)
        }
    },
    cases: () => [...shown.values()],
    notes: () =>
      [...shown.values()].flatMap(({ key, pictures: [picture] }) =>
        picture && clinic.contradicted.has(clinic.pictures.get(picture.bytes)!.visit)
          ? [{ text: `${key} may be of another patient.`, path: null, bytes: null, caseKey: key }]
          : [],
      ),
    answer: correct,
    approve: (key, corrections) => {
      if (corrections !== null) correct(key, corrections)
      shown.set(key, { ...shown.get(key)!, state: 'sentSeen', reasons: [] })
      approvals += 1
      if (approvals === OFFERED_AFTER) profile = 'offered'
    },
    offers: () => (profile === 'offered' ? [{ key: 'names', text: 'The names of this clinic' }] : []),
    confirm: () => {
      profile = 'confirmed'
    },
  }
}

function caseOf(
  key: string,
  visit: Visit,
  pictures: readonly PictureTruth[],
  hasProfile: boolean,
): ExaminedCase {
  const facts = pictures.map(({ facts }) => facts)
  const proves = hasProfile ? ['proof', 'read', 'alone'] : ['proof']
  const reasons: ExaminedReason[] = []
  const isShown = (subject: 'who' | 'day' | 'eye', asked: readonly string[]): boolean => {
    if (!facts.some((fact) => asked.includes(fact[subject]))) return true
    reasons.push({ kind: `unclear ${subject}`, text: `Enter the ${subject}.`, about: [subject] })
    return false
  }
  const isPersonShown = isShown('who', ['hidden', 'disputed', 'weak'])
  const isDayShown = isShown('day', ['disputed'])
  isShown('eye', hasProfile ? ['hidden', 'disputed', 'weak'] : ['hidden', 'disputed', 'weak', 'alone'])
  const isProven = facts.every(
    ({ who, day, eye }) => proves.includes(who) && proves.includes(day) && proves.includes(eye),
  )
  const { person, day } = visit
  const isDamaged = pictures.some((picture) => picture.isDamaged)
  return {
    key,
    state: reasons.length > 0 ? 'incomplete' : isProven && !isDamaged ? 'sentUnseen' : 'review',
    historyNumber: isPersonShown ? person.id : null,
    lastName: isPersonShown ? person.last : null,
    firstName: isPersonShown ? person.first : null,
    age: isPersonShown ? ageOn(person, day) : null,
    gender: isPersonShown ? person.sex : null,
    visitDate: isDayShown ? day : null,
    pictures: pictures.map(({ path, bytes, eye, facts }) => ({
      path,
      bytes,
      eye: ['proof', 'read', ...proves].includes(facts.eye) ? eye : 'unknown',
    })),
    reasons,
  }
}
