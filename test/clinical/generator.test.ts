import { describe, expect, it } from 'vitest'
import { allConventions } from './all-conventions.ts'
import { drawClinic, VISITS_PER_CLINIC } from './clinic.ts'
import type { Convention } from './convention.ts'
import { HANDS_FREE_VISITS } from './hands-free.ts'
import type { Clinic } from './world.ts'

const CLINICS = 12
const SEED = 20_261_124

const drawn = new Map<Convention, readonly Clinic[]>()

function clinicsOf(convention: Convention): readonly Clinic[] {
  const clinics =
    drawn.get(convention) ??
    Array.from({ length: CLINICS }, (_, number) => drawClinic(convention, SEED, number))
  drawn.set(convention, clinics)
  return clinics
}

/** In these a path holds several pictures on purpose. */
const WRITTEN_OVER = /written over|one name in an archive|stored again|damaged|OD\.jpg and OS\.jpg|inbox/

/** Neither Windows nor a share could hold it. */
const NO_PATH = /^\/|\/\/|\\|[:*?"<>|]|[ .](?:\/|$)/
const DAY = /^\d{4}-\d\d-\d\d$/

describe('the conventions', () => {
  it('are at least 80, plain ones and traps, each with a name of its own', () => {
    expect(allConventions.length).toBeGreaterThanOrEqual(80)
    expect(new Set(allConventions.map(({ name }) => name)).size).toBe(allConventions.length)
    for (const kind of ['plain', 'trap'])
      expect(allConventions.filter((convention) => convention.kind === kind).length).toBeGreaterThan(30)
  })

  it('include at least 20 real ones, each with its public source', () => {
    const real = allConventions.filter(({ source }) => source !== null)
    expect(real.length).toBeGreaterThanOrEqual(20)
    for (const { source } of real) expect(source).toMatch(/[a-z]+\.[a-z]+|manual|statement|README|index/i)
  })

  it('demand a profile of names only, and none of DICOM and bound records', () => {
    for (const convention of allConventions) {
      const certainties = new Set(
        clinicsOf(convention).flatMap(({ pictures }) =>
          [...pictures.values()].flatMap(({ facts: { who, day, eye } }) => [who, day, eye]),
        ),
      )
      if (convention.handsFree === 'without profile')
        expect([...certainties], convention.name).toEqual(['proof'])
      if (convention.handsFree === 'with profile')
        expect([...certainties].toSorted(), convention.name).toEqual(
          certainties.has('alone') ? ['alone', 'read'] : ['read'],
        )
    }
  })
})

describe('every convention', () => {
  it.each(allConventions)('$name: draws three variants, and the same from the same seed', (convention) => {
    expect(new Set(clinicsOf(convention).map(({ variant }) => variant)).size).toBeGreaterThanOrEqual(3)
    expect(drawClinic(convention, SEED, 7)).toEqual(drawClinic(convention, SEED, 7))
    expect(drawClinic(convention, SEED, 7).events).not.toEqual(drawClinic(convention, SEED + 1, 7).events)
  })

  it.each(allConventions)(
    '$name: writes files that a folder can hold, in the order of time',
    (convention) => {
      const events = clinicsOf(convention).flatMap(({ events }) => events.map(({ path }) => path))
      expect(events.filter((path) => NO_PATH.test(path))).toEqual([])
      const parts = events.flatMap((path) => path.split('/'))
      expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(250)
      for (const { events } of clinicsOf(convention)) {
        const times = events.map(({ atMs }) => atMs)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }
    },
  )

  it.each(allConventions)('$name: knows the truth of every picture', (convention) => {
    for (const { visits, events, pictures } of clinicsOf(convention)) {
      expect(visits).toHaveLength(VISITS_PER_CLINIC)
      const written = new Map<string, string>()
      const faults = events.flatMap(({ path, content }) => {
        if (content.kind === 'data') return []
        const truth = pictures.get(content.bytes)
        const visit = truth && visits[truth.visit]
        const before = written.get(path) ?? content.bytes
        written.set(path, content.bytes)
        const isRight =
          truth?.photograph === content.photograph &&
          visit !== undefined &&
          visit.person.id !== '' &&
          DAY.test(visit.day) &&
          DAY.test(visit.person.birthDate) &&
          (before === content.bytes || WRITTEN_OVER.test(convention.name))
        return isRight ? [] : [path]
      })
      expect(faults).toEqual([])
      expect(new Set([...pictures.values()].map(({ visit }) => visit)).size).toBe(visits.length)
    }
  })

  it('that has to be learnt has patients enough for it', () => {
    const learnt = allConventions.filter(({ handsFree }) => handsFree === 'with profile')
    expect(learnt.length).toBeGreaterThan(10)
    for (const convention of learnt) {
      const { visits } = drawClinic(convention, SEED, 1, { count: HANDS_FREE_VISITS })
      expect(new Set(visits.map(({ person }) => person.id)).size).toBeGreaterThan(HANDS_FREE_VISITS / 2)
      expect(new Set(visits.map(({ day }) => day)).size).toBeGreaterThan(5)
    }
  })
})
