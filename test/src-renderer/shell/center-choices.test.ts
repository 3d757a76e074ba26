import { expect, it } from 'vitest'
import { countAll } from '../../../src-renderer/shell/center-dialog.tsx'
import { currentCenter, matchingCenters } from '../../../src-renderer/shell/header-menus.tsx'

const NORTH = { centerId: '101', name: 'North Eye Centre', isCurrent: true }
const NAMELESS = { centerId: '205', name: null, isCurrent: null }

it.each([
  ['none', null, [NORTH]],
  ['listed', '101', [NORTH]],
  ['gone', '999', [NORTH]],
  // A service that lists nothing, or did not answer, proves nothing.
  ['unlisted', '999', []],
  ['unlisted', '999', null],
] as const)('the current center is %s', (kind, centerId, centers) => {
  expect(currentCenter(centerId, centers).kind).toBe(kind)
})

it.each([
  ['', 2],
  ['eye NORTH', 1],
  ['205', 1],
  ['south', 0],
])('centers found by %j: %i', (search, count) => {
  expect(matchingCenters([NORTH, NAMELESS], search)).toHaveLength(count)
})

it('counts all that wait, whatever their center', () => {
  expect(
    countAll([
      { centerId: null, count: 2 },
      { centerId: '101', count: 3 },
    ]),
  ).toBe(5)
})
