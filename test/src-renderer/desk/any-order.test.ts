/** Whatever comes in whatever order: nothing is approved that the screen did not show long enough. */
import { describe, expect, it } from 'vitest'
import {
  type Act,
  type DeskEvent,
  EMPTY_DESK,
  noticeOf,
  type Offer,
  step,
} from '../../../src-renderer/desk/desk-state.ts'
import {
  acted,
  APPROVE,
  click,
  eyeOf,
  key,
  NOTHING,
  paint,
  POINTED,
  PROPOSAL,
  select,
} from './desk-events.ts'
import { randomFrom } from '../../camera/random.ts'

/** What was on the screen, written down without the desk: since when this content of this case was shown whole. */
type Screen = { readonly id: string; readonly digest: string; readonly offer: Offer; readonly since: number }

/** The screen after something was painted: as long as it is the same, it goes on. */
function screenAfter(
  before: Screen | null,
  { id, digest, offer, at }: Extract<DeskEvent, { kind: 'painted' }>,
): Screen {
  const isSame = before?.id === id && before.digest === digest && before.offer === offer
  return { id, digest, offer, since: isSame ? before.since : at }
}

describe('10,000 random sequences of keys, clicks, arrivals and answers', () => {
  it('approve, and give eyes to, nothing but what the screen showed long enough', () => {
    let approvals = 0
    let eyes = 0
    for (let seed = 1; seed <= 10_000; seed += 1) {
      const draw = randomFrom(seed)
      const random = (below: number): number => Math.floor(draw() * below)
      const ids = ['a', 'b', 'c']
      const digests = new Map(ids.map((id) => [id, 0]))
      const offers: readonly Offer[] = [APPROVE, PROPOSAL, NOTHING, eyeOf('i1'), eyeOf('i2')]
      let desk = EMPTY_DESK
      let at = 0
      let screen = null as Screen | null
      let selected: string | null = null
      /** What a person has seen of the selected case, or has said to have read. */
      let seen: string | null = null
      let acting: string | null = null
      const pending: Act[] = []
      for (let turn = 0; turn < 100; turn += 1) {
        at += [5, 20, 45, 60, 300, 700, 1_500][random(7)] ?? 0
        const id = ids[random(3)] ?? 'a'
        const digest = (): string => `${id}${digests.get(id)}`
        let event: DeskEvent
        switch (random(9)) {
          case 0:
            event = select(id)
            break
          case 1:
          case 2:
            event = paint(
              selected ?? id,
              at,
              offers[random(5)],
              `${selected ?? id}${digests.get(selected ?? id)}`,
            )
            break
          case 3:
            event = { kind: 'covered' }
            break
          case 4:
            digests.set(id, (digests.get(id) ?? 0) + 1)
            event = paint(id, at, offers[random(5)], digest())
            break
          case 5: {
            const act = pending.shift()
            const own = act && 'id' in act ? act.id : id
            event = acted(own, random(2) === 0 ? null : `${own}${digests.get(own)}`)
            break
          }
          case 6:
            event =
              random(2) === 0
                ? {
                    kind: 'acknowledged',
                    // What was on the screen, or what came since.
                    notice: random(4) === 0 ? 'changed' : noticeOf(desk),
                    digest: random(4) === 0 ? digest() : (screen?.digest ?? null),
                  }
                : POINTED
            break
          case 7:
            event = click(at, (['approve', 'right', 'left'] as const)[random(3)])
            break
          default:
            event = key(
              ['Enter', 'Enter', '1', '2', 'Backspace', 'ArrowDown', 'e'][random(7)] ?? 'Enter',
              at,
              random(5) === 0,
            )
        }
        const asked = noticeOf(desk)
        const outcomes = [step(desk, event)]
        if (event.kind === 'key' && random(2) === 0)
          outcomes.push(step(outcomes[0]?.desk ?? desk, { kind: 'paused', at: at + 50 }))
        for (const { desk: next, act } of outcomes) {
          desk = next
          if (act === null) continue
          pending.push(act)
          if (act.kind === 'approve' || act.kind === 'setEye') {
            expect(acting, `seed ${seed}`).toBeNull()
            acting = act.id
          }
          if (act.kind === 'approve') {
            approvals += 1
            const least = screen?.offer === PROPOSAL ? 1_500 : 700
            expect(screen, `seed ${seed}`).toMatchObject({ id: act.id, digest: act.digest })
            expect(screen?.offer.kind).toBe('approve')
            expect([act.id, act.digest]).toEqual([selected, seen])
            expect(at - (screen?.since ?? at)).toBeGreaterThanOrEqual(least)
          }
          if (act.kind === 'setEye' && act.eye !== 'unknown') {
            eyes += 1
            expect(screen, `seed ${seed}`).toMatchObject({ id: act.id, offer: eyeOf(act.imageId) })
            expect(at - (screen?.since ?? at)).toBeGreaterThanOrEqual(700)
          }
        }
        // The screen as the event left it.
        if (event.kind === 'selected' && event.id !== selected) {
          selected = event.id
          screen = null
          seen = null
        }
        if (event.kind === 'covered') screen = null
        if (event.kind === 'painted') {
          screen = event.id === selected ? screenAfter(screen, event) : null
          if (event.id === selected) seen ??= event.digest
        }
        const isAnswer =
          event.kind === 'acknowledged' && event.notice === asked && event.digest === screen?.digest
        if (isAnswer && screen !== null) {
          seen = screen.digest
          screen = null
        }
        if (event.kind === 'acted' && event.id === acting) {
          acting = null
          if (event.id === selected && event.digest !== null) seen = event.digest
        }
      }
    }
    expect(approvals).toBeGreaterThan(1_000)
    expect(eyes).toBeGreaterThan(1_000)
  })
})
