import { describe, expect, it } from 'vitest'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { judgeFound, type Found } from '../../../../src-main/station/delivery/judge-found.ts'

const ON_ITS_WAY: Found = {
  state: 'waiting',
  hasAttempt: true,
  isDecided: false,
  isAsAttempted: true,
  isSamePlace: true,
  mayBeTaken: true,
}

describe('what was not in doubt and is seen at the service', () => {
  it.each<[name: string, found: Partial<Found>, judged: ReturnType<typeof judgeFound>]>([
    ['on its way, and nothing speaks against it', {}, 'take'],
    ['where a person has decided about it', { isDecided: true }, 'nothing'],
    ['never sent from here', { hasAttempt: false }, 'hold'],
    ['changed or passed anew since the attempt', { isAsAttempted: false }, 'doubt'],
    ['in another place than it was sent to', { isSamePlace: false }, 'doubt'],
    ['where something speaks against it', { mayBeTaken: false }, 'doubt'],
  ])('%s', (_name, found, judged) => expect(judgeFound({ ...ON_ITS_WAY, ...found })).toBe(judged))

  it('is taken by itself in no other state', () => {
    const judged = SUBMISSION_STATES.map((state) => [state, judgeFound({ ...ON_ITS_WAY, state })])
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
