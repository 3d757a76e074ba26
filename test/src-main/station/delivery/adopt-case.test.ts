import { expect, it, vi } from 'vitest'
import { adoptCase } from '../../../../src-main/station/delivery/cancel-transfer.ts'
import type { DeliveryContext } from '../../../../src-main/station/delivery/context.ts'
import { addWaiting, MORNING, openTestOutbox, PLACE } from '../../../tools/outbox-with.ts'

it('notes that the way works only once it is written down that the case was found', () => {
  const test = openTestOutbox()
  const { outbox } = test
  const id = addWaiting(test)
  const destination = { ...PLACE, centerId: null }
  const { attemptId } = outbox.attempts.open({ submissionId: id, destination, requestBytes: 9, at: MORNING })
  const end = { outcome: 'unknown' as const, handedOverBytes: 9, failure: null, answer: null, at: MORNING }
  outbox.attempts.end(attemptId, end, 'becameUnknown', {})
  const row = outbox.submissions.row(id)!
  const noteFound = vi.fn()
  const context = { outbox, client: { identity: PLACE }, health: { noteFound } } as unknown as DeliveryContext
  expect(() =>
    outbox.write(() => {
      adoptCase(context, row, '778899', MORNING)
      throw new Error('the disk failed at the commit')
    }),
  ).toThrow('the disk failed')
  expect(outbox.submissions.row(id)?.state).toBe('unconfirmed')
  expect(noteFound).not.toHaveBeenCalled()
  outbox.write(() => adoptCase(context, row, '778899', MORNING))
  expect(outbox.submissions.row(id)).toMatchObject({ state: 'sent', case_id: '778899' })
  expect(noteFound).toHaveBeenCalledOnce()
})
