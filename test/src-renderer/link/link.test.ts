import { describe, expect, it } from 'vitest'
import {
  readAnswer,
  readStreamMessage,
  readToken,
  readUploadAnswer,
  retryDelayMs,
} from '../../../src-renderer/link/link.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { browserOf } from '../speak.ts'
import { failing, syntheticStatus, syntheticSubmission } from '../synthetic-submission.ts'

describe('an answer', () => {
  it('is the value that the contract promises, or a failure', () => {
    const status = syntheticStatus()
    expect(readAnswer('station.status', { ok: true, value: status })).toEqual({ ok: true, value: status })
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

const EVENT = { name: 'submissionChanged', revision: 8, payload: syntheticSubmission('a') }

it.each([
  ['{"name":"hello","revision":7}', { kind: 'hello', revision: 7 }],
  ['{"name":"heard"}', { kind: 'heard' }],
  [JSON.stringify(EVENT), { kind: 'event', event: EVENT }],
  [EVENT, { kind: 'event', event: EVENT }],
  ['{', { kind: 'unreadable' }],
  ['[]', { kind: 'unreadable' }],
  ['{"name":"elseChanged","revision":1,"payload":{}}', { kind: 'unreadable' }],
  ['{"name":"stationChanged","revision":1}', { kind: 'unreadable' }],
])('reads of the event stream %j', (message, read) => {
  expect(readStreamMessage(message)).toEqual(read)
})

it('grows from a blink to three seconds and no further', () => {
  expect([0, 1, 2, 3, 4, 50].map(retryDelayMs)).toEqual([250, 500, 1_000, 2_000, 3_000, 3_000])
})

function tab(hash: string, before: Record<string, string> = {}) {
  const { window, kept } = browserOf([])
  for (const [key, value] of Object.entries(before)) kept.set(key, value)
  const replaced: unknown[] = []
  const token = readToken({ hash, pathname: '/', search: '' }, window.localStorage, {
    replaceState: (_data, _title, url) => void replaced.push(url),
  })
  return { token, stored: [...kept.values()], replaced }
}

it('takes the token out of the address, keeps it for the tab over a reload, and prefers a new one', () => {
  expect(tab('#token=a-b_c%3D')).toEqual({ token: 'a-b_c=', stored: ['a-b_c='], replaced: ['/'] })
  const before = { 'fundus-courier.token': 'kept' }
  expect(tab('#/queue', before)).toEqual({ token: 'kept', stored: ['kept'], replaced: [] })
  expect(tab('#token=new', before).stored).toEqual(['new'])
  expect(tab('#/queue').token).toBeNull()
})

const file = new Blob(['an image'])
const kept = { path: '/incoming/1/OD.jpg', sizeBytes: 8, sha256: 'a'.repeat(64) }

describe('a file that is handed over', () => {
  it('is there when the station has as many bytes', () => {
    expect(readUploadAnswer(JSON.stringify({ ok: true, value: kept }), file)).toEqual({
      ok: true,
      value: kept,
    })
  })

  it.each([
    ['fewer bytes arrived', { ok: true, value: { ...kept, sizeBytes: 7 } }, 'badRequest'],
    ['the station refused it', { ok: false, failure: failureOf('diskLow') }, 'diskLow'],
    ['the answer is of something else', { ok: true, value: {} }, 'answerUnreadable'],
    ['the answer is none', '<html>', 'answerUnreadable'],
  ] as const)('is not where %s', (_what, answer, kind) => {
    const read = readUploadAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer), file)
    expect(read.ok ? null : read.failure.kind).toBe(kind)
  })
})
