import { describe, expect, it } from 'vitest'
import {
  gigabytesText,
  rateText,
  readGigabytes,
  readRate,
} from '../../../src-renderer/settings/settings-form.tsx'

describe('a limit', () => {
  it.each([
    [null, { text: '', unit: 'kilobytes' }],
    [500_000, { text: '500', unit: 'kilobytes' }],
    [1_500_000, { text: '1.5', unit: 'megabytes' }],
  ] as const)('of %s is written and read back', (bytesPerSecond, written) => {
    expect(rateText(bytesPerSecond)).toEqual(written)
    expect(readRate(written, 77_777)).toEqual({ kind: 'rate', bytesPerSecond })
  })

  it('that was not touched stays exactly as it was', () => {
    expect(readRate(rateText(1_234_567), 1_234_567)).toEqual({ kind: 'rate', bytesPerSecond: 1_234_567 })
  })

  it.each(['0', '4', '-5', 'fast', '1.000,5', '1e9'])(
    'of %j would stop everything or is no number',
    (text) => {
      expect(readRate({ text, unit: 'kilobytes' }, null)).toEqual({ kind: 'wrong' })
    },
  )

  it('takes a decimal comma', () => {
    expect(readRate({ text: '0,5', unit: 'megabytes' }, null)).toEqual({
      kind: 'rate',
      bytesPerSecond: 500_000,
    })
  })
})

describe('free space', () => {
  it('is written in gigabytes and read back', () => {
    expect(gigabytesText(1_024 ** 3)).toBe('1')
    expect(readGigabytes('2,5', 1)).toBe(2.5 * 1_024 ** 3)
    expect(readGigabytes('-1', 1)).toBeNull()
    expect(readGigabytes('much', 1)).toBeNull()
  })

  it('that was not touched stays exactly as it was', () => {
    expect(readGigabytes(gigabytesText(1_073_741_825), 1_073_741_825)).toBe(1_073_741_825)
  })
})
