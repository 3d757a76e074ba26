import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../../src-shared/fields.ts'
import {
  addTestImage,
  claim,
  MORNING,
  newSubmission,
  someBytes,
  stateOf,
} from '../../../tools/outbox-with.ts'
import { partsWith, type TestParts } from './parts-with.ts'

const FIELDS = { history_number: 'H-1', visit_date: '2026-11-20', od_va: 0.8, os_prism_base: 90 }
const LOGMAR = { clinical: { vaUnit: 'logMAR', prismBase: 'examiner' } } as const

/** A case that waits, with what a person has written. */
function addWritten(test: TestParts, fields: Fields = FIELDS): string {
  const sources = Object.fromEntries(Object.keys(fields).map((name) => [name, 'person']))
  const id = test.outbox.submissions.create(newSubmission({ fields, sources }))
  addTestImage(test, id, { bytes: someBytes() })
  test.outbox.submissions.transition(id, 'gatheredToSend', {}, { at: MORNING })
  return id
}

function oddFields(test: TestParts, id: string): (string | undefined)[] {
  const odd = test.outbox.submissions.get(id)?.oddities ?? []
  return odd.filter(({ message }) => message.includes('unit')).map(({ field }) => field)
}

describe('a unit that is changed while cases wait', () => {
  it('brings back to a person what has such a value, as it is, and says why', async () => {
    const test = await partsWith()
    const id = addWritten(test)
    const other = addWritten(test, { history_number: 'H-2', visit_date: '2026-11-20' })
    await test.call('settings.update', LOGMAR)
    expect([stateOf(test, id), stateOf(test, other)]).toEqual(['review', 'waiting'])
    expect(oddFields(test, id)).toEqual(['od_va'])
    expect(test.outbox.submissions.get(id)?.fields.od_va).toBe(0.8)
    expect(test.outbox.audit.list({ submissionId: id, limit: 1 })[0]).toMatchObject({
      what: 'gatheredForReview',
      details: { why: 'unitChanged', fields: ['od_va'] },
    })
  })

  it('is no change where another setting was changed, or this one to what it was', async () => {
    const test = await partsWith()
    const id = addWritten(test)
    await test.call('settings.update', { requiredFields: ['history_number'] })
    await test.call('settings.update', { clinical: { vaUnit: 'decimal', prismBase: 'examiner' } })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('of the prism base speaks of that', async () => {
    const test = await partsWith()
    const id = addWritten(test)
    await test.call('settings.update', { clinical: { vaUnit: 'decimal', prismBase: 'patient' } })
    expect(oddFields(test, id)).toEqual(['os_prism_base'])
  })

  it('keeps what was held or is on its way from being sent again without a look', async () => {
    const test = await partsWith()
    const [held, sending] = [addWritten(test), addWritten(test)]
    test.outbox.submissions.transition(held, 'held', {}, { at: MORNING })
    claim(test, sending)
    await test.call('settings.update', LOGMAR)
    expect([stateOf(test, held), stateOf(test, sending)]).toEqual(['held', 'sending'])
    expect([test.outbox.approvals.matches(held), test.outbox.approvals.matches(sending)]).toEqual([
      false,
      false,
    ])
    expect(oddFields(test, held)).toEqual(['od_va'])
    await test.call('submissions.release', { ids: [held] })
    expect(stateOf(test, held)).not.toBe('waiting')
  })

  it('is forgotten once somebody has approved the case', async () => {
    const test = await partsWith()
    const id = addWritten(test)
    await test.call('settings.update', LOGMAR)
    test.outbox.submissions.transition(id, 'approved', {}, { at: MORNING })
    test.refresh(id)
    expect([stateOf(test, id), oddFields(test, id)]).toEqual(['waiting', []])
  })
})
