import { describe, expect, it } from 'vitest'
import {
  actionOf,
  besideOf,
  createLinkedPanes,
  followedView,
  inOrder,
  type Link,
  type LinkedFrom,
} from '../../../src-renderer/viewer/view.ts'
import type { View } from '../../../src-renderer/viewer/zoom-pane.ts'
import { syntheticImage } from '../synthetic-submission.ts'

const FIT: View = { x: 0.5, y: 0.4, zoom: 1 }
const SAME: LinkedFrom = { leader: FIT, follower: FIT }
const OFFSET: LinkedFrom = { leader: FIT, follower: { x: 0.55, y: 0.45, zoom: 1 } }
const ZOOMED: LinkedFrom = { leader: FIT, follower: { ...FIT, zoom: 2 } }

describe('a linked picture', () => {
  it.each<[string, LinkedFrom, View, Exclude<Link, 'off'>, View]>([
    ['stays in place', SAME, FIT, 'plain', FIT],
    ['goes along', SAME, { x: 0.6, y: 0.3, zoom: 1 }, 'plain', { x: 0.6, y: 0.3, zoom: 1 }],
    ['goes the other way across', SAME, { x: 0.6, y: 0.3, zoom: 1 }, 'mirrored', { x: 0.4, y: 0.3, zoom: 1 }],
    ['zooms by the same factor', SAME, { ...FIT, zoom: 3 }, 'plain', { ...FIT, zoom: 3 }],
    ['keeps what was lined up', OFFSET, { x: 0.6, y: 0.4, zoom: 2 }, 'plain', { x: 0.65, y: 0.45, zoom: 2 }],
    ['goes as far on the screen', ZOOMED, { x: 0.6, y: 0.4, zoom: 1 }, 'plain', { x: 0.55, y: 0.4, zoom: 2 }],
  ])('%s', (_what, from, now, link, view) => {
    const { x, y, zoom } = view
    const close = { x: expect.closeTo(x), y: expect.closeTo(y), zoom: expect.closeTo(zoom) }
    expect(followedView(from, now, link)).toEqual(close)
  })
})

/** A pane without a screen. */
function pane(view: View = FIT) {
  let now = view
  const heard = new Map<string, () => void>()
  return {
    view: () => now,
    moveTo: (to: View) => {
      now = to
    },
    on: (event: string, listener: () => void) => void heard.set(event, listener),
    /** As a person would. */
    move(to: View) {
      heard.get('handled')?.()
      now = to
      heard.get('view')?.()
    },
  }
}

describe('two pictures', () => {
  const gone = new AbortController()

  it('follow whichever is moved, and stay in place once they are not linked', () => {
    const panes = createLinkedPanes<ReturnType<typeof pane>>()
    const [right, left] = [pane(), pane()]
    panes.add('right', right, gone.signal)
    panes.add('left', left, gone.signal)
    panes.setLink('mirrored')
    right.move({ x: 0.7, y: 0.4, zoom: 2 })
    expect(left.view().x).toBeCloseTo(0.3)
    left.move({ x: 0.4, y: 0.5, zoom: 1 })
    expect(right.view()).toMatchObject({ x: expect.closeTo(0.6), zoom: 1 })
    panes.setLink('off')
    right.move({ x: 0.1, y: 0.1, zoom: 5 })
    expect(left.view()).toEqual({ x: 0.4, y: 0.5, zoom: 1 })
    // What was moved apart stays apart by as much.
    panes.setLink('plain')
    right.move({ x: 0.2, y: 0.1, zoom: 5 })
    expect(left.view().x).toBeCloseTo(0.9)
  })

  it('look at the same place when the second one comes to a first that is zoomed', () => {
    const panes = createLinkedPanes<ReturnType<typeof pane>>()
    panes.add('right', pane({ x: 0.8, y: 0.3, zoom: 4 }), new AbortController().signal)
    panes.setLink('mirrored')
    const left = pane()
    panes.add('left', left, gone.signal)
    expect(left.view()).toMatchObject({ x: expect.closeTo(0.2), zoom: 4 })
    gone.abort()
    expect([panes.all().length, panes.get('left')]).toEqual([1, null])
  })
})

const r1 = syntheticImage('r1', 'right')
const r2 = syntheticImage('r2', 'right')
const l1 = syntheticImage('l1', 'left')
const l2 = syntheticImage('l2', 'left')
const u1 = syntheticImage('u1', 'unknown')
const ALL = [r1, r2, l1, l2, u1]

describe('side by side', () => {
  it.each([
    [r1, ALL, l1],
    [r2, ALL, l2],
    [l2, ALL, r2],
    [l2, [r1, l1, l2], r1],
    [r1, [r1, r2], r2],
    [r2, [r1, r2], r1],
    [u1, ALL, r1],
    [u1, [u1, r1], r1],
    [r1, [r1], null],
  ])('%j has its counterpart of the other eye, else the next of its own', (shown, images, other) => {
    expect(besideOf(shown, images)?.id).toBe(other?.id)
  })

  it.each([
    [l1, r2, ['r2', 'l1']],
    [r2, l1, ['r2', 'l1']],
    [r2, r1, ['r1', 'r2']],
    [u1, l1, ['l1', 'u1']],
    [r1, undefined, ['r1']],
    [r1, r1, ['r1']],
  ])('the right eye is always left of the left one', (shown, other, ids) => {
    expect(inOrder(shown, other, ALL).map(({ id }) => id)).toEqual(ids)
  })
})

describe('a key', () => {
  it.each(['one', 'beside', 'earlier'] as const)('zooms, pans and steps wherever, as in %s', (layout) => {
    for (const key of ['+', '=', '-', '0', '1', 'ArrowLeft', 'g', 'G', 'i', 'c', 's', 'v', 'f', '[', ']'])
      expect(actionOf(key, layout), key).not.toBeNull()
  })

  it.each([
    ['l', 'one', { kind: 'assign', eye: 'left' }],
    ['R', 'one', { kind: 'assign', eye: 'right' }],
    ['u', 'one', { kind: 'assign', eye: 'unknown' }],
    // A letter has one meaning: L is the left eye, of two images of neither.
    ['l', 'beside', null],
    ['k', 'beside', { kind: 'link' }],
    ['K', 'earlier', { kind: 'link' }],
    // Of two images it would be unclear which of them is meant.
    ['r', 'beside', null],
    ['u', 'earlier', null],
    ['m', 'one', null],
    ['Escape', 'one', null],
  ] as const)('%s means in %s: %j', (key, layout, action) => {
    expect(actionOf(key, layout)).toEqual(action)
  })
})
