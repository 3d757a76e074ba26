/**
 * The most careful station there could be: it reads nothing, and asks a person about every single picture. It sends
 * nothing wrong and is of no use; the examiner's own tests and figures need it.
 */
import type { Corrections, ExaminedCase, ExaminedPicture, ExaminedStation } from './station.ts'
import { QUIET_MS } from './world.ts'

const REASONS: ExaminedCase['reasons'] = [
  { kind: 'everything', text: 'Whose image is it?', about: ['who', 'day', 'eye', 'belonging'] },
]

export function openCautiousStation(): ExaminedStation {
  const cases = new Map<string, ExaminedCase>()
  const arrivals = new Map<string, number>()
  const known = new Set<string>()
  const change = (key: string, changes: Partial<ExaminedCase>): void => {
    cases.set(key, { ...cases.get(key)!, ...changes })
  }
  const correct = (key: string, { eyes, ...fields }: Corrections): void => {
    const pictures = cases
      .get(key)!
      .pictures.map((picture): ExaminedPicture => ({ ...picture, eye: eyes?.[picture.bytes] ?? picture.eye }))
    change(key, { ...fields, pictures })
  }
  return {
    arrive: ({ atMs, path, content }) => {
      if (content.kind !== 'picture' || known.has(content.bytes)) return
      known.add(content.bytes)
      const key = `case ${cases.size + 1}`
      arrivals.set(key, atMs)
      cases.set(key, {
        key,
        state: 'collecting',
        historyNumber: null,
        lastName: null,
        firstName: null,
        age: null,
        gender: null,
        visitDate: null,
        pictures: [{ path, bytes: content.bytes, eye: 'unknown' }],
        reasons: REASONS,
      })
    },
    advance: (toMs) => {
      for (const [key, atMs] of arrivals)
        if (toMs - atMs >= QUIET_MS) {
          arrivals.delete(key)
          change(key, { state: 'incomplete' })
        }
    },
    cases: () => [...cases.values()],
    // Any file may contradict any case that was sent.
    notes: () =>
      [...cases.keys()].map((caseKey) => ({ text: 'Check this case.', path: null, bytes: null, caseKey })),
    answer: correct,
    approve: (key, corrections) => {
      if (corrections !== null) correct(key, corrections)
      change(key, { state: 'sentSeen', reasons: [] })
    },
    offers: () => [],
    confirm: () => {},
  }
}
