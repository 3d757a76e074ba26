import { expect, it } from 'vitest'
import { redactLogLine, redactTrailEntry } from '../../../../src-main/station/calls/diagnostics.ts'
import { createRedactor } from '../../../../src-main/station/calls/redact.ts'

const ID = '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b'
const AT = Date.UTC(2026, 10, 20, 9)

it('an id of the service is covered also where the service makes its ids as we make ours', () => {
  const told = redactTrailEntry(
    {
      id: 1,
      at: AT,
      submissionId: ID,
      what: 'foundAtService',
      by: null,
      details: { caseIds: [ID], images: [ID] },
    },
    createRedactor(),
  )
  expect(told).toMatchObject({ submission: ID, details: { images: [ID] } })
  expect(JSON.stringify(told['details'])).toMatch(/"caseIds":\["#[0-9a-f]{6}"\]/)
})

it('a line of the log keeps its instant, level and message whatever its facts are called', () => {
  const facts = { at: 'deliver', level: 3, message: 5 }
  expect(
    redactLogLine({ at: AT, level: 'warn', message: 'something stopped', facts }, createRedactor()),
  ).toEqual({
    at: '2026-11-20T09:00:00.000Z',
    level: 'warn',
    message: 'something stopped',
    facts,
  })
})
