/** What happens at the desk, as its tests write it: the case `a` is shown from 0, and keys go down later. */
import {
  type Act,
  type Desk,
  type DeskEvent,
  type DeskNotice,
  EMPTY_DESK,
  type Offer,
  step,
} from '../../../src-renderer/desk/desk-state.ts'

export const APPROVE: Offer = { kind: 'approve', isProposal: false }
export const PROPOSAL: Offer = { kind: 'approve', isProposal: true }
export const NOTHING: Offer = { kind: 'nothing' }
export const eyeOf = (imageId: string): Offer => ({ kind: 'eye', imageId })

export const select = (id: string): DeskEvent => ({ kind: 'selected', id })
export const paint = (
  id: string,
  at: number,
  offer: Offer = APPROVE,
  digest = `digest of ${id}`,
): DeskEvent => ({
  kind: 'painted',
  id,
  digest,
  offer,
  at,
})
export const key = (name: string, at: number, isRepeat = false): DeskEvent => ({
  kind: 'key',
  key: name,
  at,
  isRepeat,
})
export const click = (at: number, on: 'approve' | 'right' | 'left' = 'approve'): DeskEvent => ({
  kind: 'clicked',
  on,
  at,
})
export const acted = (id: string, digest: string | null = null): DeskEvent => ({ kind: 'acted', id, digest })
/** A person answers what is asked about a case with this digest. */
export const sure = (notice: DeskNotice, digest = 'digest of a'): DeskEvent => ({
  kind: 'acknowledged',
  notice,
  digest,
})
export const POINTED: DeskEvent = { kind: 'pointed' }

export function after(...events: readonly DeskEvent[]): {
  readonly desk: Desk
  readonly acts: readonly Act[]
} {
  const acts: Act[] = []
  const desk = events.reduce((before, event) => {
    const { desk: next, act } = step(before, event)
    if (act) acts.push(act)
    return next
  }, EMPTY_DESK)
  return { desk, acts }
}
