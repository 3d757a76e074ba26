import { expect, it } from 'vitest'
import { visibleText } from '../../../../src-main/station/outbox/attempts.ts'
import { addWaiting, startAttempt, MORNING, openTestOutbox } from '../../../tools/outbox-with.ts'

it.each([
  ['plain text with lines', Buffer.from('{"id": 1}\n\tños'), '{"id": 1}\n\tños'],
  ['a terminal sequence', Buffer.from('\u001b[31mred\r'), '\\u{1b}[31mred\\u{d}'],
  ['a turned direction', Buffer.from('a\u202eb\u2028c'), 'a\\u{202e}b\\u{2028}c'],
  ['no UTF-8', Buffer.from([0x7b, 0x81, 0xff, 0x7d]), '{\\x81\\xff}'],
  ['nothing', new Uint8Array(), ''],
  ['a last character that was cut', Buffer.from('né').subarray(0, 2), 'n'],
])('shows %s', (_name, bytes, shown) => expect(visibleText(bytes)).toBe(shown))

it('shows at most 64 KiB, whatever the bytes are', () => {
  expect(visibleText(Buffer.alloc(200_000, 0xff))).toHaveLength(64 * 1024)
  expect(visibleText(Buffer.alloc(200_000, 'a'))).toHaveLength(64 * 1024)
})

it('keeps the beginning of a large answer and shows its whole size', () => {
  const test = openTestOutbox()
  const id = addWaiting(test)
  startAttempt(test, id)
  const attemptId = test.outbox.attempts.of(id)[0]?.id ?? ''
  expect(test.outbox.attempts.answerOf(attemptId)).toBeNull()
  expect(test.outbox.attempts.answerOf('no one')).toBeNull()
  const body = Buffer.alloc(100_000, 'x')
  const end = { outcome: 'unsent' as const, handedOverBytes: 0, failure: null, at: MORNING }
  test.outbox.attempts.end(attemptId, { ...end, answer: { status: 502, body } }, 'stayedUnsent', {})
  expect(test.outbox.attempts.answerOf(attemptId)).toEqual({
    status: 502,
    sizeBytes: 100_000,
    text: 'x'.repeat(64 * 1024),
  })
})
