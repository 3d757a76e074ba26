/** What the desk does with keys, clicks and arrivals: nothing is approved that was not named and in view long enough. */
import { describe, expect, it } from 'vitest'
import {
  type Act,
  type Desk,
  type DeskEvent,
  EMPTY_DESK,
  hasChangedUnseen,
  isOneEyeTwice,
  nextAfter,
  type Offer,
  step,
} from '../../../src-renderer/desk/desk-state.ts'

const APPROVE: Offer = { kind: 'approve', isProposal: false }
const PROPOSAL: Offer = { kind: 'approve', isProposal: true }
const NOTHING: Offer = { kind: 'nothing' }
const eyeOf = (imageId: string): Offer => ({ kind: 'eye', imageId })

const select = (id: string): DeskEvent => ({ kind: 'selected', id })
const paint = (id: string, at: number, offer: Offer = APPROVE, digest = `digest of ${id}`): DeskEvent => ({
  kind: 'painted',
  id,
  digest,
  offer,
  at,
})
const key = (name: string, at: number, isRepeat = false): DeskEvent => ({
  kind: 'key',
  key: name,
  at,
  isRepeat,
})
const click = (at: number, on: 'approve' | 'right' | 'left' = 'approve'): DeskEvent => ({
  kind: 'clicked',
  on,
  at,
})
const acted = (id: string, digest: string | null = null): DeskEvent => ({ kind: 'acted', id, digest })
const POINTED: DeskEvent = { kind: 'pointed' }

function after(...events: readonly DeskEvent[]): { readonly desk: Desk; readonly acts: readonly Act[] } {
  const acts: Act[] = []
  const desk = events.reduce((before, event) => {
    const { desk: next, act } = step(before, event)
    if (act) acts.push(act)
    return next
  }, EMPTY_DESK)
  return { desk, acts }
}

const APPROVED = [{ kind: 'approve', id: 'a', digest: 'digest of a' }]
const SEARCHED = (text: string) => [{ kind: 'search', text }]
const A_AT_0 = [select('a'), paint('a', 0)]
/** Its second image came while it was shown. */
const COLLECTING = [
  select('a'),
  paint('a', -100, { kind: 'close' }, 'one image'),
  paint('a', 0, { kind: 'close' }),
]
const A_ASKED = [select('a'), paint('a', 0, eyeOf('i1'))]

describe('Enter', () => {
  it.each<readonly [string, readonly DeskEvent[], readonly unknown[]]>([
    ['approves what was painted long enough', [...A_AT_0, key('Enter', 700)], APPROVED],
    ['not a moment earlier', [...A_AT_0, key('Enter', 699)], []],
    ['a proposal later', [select('a'), paint('a', 0, PROPOSAL), key('Enter', 1_499)], []],
    ['a proposal then', [select('a'), paint('a', 0, PROPOSAL), key('Enter', 1_500)], APPROVED],
    ['not while it repeats', [...A_AT_0, key('Enter', 900, true)], []],
    ['not twice', [...A_AT_0, key('Enter', 900), key('Enter', 940)], APPROVED],
    ['not while pictures load', [select('a'), key('Enter', 900)], []],
    ['not what is hidden', [...A_AT_0, { kind: 'covered' }, key('Enter', 900)], []],
    [
      'from when it is seen again',
      [...A_AT_0, { kind: 'covered' }, paint('a', 800), key('Enter', 1_400)],
      [],
    ],
    ['not what cannot be approved', [select('a'), paint('a', 0, NOTHING), key('Enter', 900)], []],
    ['not with an eye to give', [...A_ASKED, key('Enter', 900)], []],
    ['not the case before', [...A_AT_0, select('b'), key('Enter', 900)], []],
    ['not a case that is painted and not selected', [select('b'), paint('a', 0), key('Enter', 900)], []],
    [
      'not by a key that went down before it was painted',
      [select('a'), paint('a', 950), key('Enter', 900)],
      [],
    ],
    [
      'searches for what a scanner wrote',
      [...A_AT_0, key('H', 900), key('7', 905), key('Enter', 910)],
      SEARCHED('H7'),
    ],
    ['also one character', [...A_AT_0, key('7', 900), key('Enter', 949)], SEARCHED('7')],
    ['not later', [...A_AT_0, key('7', 900), { kind: 'paused', at: 951 }, key('Enter', 960)], APPROVED],
    ['closes a case that still collects', [...COLLECTING, key('Enter', 900)], [{ kind: 'close', id: 'a' }]],
    [
      'and approves it then, shown whole',
      [
        ...COLLECTING,
        key('Enter', 900),
        acted('a'),
        paint('a', 950),
        key('Enter', 1_649),
        key('Enter', 1_650),
      ],
      [{ kind: 'close', id: 'a' }, ...APPROVED],
    ],
    [
      'not if it became another by that',
      [...COLLECTING, key('Enter', 900), acted('a'), paint('a', 950, APPROVE, 'other'), key('Enter', 2_000)],
      [{ kind: 'close', id: 'a' }],
    ],
    ['not what has changed', [...A_AT_0, paint('a', 800, APPROVE, 'other'), key('Enter', 2_000)], []],
    [
      'what has changed and was acknowledged, once it was in view as long again',
      [
        ...A_AT_0,
        paint('a', 800, APPROVE, 'other'),
        { kind: 'acknowledged' },
        key('Enter', 3_000),
        paint('a', 3_000, APPROVE, 'other'),
        key('Enter', 3_699),
        key('Enter', 3_700),
      ],
      [{ kind: 'approve', id: 'a', digest: 'other' }],
    ],
  ])('%s', (_name, events, acts) => {
    expect(after(...events).acts).toEqual(acts)
  })
})

