import { describe, expect, it } from 'vitest'
import { classifyFound, type FoundCase } from '../../../../src-main/station/delivery/match-cases.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'

const ON_ITS_WAY: FoundCase = {
  state: 'waiting',
  hasAttempt: true,
  isSettledByPerson: false,
  isUnchangedSinceAttempt: true,
  isSameDestination: true,
  mayBeAdopted: true,
}

describe('what was not in doubt and is seen at the service', () => {
  it.each<[name: string, found: Partial<FoundCase>, judged: ReturnType<typeof classifyFound>]>([
    ['on its way, and nothing speaks against it', {}, 'take'],
    ['where a person has decided about it', { isSettledByPerson: true }, 'nothing'],
    ['never sent from here', { hasAttempt: false }, 'hold'],
    ['changed or passed anew since the attempt', { isUnchangedSinceAttempt: false }, 'doubt'],
    ['in another place than it was sent to', { isSameDestination: false }, 'doubt'],
    ['where something speaks against it', { mayBeAdopted: false }, 'doubt'],
  ])('%s', (_name, found, judged) => expect(classifyFound({ ...ON_ITS_WAY, ...found })).toBe(judged))

  it('is taken by itself in no other state', () => {
    const judged = SUBMISSION_STATES.map((state) => [state, classifyFound({ ...ON_ITS_WAY, state })])
    expect(Object.fromEntries(judged)).toEqual({
      collecting: 'doubt',
      incomplete: 'doubt',
      review: 'doubt',
      waiting: 'take',
      held: 'doubt',
      sending: 'nothing',
      unconfirmed: 'nothing',
      refused: 'doubt',
      sent: 'nothing',
      discarded: 'nothing',
    })
  })
})
