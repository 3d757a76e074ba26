import { expect, it, vi } from 'vitest'
import type { OverdueItem } from '../../../src-shared/alarms.ts'
import { all, click, find, openWindow } from '../open-window.tsx'
import { countsOf, syntheticSubmission } from '../synthetic-submission.ts'

const item = (submissionId: string, kind: OverdueItem['kind']): OverdueItem => ({
  kind,
  submissionId,
  reference: 'FC7K3M9QXAW',
  state: 'held',
  since: 1_000,
  message: 'It waits.',
})

it('what waits too long is counted by kind, narrowed and opened', async () => {
  const held = syntheticSubmission('s1', { state: 'held', fields: { history_number: 'H-00377' } })
  openWindow('#/queue', {
    'submissions.list': { items: [held], total: 1, counts: countsOf({ held: 1 }) },
    'submissions.ageing': {
      items: [item('s1', 'notSent'), item('s2', 'noReport'), item('s3', 'notConfirmed')],
      count: 3,
    },
  })
  await click('button', '3 waiting too long')
  const list = await find('list', 'Cases that wait')
  expect(all('listitem', undefined, list)).toHaveLength(3)
  await click('button', /^Not sent/)
  await vi.waitFor(() => expect(all('listitem', undefined, list)).toHaveLength(1))
  await click('link', undefined, list)
  await vi.waitFor(() => expect(window.location.hash).toBe('#/queue/s1'))
})

it('nothing is said of what waits too long if nothing does', async () => {
  const { inputsOf } = openWindow('#/queue')
  await vi.waitFor(() => expect(inputsOf('submissions.ageing').length).toBeGreaterThan(0))
  expect(all('button', /waiting too long/)).toEqual([])
})
