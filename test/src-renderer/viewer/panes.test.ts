import { describe, expect, it } from 'vitest'
import {
  actionOf,
  ALONE,
  besideOf,
  defaultLink,
  inOrder,
  type Layout,
  layoutAfterChoice,
} from '../../../src-renderer/viewer/view.ts'
import { syntheticImage } from './synthetic-image.ts'

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

  it('mirrors the two eyes, and nothing else', () => {
    expect(defaultLink([r1, l1])).toBe('mirrored')
    for (const pair of [[r1, r2], [l1, l2], [r1, u1], [r1]]) expect(defaultLink(pair)).toBe('plain')
  })

  it('exchanges the two where the one that stands beside is chosen', () => {
    const beside: Layout = { kind: 'beside', otherId: 'l1' }
    expect(layoutAfterChoice(beside, 'r1', 'l1')).toEqual({ kind: 'beside', otherId: 'r1' })
    expect(layoutAfterChoice(beside, 'r1', 'r2')).toEqual(beside)
    expect(layoutAfterChoice(ALONE, 'r1', 'l1')).toEqual(ALONE)
  })
})

describe('a key', () => {
  it.each(['one', 'beside', 'earlier'] as const)('zooms, pans and steps wherever, as in %s', (layout) => {
    for (const key of ['+', '=', '-', '0', '1', 'ArrowLeft', 'g', 'G', 'i', 'c', 's', 'p', 'f', '[', ']'])
      expect(actionOf(key, layout), key).not.toBeNull()
  })

  it.each([
    ['l', 'one', { kind: 'assign', eye: 'left' }],
    ['R', 'one', { kind: 'assign', eye: 'right' }],
    ['u', 'one', { kind: 'assign', eye: 'unknown' }],
    ['l', 'beside', { kind: 'link' }],
    ['L', 'earlier', { kind: 'link' }],
    // Of two images no one could tell which of them is meant.
    ['r', 'beside', null],
    ['u', 'earlier', null],
    ['m', 'one', null],
    ['Escape', 'one', null],
    ['Tab', 'one', null],
  ] as const)('%s means in %s: %j', (key, layout, action) => {
    expect(actionOf(key, layout)).toEqual(action)
  })
})
