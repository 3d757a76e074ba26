import { describe, expect, it } from 'vitest'
import { readDataFile } from '../../../../../src-main/station/readers/read-data.ts'
import { FILES } from './many-visits.ts'

const OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const

describe.each(FILES)('%s', { timeout: 60_000 }, (_what, name, textOf) => {
  it('of 20,000 visits is read, and of one more refused whole, with the reason', () => {
    expect(readDataFile(name, Buffer.from(textOf(20_000)), OPTIONS)).toMatchObject({
      ok: true,
      records: { length: 20_000 },
    })
    expect(readDataFile(name, Buffer.from(textOf(20_001)), OPTIONS)).toMatchObject({
      ok: false,
      isForeign: false,
      message: expect.stringContaining('20,000') as string,
    })
  })
})
