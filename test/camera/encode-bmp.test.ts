import { describe, expect, it } from 'vitest'
import { encodeBmp } from './encode-bmp.ts'

describe('a BMP', () => {
  it('has its rows from the bottom up, blue first, each filled to four bytes', () => {
    const rgb = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    const bmp = encodeBmp(rgb, { width: 2, height: 2 })
    expect(bmp.length).toBe(54 + 16)
    expect([...bmp.subarray(54)]).toEqual([9, 8, 7, 12, 11, 10, 0, 0, 3, 2, 1, 6, 5, 4, 0, 0])
    expect(bmp.readUInt32LE(10)).toBe(54)
  })

  it('is not made of too few pixels', () => {
    expect(() => encodeBmp(new Uint8Array(3), { width: 2, height: 1 })).toThrow('Three bytes')
  })
})
