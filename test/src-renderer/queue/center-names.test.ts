import { expect, it } from 'vitest'
import { hasSeveralCenters } from '../../../src-renderer/queue/queue-table.tsx'
import { INITIAL_STATE } from '../../../src-renderer/store/state.ts'
import { syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

it.each([
  { current: null, centers: [null, null], areSeveral: false },
  { current: '101', centers: ['101', '101'], areSeveral: false },
  { current: '101', centers: ['101', null], areSeveral: false },
  { current: '101', centers: ['102', '102'], areSeveral: true },
  { current: null, centers: ['101', '102'], areSeveral: true },
])('$centers under $current: several $areSeveral', ({ current, centers, areSeveral }) => {
  const rows = centers.map((centerId, index) => syntheticSubmission(`s${index}`, { centerId }))
  const state = {
    ...INITIAL_STATE,
    status: syntheticStatus({ centerId: current }),
    submissions: Object.fromEntries(rows.map((row) => [row.id, row])),
    queue: { ...INITIAL_STATE.queue, ids: rows.map(({ id }) => id) },
  }
  expect(hasSeveralCenters(state)).toBe(areSeveral)
})
