/** No statement of a delivery, of a lookup or of a look at overdue cases reads more because more was sent before. */
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { growing, recordStatements } from '../../../tools/growing-statements.ts'
import { MORNING, SERVICE } from '../../../tools/outbox-with.ts'
import { sending, type TestDelivery } from './delivery-with.ts'
import { LOST } from './scripted-service.ts'

const overdue = ({ outbox }: TestDelivery): unknown =>
  outbox.overdueRows(
    {
      notSentBefore: MORNING - HOUR,
      notConfirmedBefore: MORNING - HOUR,
      noReportBefore: MORNING - DAY,
    },
    50,
  )

it.each([
  ['taken and read back', [{ kind: 'taken' } as const]],
  ['lost, looked up and found', [LOST, { kind: 'taken' } as const]],
])('a case that is %s reads nothing of what was sent before', async (_what, plan) => {
  let asked = (): readonly string[] => []
  const { test, ids } = await sending({ plan, cases: 2, turnMs: 10 * MINUTE }, () => {
    asked = recordStatements()
  })
  expect(ids.map((id) => test.outbox.submissionOf(id)?.state)).toEqual(['sent', 'sent'])
  overdue(test)
  test.outbox.announcedReports({ ...SERVICE, centerId: null }, 20)
  expect(growing(asked())).toEqual({})
})
