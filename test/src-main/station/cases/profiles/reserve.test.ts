/** What a confirmed profile that proves nothing yet does to a verdict: never more than a proposal. */
import { describe, expect, it } from 'vitest'
import type { Doubt, Verdict } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import {
  type Reserve,
  type VisitVerdict,
  withReserve,
} from '../../../../../src-main/station/cases/verdict/visit.ts'

const NAME = { value: '100003', source: 'fileName', where: '100003_OD.jpg' } as const
const OTHER = { ...NAME, value: '200006', source: 'dicom' } as const

type Kind = Verdict<string>['kind']

function part(kind: Kind, why: Doubt = 'readFromNames'): Verdict<string> {
  switch (kind) {
    case 'proven':
      return { kind, value: NAME.value, by: [NAME] }
    case 'proposed':
      return { kind, value: NAME.value, by: [NAME], why }
    case 'disputed':
      return { kind, statements: [NAME, OTHER], why: 'sourcesDiffer' }
    case 'unknown':
      return { kind, why: 'nothingStated' }
  }
}

function visitOf(who: Verdict<string>, profiles: readonly string[] = []): VisitVerdict {
  return {
    who,
    day: part('proven'),
    eyes: new Map([['a', { kind: 'proven', value: 'right', by: [{ ...NAME, value: 'right' }] }]]),
    together: { kind: 'proven' },
    isOneEyed: false,
    profiles,
  }
}

function shown({ who }: VisitVerdict): string {
  return 'why' in who && who.kind === 'proposed' ? `${who.kind} ${who.why}` : who.kind
}

describe('a profile that proves nothing of a case yet', () => {
  it.each<[before: Kind, asConfirmed: Kind, reserve: Reserve, after: string, profiles: number]>([
    ['proposed', 'proven', 'beforeConfirmation', 'proposed beforeConfirmation', 1],
    ['proposed', 'proven', 'firstReviews', 'proposed firstReviews', 1],
    ['unknown', 'proven', 'beforeConfirmation', 'proposed beforeConfirmation', 1],
    ['disputed', 'proven', 'firstReviews', 'proposed firstReviews', 1],
    ['proven', 'proven', 'beforeConfirmation', 'proven', 0],
    ['proven', 'disputed', 'beforeConfirmation', 'disputed', 1],
    ['proposed', 'disputed', 'firstReviews', 'disputed', 1],
    ['proposed', 'proposed', 'beforeConfirmation', 'proposed readFromNames', 0],
    ['disputed', 'unknown', 'beforeConfirmation', 'disputed', 0],
    ['proposed', 'proven', 'notConfirmed', 'proposed notConfirmed', 0],
    ['proven', 'proven', 'notConfirmed', 'proven', 0],
    ['unknown', 'proven', 'notConfirmed', 'unknown', 0],
  ])('makes %s, were it %s, with %s: %s', (before, asConfirmed, reserve, after, profiles) => {
    const verdict = withReserve(visitOf(part(before)), visitOf(part(asConfirmed), ['names-1']), reserve)
    expect([shown(verdict), verdict.profiles.length]).toEqual([after, profiles])
    expect(verdict.day.kind).toBe('proven')
  })

  it('does not speak of what was doubted for another reason', () => {
    const far = visitOf(part('proposed', 'farFromArrival'))
    expect(shown(withReserve(far, far, 'notConfirmed'))).toBe('proposed farFromArrival')
  })
})
