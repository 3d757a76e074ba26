import { describe, expect, it } from 'vitest'
import { parseJson, readAnswer, readStreamMessage } from '../../../src-renderer/link/link.ts'
import { failing, syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

describe('an answer', () => {
  it('is the value that the contract promises', () => {
    const status = syntheticStatus()
    expect(readAnswer('station.status', { ok: true, value: status })).toEqual({ ok: true, value: status })
  })

  it('may be a failure', () => {
    const failure = failing('notFound')
    expect(readAnswer('submissions.get', { ok: false, failure })).toEqual({ ok: false, failure })
  })

  it.each([
    ['nothing', undefined],
    ['a page of HTML', '<html>'],
    ['an envelope without a value', { ok: true }],
    ['a value of another call', { ok: true, value: { items: [] } }],
    ['a failure of no known kind', { ok: false, failure: { kind: 'moon', message: '' } }],
  ])('that is %s is a failure, too', (_what, answer) => {
    const read = readAnswer('station.status', answer)
    expect(read.ok ? null : read.failure.kind).toBe('answerUnreadable')
  })
})

describe('a message of the event stream', () => {
  it('begins with a greeting', () => {
    expect(readStreamMessage('{"name":"hello","revision":7}')).toEqual({ kind: 'hello', revision: 7 })
  })

  it('may be nothing but a sign of life', () => {
    expect(readStreamMessage('{"name":"heard"}')).toEqual({ kind: 'heard' })
  })

  it('is an event as text over HTTP and as a value over IPC', () => {
    const event = { name: 'submissionChanged', revision: 8, payload: syntheticSubmission('a') }
    expect(readStreamMessage(JSON.stringify(event))).toEqual({ kind: 'event', event })
    expect(readStreamMessage(event)).toEqual({ kind: 'event', event })
  })

  it.each([
    '{',
    '[]',
    '{"name":"elseChanged","revision":1,"payload":{}}',
    '{"name":"stationChanged","revision":1}',
  ])('may be unreadable: %s', (text) => {
    expect(readStreamMessage(text)).toEqual({ kind: 'unreadable' })
  })
})

it('takes a text that is no JSON for nothing', () => {
  expect(parseJson('<html>')).toBeUndefined()
  expect(parseJson('{"a":1}')).toEqual({ a: 1 })
})
