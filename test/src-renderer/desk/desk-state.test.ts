/** What the desk does with keys, clicks and arrivals: nothing is approved that was not named and in view long enough. */
import { describe, expect, it } from 'vitest'
import {
  type DeskEvent,
  hasChangedUnseen,
  isAimed,
  isOneEyeTwice,
  nextAfter,
  step,
} from '../../../src-renderer/desk/desk-state.ts'
import {
  acted,
  after,
  APPROVE,
  click,
  eyeOf,
  key,
  NOTHING,
  paint,
  POINTED,
  PROPOSAL,
  select,
  sure,
} from './desk-events.ts'

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
    [
      'searches for capitals, too',
      [...A_AT_0, key('7', 900), key('Shift', 904), key('H', 906), key('Enter', 910)],
      SEARCHED('7H'),
    ],
    [
      'not by the second key that ends a code',
      [...A_AT_0, key('H', 900), key('7', 905), key('Enter', 910), key('Enter', 915)],
      SEARCHED('H7'),
    ],
    [
      'not by one that ends a code late',
      [...A_AT_0, key('H', 900), key('7', 905), { kind: 'paused', at: 956 }, key('Enter', 960)],
      SEARCHED('H7'),
    ],
    [
      'approves again once the scanner is silent',
      [...A_AT_0, key('H', 900), key('7', 905), key('Enter', 910), key('Enter', 1_000)],
      [...SEARCHED('H7'), ...APPROVED],
    ],
    ['not after the desk was left', [...A_AT_0, { kind: 'left' }, key('Enter', 900)], []],
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
        sure('changed', 'other'),
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

  it('on another button counts only if it can be meant for this case', () => {
    const { desk } = after(...A_AT_0)
    expect(isAimed(desk, 5_000)).toBe(false)
    expect(isAimed(step(desk, POINTED).desk, 699)).toBe(false)
    expect(isAimed(step(desk, POINTED).desk, 700)).toBe(true)
    expect(isAimed(after(...A_AT_0, POINTED, paint('a', 800, APPROVE, 'other')).desk, 5_000)).toBe(false)
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
    const isSure = [
      sure('oneEyeTwice', 'two'),
      paint('a', 3_000, APPROVE, 'two'),
      key('Enter', 3_700),
    ] as readonly DeskEvent[]
    expect(after(...both('1'), ...isSure).acts.at(-1)?.kind).toBe('approve')
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

  it('is not taken back once the case was approved', () => {
    const approved = [...both('2'), key('Enter', 2_500), acted('a'), key('Backspace', 2_600)]
    expect(after(...approved).acts.at(-1)?.kind).toBe('approve')
  })

  it('that came with another change leaves that to be acknowledged', () => {
    const { desk } = after(...A_ASKED, ...pressed('1', 800), acted('a'), paint('a', 900, APPROVE, 'more'))
    expect(hasChangedUnseen(desk)).toBe(true)
  })
})

describe('a number that nearly is another patient\u2019s', () => {
  const near = (numbers: string) => ({ ...APPROVE, nearNumbers: numbers })
  const SURE = sure('nearNumber')
  const ASKED = [select('a'), paint('a', 0, near('1/2'))]
  const then = (...events: readonly DeskEvent[]): readonly DeskEvent[] => [...ASKED, SURE, ...events]
  it.each<readonly [string, readonly DeskEvent[], number]>([
    ['is asked about before Enter', [...ASKED, key('Enter', 5_000)], 0],
    ['or a click', [...ASKED, POINTED, click(5_000)], 0],
    ['is right once a person says so', then(paint('a', 2_000, near('1/2')), key('Enter', 2_700)), 1],
    ['and it was in view as long again', then(paint('a', 2_000, near('1/2')), key('Enter', 2_699)), 0],
    [
      'also if another case was looked at meanwhile',
      then(select('b'), select('a'), paint('a', 2_000, near('1/2')), key('Enter', 2_700)),
      1,
    ],
    ['but not beside another number', then(paint('a', 2_000, near('1/3')), key('Enter', 9_000)), 0],
    ['nor for another case', then(select('b'), paint('b', 2_000, near('1/2')), key('Enter', 9_000)), 0],
    [
      'nor by an answer to what changed, which is read first',
      [
        ...A_AT_0,
        paint('a', 100, near('1/2'), 'other'),
        sure('changed', 'other'),
        paint('a', 2_000, near('1/2'), 'other'),
        key('Enter', 9_000),
      ],
      0,
    ],
    [
      'nor by a second press of that answer',
      [
        ...A_AT_0,
        paint('a', 100, near('1/2'), 'other'),
        sure('changed', 'other'),
        paint('a', 110, near('1/2'), 'other'),
        sure('changed', 'other'),
        paint('a', 2_000, near('1/2'), 'other'),
        key('Enter', 9_000),
      ],
      0,
    ],
    [
      'nor what changed once more, which was not on the screen yet',
      [
        ...A_AT_0,
        paint('a', 100, APPROVE, 'other'),
        paint('a', 200, APPROVE, 'third'),
        sure('changed', 'other'),
        key('Enter', 9_000),
      ],
      0,
    ],
  ])('%s', (_name, events, approvals) => {
    expect(after(...events).acts).toHaveLength(approvals)
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

it('marks what is passed over by a button, whatever is shown, until it is approved', () => {
  const { desk } = after(select('a'), { kind: 'skipped' }, select('b'))
  expect(desk.skipped).toEqual(['a'])
  const back = [select('a'), paint('a', 0), key('Enter', 900)].reduce(
    (one, event) => step(one, event).desk,
    desk,
  )
  expect(back.skipped).toEqual([])
})

describe('H', () => {
  const pressed = [key('h', 900), { kind: 'paused', at: 950 }] as readonly DeskEvent[]

  it.each<readonly [string, readonly DeskEvent[], string | null]>([
    ['what was in view', A_AT_0, 'digest of a'],
    ['no digest of what was not', [select('a')], null],
    ['none of what has changed', [...A_AT_0, paint('a', 100, APPROVE, 'other')], null],
  ])('holds a case, or lets it go on, with %s', (_name, before, digest) => {
    expect(after(...before, ...pressed).acts).toEqual([{ kind: 'hold', id: 'a', digest }])
  })

  it('of a scanner holds nothing', () => {
    expect(after(...A_AT_0, key('h', 900), key('7', 905), key('Enter', 910)).acts).toEqual(SEARCHED('h7'))
  })
})

it('does nothing by a key that went down before the desk was left', () => {
  const left = [...A_ASKED, key('1', 900), { kind: 'left' }, { kind: 'paused', at: 960 }] as const
  expect(after(...left).acts).toEqual([])
})
