import { describe, expect, it } from 'vitest'
import { errorCode } from '../../../../src-main/station/lib/errors.ts'

describe('the code of an error', () => {
  it.each<[string, unknown, string | undefined]>([
    ['of the system', Object.assign(new Error('no'), { code: 'ENOENT' }), 'ENOENT'],
    ['of another thread, which is a plain object here', { code: 'EIO', message: 'no' }, 'EIO'],
    ['without one', new Error('no'), undefined],
    ['whose code is a number', Object.assign(new Error('no'), { code: 20 }), undefined],
    ['that is null', null, undefined],
    ['that is a text', 'ENOENT', undefined],
  ])('%s', (_name, error, code) => {
    expect(errorCode(error)).toBe(code)
  })
})
