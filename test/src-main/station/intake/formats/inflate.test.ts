import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { inflated } from '../../../../../src-main/station/intake/formats/inflate.ts'

it('deflated data have their size, their checksum, and nothing after them', () => {
  const deflated = deflateSync(Buffer.alloc(5_000, 'some bytes'))
  expect(inflated(deflated, 5_000)).toHaveLength(5_000)
  const wrongSum = Buffer.from(deflated).fill(1, deflated.length - 1)
  for (const data of [deflated.subarray(0, -3), wrongSum, Buffer.alloc(40)])
    expect(() => inflated(data, 5_000)).toThrow('no deflated data')
  expect(() => inflated(deflated, 4_999)).toThrow('no deflated data')
  expect(() => inflated(Buffer.concat([deflated, Buffer.alloc(5)]), 5_000)).toThrow('go on after their end')
})