describe('a click', () => {
  it.each<readonly [string, readonly DeskEvent[], number]>([
    ['approves once the pointer has moved', [...A_AT_0, POINTED, click(700)], 1],
    ['not under a resting pointer', [...A_AT_0, click(5_000)], 0],
    ['not if it moved over the case before', [POINTED, ...A_AT_0, click(5_000)], 0],
    ['not earlier than a key', [...A_AT_0, POINTED, click(699)], 0],
  ])('%s', (_name, events, count) => {
    expect(after(...events).acts).toHaveLength(count)
  })

  it('gives an eye', () => {
    expect(after(...A_ASKED, POINTED, click(900, 'left')).acts).toEqual([
      { kind: 'setEye', id: 'a', imageId: 'i1', eye: 'left' },
    ])
  })
})

describe('an eye', () => {
  const pressed = (name: string, at: number): readonly DeskEvent[] => [
    key(name, at),
    { kind: 'paused', at: at + 50 },
  ]
  const both = (second: string): readonly DeskEvent[] => [
    ...A_ASKED,
    ...pressed('1', 800),
    acted('a', 'one'),
    paint('a', 900, eyeOf('i2'), 'one'),
    ...pressed(second, 1_700),
    acted('a', 'two'),
    paint('a', 1_800, APPROVE, 'two'),
  ]

  it.each([
    ['1', 'right'],
    ['r', 'right'],
    ['R', 'right'],
    ['2', 'left'],
    ['L', 'left'],
  ])('is given by %s: %s', (name, eye) => {
    expect(after(...A_ASKED, ...pressed(name, 800)).acts).toEqual([
      { kind: 'setEye', id: 'a', imageId: 'i1', eye },
    ])
  })

  it.each([
    ['by a scanner', [key('1', 800), key('2', 810), { kind: 'paused', at: 870 }]],
    ['too early', pressed('1', 600)],
    ['by an arrow', pressed('ArrowLeft', 900)],
  ] as readonly [string, readonly DeskEvent[]][])('is not given %s', (_name, events) => {
    expect(after(...A_ASKED, ...events).acts.filter(({ kind }) => kind === 'setEye')).toEqual([])
  })

  it('never approves: the whole case is painted, then Enter does', () => {
    expect(after(...both('2')).acts.map(({ kind }) => kind)).toEqual(['setEye', 'setEye'])
    expect(after(...both('2'), key('Enter', 2_500)).acts.at(-1)).toEqual({
      kind: 'approve',
      id: 'a',
      digest: 'two',
    })
  })

  it('that is given twice is asked about', () => {
    const { desk } = after(...both('1'))
    expect(isOneEyeTwice(desk)).toBe(true)
    expect(step(desk, key('Enter', 2_500)).act).toBeNull()
    const sure = [
      { kind: 'acknowledged' },
      paint('a', 3_000, APPROVE, 'two'),
      key('Enter', 3_700),
    ] as readonly DeskEvent[]
    expect(after(...both('1'), ...sure).acts.at(-1)?.kind).toBe('approve')
  })

  it('is taken back by Backspace', () => {
    expect(after(...both('2'), key('Backspace', 1_900)).acts.at(-1)).toEqual({
      kind: 'setEye',
      id: 'a',
      imageId: 'i2',
      eye: 'unknown',
    })
    expect(after(...A_AT_0, key('Backspace', 900)).acts).toEqual([])
  })

  it('that came with another change leaves that to be acknowledged', () => {
    const { desk } = after(...A_ASKED, ...pressed('1', 800), acted('a'), paint('a', 900, APPROVE, 'more'))
    expect(hasChangedUnseen(desk)).toBe(true)
  })
})

it.each([
  ['the next below', 'b', [], 'c'],
  ['from the top after the last', 'd', [], 'a'],
  ['no skipped one', 'b', ['c'], 'd'],
  ['skipped ones at the end, the first skipped first', 'a', ['c', 'b', 'd'], 'c'],
  ['one that is listed, from a case that is not', 'gone', [], 'a'],
])('the case after an approved one is %s', (_name, from, skipped, next) => {
  expect(nextAfter(['a', 'b', 'c', 'd'], from, skipped, (id) => id !== from)).toBe(next)
})

it('there is none after the last that waits for a person', () => {
  expect(nextAfter(['a', 'b'], 'a', ['a'], () => false)).toBeNull()
})

it('marks what is passed over', () => {
  const { desk, acts } = after(...A_AT_0, key('ArrowDown', 10), select('b'))
  expect([desk.skipped, acts]).toEqual([['a'], [{ kind: 'skip', id: 'a' }]])
})

/** A small generator, so that a failing sequence can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

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
      const random = randomOf(seed)
      const ids = ['a', 'b', 'c']
      const digests = new Map(ids.map((id) => [id, 0]))
      const offers: readonly Offer[] = [APPROVE, PROPOSAL, NOTHING, eyeOf('i1'), eyeOf('i2')]
      let desk = EMPTY_DESK
      let at = 0
      let screen: Screen | null = null
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
            event = random(2) === 0 ? { kind: 'acknowledged' } : POINTED
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
        if (event.kind === 'acknowledged' && screen !== null) {
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
