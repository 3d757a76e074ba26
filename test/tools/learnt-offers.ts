/** The offers that a station would learn, at once. */
import { learnOffers } from '../../src-main/station/cases/profiles/learn.ts'
import type { Offer } from '../../src-shared/profile-offers.ts'

export function learntOffers(...learnt: Parameters<typeof learnOffers>): readonly Offer[] {
  const steps = learnOffers(...learnt)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
