import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Flaw } from '../../../../../src-main/station/reader/formats/bytes.ts'
import { checkLzw, inflated } from '../../../../../src-main/station/reader/formats/tiff-file.ts'

function signOf(check: () => void): string {
  try {
    check()
    return 'sound'
  } catch (error) {
    if (error instanceof Flaw) return error.message
    throw error
  }
}

const TOO_SHORT = 'packed image data are shorter than their image'
const TOO_LONG = 'packed image data are longer than their image'
const GOES_ON = 'packed image data go on after their end'

const [CLEAR, END] = [256, 257]

/** Codes of nine bits. */
function packed(codes: readonly number[]): Uint8Array {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
}

it.each<readonly [what: string, sign: string, codes: readonly number[], sizes: readonly number[]]>([
  ['literals', 'sound', [CLEAR, 7, 8, 9, END], [3]],
  ['what it has stated', 'sound', [CLEAR, 7, 8, 258, END], [4]],
  ['what it is about to state', 'sound', [CLEAR, 7, 258, 259, END], [6]],
  ['no end code', 'sound', [CLEAR, 7, 8], [2]],
  ['a clear code in its middle', 'sound', [CLEAR, 7, 8, CLEAR, 9, END], [3]],
  [
    'what it has not stated',
    'packed image data refer to what they have not stated',
    [CLEAR, 7, 300, END],
    [3],
  ],
  [
    'no literal after a clear code',
    'packed image data refer to what they have not stated',
    [CLEAR, 258, END],
    [3],
  ],
  ['too little', TOO_SHORT, [CLEAR, 7, END], [2]],
  ['too little and no end code', TOO_SHORT, [CLEAR, 7], [2]],
  ['too much', TOO_LONG, [CLEAR, 7, 8, 9, END], [2]],
  ['data after the end', GOES_ON, [CLEAR, 7, END, 1, 2, 3, 4, 5, 6], [1]],
  ['a full table', 'packed image data state more than their table holds', [CLEAR], [0]],
])('LZW with %s: %s', (what, sign, codes, sizes) => {
  // A table fills up with literals, whose codes grow; as long as they are zero, their width does not matter.
  const data =
    what === 'a full table' ? Buffer.concat([Buffer.from([0x80]), Buffer.alloc(6_000)]) : packed(codes)
  expect(signOf(() => checkLzw(data, what === 'a full table' ? [9_999] : sizes))).toBe(sign)
})

it('deflated data have their size, their checksum, and nothing after them', () => {
  const deflated = deflateSync(Buffer.alloc(5_000, 'some bytes'))
  expect(inflated(deflated, 5_000)).toHaveLength(5_000)
  const wrongSum = Buffer.from(deflated).fill(1, deflated.length - 1)
  for (const data of [deflated.subarray(0, -3), wrongSum, Buffer.alloc(40)])
    expect(() => inflated(data, 5_000)).toThrow('no deflated data')
  expect(() => inflated(deflated, 4_999)).toThrow('no deflated data')
  expect(() => inflated(Buffer.concat([deflated, Buffer.alloc(5)]), 5_000)).toThrow('go on after their end')
})
