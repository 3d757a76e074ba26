import { describe, expect, it } from 'vitest'
import { addWaiting, MORNING, openTestOutbox, claim, PLACE } from '../../../tools/outbox-with.ts'

const HERE = { baseUrl: 'https://service.example', clientId: 'clinic', centerId: '101' }
const OTHERS = [
  { ...HERE, centerId: '102' },
  { ...HERE, centerId: null },
  { ...HERE, clientId: 'other' },
  { ...HERE, baseUrl: 'https://other.example' },
]

describe('what was learnt of a service', () => {
  it('is kept for its address, client and center, and for no other', () => {
    const { outbox } = openTestOutbox()
    outbox.keepCaseList(HERE, { readAt: 5, caseIds: ['1', '2'] })
    outbox.keepCalibration(HERE, { seen: 3, missed: 1, echoed: 2, slowestMs: 900 })
    expect(outbox.lastCaseList(HERE)).toEqual({ readAt: 5, caseIds: ['1', '2'] })
    expect(outbox.calibrationOf(HERE)).toEqual({ seen: 3, missed: 1, echoed: 2, slowestMs: 900 })
    for (const other of OTHERS) {
      expect(outbox.lastCaseList(other)).toBeNull()
      expect(outbox.calibrationOf(other)).toEqual({ seen: 0, missed: 0, echoed: 0, slowestMs: 0 })
    }
  })

  it('is replaced by what is newer, also where there is no center', () => {
    const { outbox } = openTestOutbox()
    for (const destination of [HERE, { ...HERE, centerId: null }]) {
      outbox.keepCaseList(destination, { readAt: 5, caseIds: ['1'] })
      outbox.keepCaseList(destination, { readAt: 6, caseIds: [] })
      expect(outbox.lastCaseList(destination)).toEqual({ readAt: 6, caseIds: [] })
    }
  })
})

describe('the cases that are ours', () => {
  it('are known by their id', () => {
    const test = openTestOutbox()
    const [sent] = [addWaiting(test), addWaiting(test)]
    expect(test.outbox.boundCaseIds(PLACE)).toEqual([])
    claim(test, sent ?? '')
    test.outbox.moveSubmission(sent ?? '', 'deliveredNow', { caseId: '77' }, { at: MORNING })
    expect(test.outbox.boundCaseIds(PLACE)).toEqual(['77'])
    expect(test.outbox.submissionByCase('77', PLACE)).toEqual({
      id: sent,
      reference: test.outbox.submissionOf(sent ?? '')?.reference,
    })
    expect(test.outbox.submissionByCase('78', PLACE)).toBeNull()
    // The same id at another service, or for another client, is another case.
    expect(test.outbox.submissionByCase('77', { ...PLACE, clientId: 'other' })).toBeNull()
    expect(test.outbox.boundCaseIds({ ...PLACE, baseUrl: 'https://other.example/' })).toEqual([])
  })
})
