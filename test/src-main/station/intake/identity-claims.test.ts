import { describe, expect, it } from 'vitest'
import { otherPatients } from '../../../../src-main/station/intake/evidence.ts'

describe('the ids of a path, beside the one that was stated', () => {
  it.each([
    ['the very one', ['H-00017'], 'H-00017', []],
    ['the same in small letters and with spaces', ['h-00017 '], 'H-00017', []],
    ['another of the same shape', ['H-00018'], 'H-00017', ['H-00018']],
    ['several of the same shape', ['H-00018', 'H-00017', 'H-00019'], 'H-00017', ['H-00018', 'H-00019']],
    ['a folder that is called anything', ['case-7', 'exports', '2026'], 'H-00017', []],
    ['a longer number', ['H-000170'], 'H-00017', []],
    ['letters beyond ASCII', ['Ñ-00018'], 'H-00017', ['Ñ-00018']],
    ['plain numbers', ['100018', '1000181'], '100017', ['100018']],
    ['nothing', [], 'H-00017', []],
  ])('%s', (_what, ids, stated, others) => {
    expect(otherPatients(ids, stated)).toEqual(others)
  })
})
