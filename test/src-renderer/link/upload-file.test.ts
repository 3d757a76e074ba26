import { describe, expect, it } from 'vitest'
import { readUploadAnswer, uploadPath } from '../../../src-renderer/link/link.ts'
import { failureOf } from '../../../src-shared/failure.ts'

const file = new Blob(['an image'])
const kept = { path: '/incoming/1/OD.jpg', sizeBytes: 8, sha256: 'a'.repeat(64) }

describe('a file that is handed over', () => {
  it('keeps its name, whatever stands in it', () => {
    expect(uploadPath('OD & 1/\u00f1\ud800?.jpg', 7)).toBe(
      '/files?name=OD%20%26%201%2F%C3%B1%EF%BF%BD%3F.jpg&size=7',
    )
  })

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
