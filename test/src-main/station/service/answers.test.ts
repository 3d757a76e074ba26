import { describe, expect, it } from 'vitest'
import { readJson } from '../../../../src-main/station/service/answers.ts'
import { fc } from '../../../tools/property.ts'
import { anyBytes } from './hostile-json.ts'

const read = (text: string): unknown => readJson(Buffer.from(text))

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('readJson', () => {
  it('takes a byte order mark for nothing', () => {
    expect(readJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ value: { a: 1 } })
  })

  it.each(['', ' ', '<html>', '{', '{"a":1} trailing', 'undefined'])('takes %j for no JSON', (text) => {
    expect(read(text)).toBeNull()
  })

  it('keeps the digits of a number that JavaScript would round', () => {
    expect(read('{"id":90071992547409931234,"n":5}')).toEqual({ value: { id: '90071992547409931234', n: 5 } })
  })

  it('refuses what is nested too deeply to be written out again', () => {
    expect(read(nested(64))).not.toBeNull()
    expect(read(nested(65))).toBeNull()
    expect(read(nested(1_000_000))).toBeNull()
  })

  it('counts no brackets inside texts', () => {
    expect(read(JSON.stringify({ text: '[{"\\'.repeat(100) }))).not.toBeNull()
  })

  it('never throws, whatever the bytes are', () => {
    fc.assert(fc.property(anyBytes, (bytes) => void readJson(bytes)))
  })
})
