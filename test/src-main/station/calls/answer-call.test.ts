import { describe, expect, it } from 'vitest'
import type { CallHandlers } from '../../../../src-main/station/api.ts'
import { answerCall } from '../../../../src-main/station/calls/calls.ts'
import { succeed } from '../../../../src-shared/failure.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

/** Handlers that answer with what they were given; one of them has a bug. */
const handlers = new Proxy({} as CallHandlers, {
  get: (_target, name) =>
    name === 'submissions.get'
      ? () => Promise.reject(new Error('H-00017 broke it'))
      : (input: unknown) => Promise.resolve(succeed(input)),
})

describe('a call', () => {
  it('with wrong input says where, and never what it was', async () => {
    const input = { id: 'x', fields: { age: 'sixty-one', visit_date: 'H-SECRET' }, images: [{ id: 7 }] }
    const answer = await answerCall(handlers, createRecordingLogger(), 'submissions.update', input)
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
    const text = JSON.stringify(answer)
    expect(text).toMatch(/fields\.age/)
    expect(text).toMatch(/fields\.visit_date/)
    expect(text).not.toMatch(/sixty-one|H-SECRET/)
  })

  it('that meets a bug is a plain failure, and nothing of the bug leaves the station', async () => {
    const logger = createRecordingLogger()
    const answer = await answerCall(handlers, logger, 'submissions.get', { id: 'x' })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'internal' } })
    expect(JSON.stringify([answer, logger.lines])).not.toContain('H-00017')
    expect(logger.lines).toMatchObject([{ level: 'error', facts: { call: 'submissions.get' } }])
  })
})
