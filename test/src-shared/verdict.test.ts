import { describe, expect, it } from 'vitest'
import {
  mayLeaveUnseen,
  raisesQuestion,
  restsOnProposal,
  standsAsApproved,
  type Standing,
  type Verdict,
  verdictOn,
} from '../../src-shared/verdict.ts'

const standing = (kind: Standing['kind']): Standing => ({ kind, by: [], why: null })

const PROVEN: Verdict = {
  who: standing('proven'),
  day: standing('proven'),
  together: standing('proven'),
  eyes: { a: standing('proven'), b: standing('proven') },
  fields: [],
  profiles: [],
}

/** The verdict with one part, or the eye of an image, of another kind. */
function withKind(part: string, kind: Standing['kind'], verdict: Verdict = PROVEN): Verdict {
  return part in verdict.eyes
    ? { ...verdict, eyes: { ...verdict.eyes, [part]: standing(kind) } }
    : { ...verdict, [part]: standing(kind) }
}

const PARTS = ['who', 'day', 'together', 'a']

describe('a verdict', () => {
  it('lets a case leave unseen only if every part is proven', () => {
    expect([mayLeaveUnseen(PROVEN), restsOnProposal(PROVEN)]).toEqual([true, false])
    for (const part of PARTS)
      for (const kind of ['proposed', 'disputed', 'unknown'] as const) {
        const verdict = withKind(part, kind)
        expect([mayLeaveUnseen(verdict), restsOnProposal(verdict)], `${part} ${kind}`).toEqual([false, true])
        expect(raisesQuestion(verdict), `${part} ${kind}`).toBe(kind !== 'proposed')
      }
  })

  it('goes among others only if every part is proven, but for a day that is late with its import', () => {
    const late: Standing = { kind: 'proposed', by: [], why: 'importedBatch' }
    const imported: Verdict = { ...PROVEN, day: late }
    expect([PROVEN, imported].map(restsOnProposal)).toEqual([false, false])
    expect([mayLeaveUnseen(imported), raisesQuestion(imported)]).toEqual([false, false])
    for (const day of [{ ...late, why: 'farFromArrival' }, { ...late, kind: 'disputed' } satisfies Standing])
      expect(restsOnProposal({ ...PROVEN, day }), `${day.kind} ${day.why}`).toBe(true)
    for (const part of ['who', 'together', 'a'])
      for (const kind of ['proposed', 'disputed', 'unknown'] as const)
        expect(restsOnProposal(withKind(part, kind, imported)), `${part} ${kind}`).toBe(true)
    expect(restsOnProposal({ ...PROVEN, who: late })).toBe(true)
  })

  it('with a value that is only proposed needs a look of its own', () => {
    const verdict: Verdict = { ...PROVEN, fields: ['od_iop'] }
    expect([mayLeaveUnseen(verdict), restsOnProposal(verdict), raisesQuestion(verdict)]).toEqual([
      false,
      true,
      false,
    ])
  })

  it('of names that were confirmed later needs a person, and no look of its own', () => {
    const later: Verdict = {
      ...PROVEN,
      who: { kind: 'proposed', by: ['fileName'], why: 'beforeConfirmation' },
    }
    expect([mayLeaveUnseen(later), restsOnProposal(later), raisesQuestion(later)]).toEqual([
      false,
      false,
      false,
    ])
    expect(restsOnProposal(withKind('a', 'proposed', later))).toBe(true)
    expect(restsOnProposal({ ...later, who: { ...later.who, kind: 'disputed' } })).toBe(true)
    expect(restsOnProposal({ ...later, day: { ...later.who, why: 'firstReviews' } })).toBe(true)
  })

  it('that is missing proves nothing, nor of an image that it does not know', () => {
    expect(mayLeaveUnseen(verdictOn(null, []))).toBe(false)
    expect(raisesQuestion(verdictOn(null, ['a']))).toBe(true)
    const joined = verdictOn(PROVEN, ['a', 'c'])
    expect(Object.entries(joined.eyes).map(([id, { kind }]) => [id, kind])).toEqual([
      ['a', 'proven'],
      ['c', 'unknown'],
    ])
    expect(mayLeaveUnseen(joined)).toBe(false)
    expect(mayLeaveUnseen(verdictOn(PROVEN, ['a']))).toBe(true)
  })
})

describe('an approval', () => {
  const cases = PARTS.flatMap((part) =>
    (['proven', 'proposed', 'disputed', 'unknown'] as const).flatMap((before) =>
      (['proven', 'proposed', 'disputed', 'unknown'] as const).map((now) => ({ part, before, now })),
    ),
  )

  it.each(cases)('of $part $before, now $now', ({ part, before, now }) => {
    const stands = before === now || (before === 'proposed' && now === 'proven')
    expect(standsAsApproved(withKind(part, before), withKind(part, now))).toBe(stands)
  })

  it('does not stand if one part got better and another worse, or the images differ', () => {
    const approved = withKind('who', 'proposed')
    expect(standsAsApproved(approved, withKind('day', 'proposed'))).toBe(false)
    const { a } = PROVEN.eyes
    const onlyA: Verdict = { ...PROVEN, eyes: a ? { a } : {} }
    expect(standsAsApproved(onlyA, PROVEN)).toBe(false)
    expect(standsAsApproved(PROVEN, onlyA)).toBe(false)
  })

  it('does not depend on by what and why', () => {
    const now: Verdict = { ...PROVEN, who: { kind: 'proven', by: ['dicom'], why: 'other' } }
    expect(standsAsApproved(PROVEN, now)).toBe(true)
  })
})
